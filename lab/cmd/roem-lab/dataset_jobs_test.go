package main

import (
	"encoding/json"
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"roem/internal/cli"
	"roem/internal/engine/klaverjas"
	"roem/internal/engine/klaverjas/search"
	"roem/internal/redistest"
	"roem/internal/testkit"
	"roem/lab/klaverjas/dataset"
)

// Shards that other processes make have the same bytes, even if one of the processes is stopped.
func TestDatasetOnSeveral(t *testing.T) {
	goal := testkit.Times("win", "win", "value", "value")
	args := []string{"-sampling", "uniform", "-goal", goal, "-n", "800", "-shard-rows", "20", "-seed", "9"}
	here := t.TempDir()
	if sum := makeDataset(t, append(args, "-out", here)...); !sum.Complete {
		t.Fatalf("%+v", sum)
	}
	server := redistest.Start(t, redistest.Options{MaxMemoryPolicy: "noeviction"})
	program, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	var workers []*exec.Cmd
	for range 2 {
		process := &exec.Cmd{
			Path: program, Args: []string{"roem-lab", "klaverjas", "dataset", "work", "-redis", server.AdminURL(), "-workers", "1"},
		}
		if err := process.Start(); err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() {
			_ = process.Process.Kill()
			_ = process.Wait()
		})
		workers = append(workers, process)
	}
	dir := filepath.Join(t.TempDir(), "set")
	stopped := make(chan error, 1)
	go func() {
		for deadline := time.Now().Add(testkit.Patience); time.Now().Before(deadline); time.Sleep(time.Millisecond) {
			if paths, err := filepath.Glob(filepath.Join(dir, "*.rows")); err != nil || len(paths) >= 5 {
				break
			}
		}
		err := workers[0].Process.Signal(syscall.SIGTERM)
		stopped <- errors.Join(err, workers[0].Wait())
	}()
	sum := makeDataset(t, append(args, "-out", dir, "-workers", "0", "-redis", server.AdminURL())...)
	if !sum.Complete || sum.Made.Shards != 40 {
		t.Errorf("%+v", sum)
	}
	if diff := cmp.Diff(datasetFiles(t, here), datasetFiles(t, dir)); diff != "" {
		t.Errorf("(-here +elsewhere):\n%s", diff)
	}
	if err, ok := errors.AsType[*exec.ExitError](<-stopped); !ok || err.ExitCode() != cli.StatusSignal+int(syscall.SIGTERM) {
		t.Errorf("the worker that was stopped: %v", err)
	}
	// Only missing shards are ordered, and one machine alone can process the queue.
	if err := os.Remove(filepath.Join(dir, "shard-00007.rows")); err != nil {
		t.Fatal(err)
	}
	if sum := makeDataset(t, append(args, "-out", dir, "-workers", "1", "-redis", server.AdminURL())...); !sum.Complete ||
		sum.Made.Shards != 1 {
		t.Errorf("%+v", sum)
	}
	if diff := cmp.Diff(datasetFiles(t, here), datasetFiles(t, dir)); diff != "" {
		t.Errorf("(-here +elsewhere):\n%s", diff)
	}
}

func TestDatasetOrders(t *testing.T) {
	good := dataset.Order{
		Settings: dataset.Settings{
			Sampling: dataset.Uniform, Goal: search.Value, Rules: klaverjas.DefaultRules(klaverjas.Rotterdam), Seed: 1<<64 - 1, Rows: 50,
			ShardRows: 20,
		},
		Shard: 2,
	}
	text, err := json.Marshal(good)
	if err != nil {
		t.Fatal(err)
	}
	var got dataset.Order
	if err := json.Unmarshal(text, &got); err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(good, got); diff != "" {
		t.Errorf("an order read back (-want +got):\n%s", diff)
	}
	for name, change := range map[string][2]string{
		"another search":   {`"solver":"`, `"solver":"x`},
		"no such shard":    {`"shard":2`, `"shard":3`},
		"no such sampling": {`"sampling":"uniform"`, `"sampling":"odd"`},
		"no JSON":          {`{`, ``},
	} {
		changed := strings.Replace(string(text), change[0], change[1], 1)
		if changed == string(text) {
			t.Fatalf("%s: no replacement in %s", name, text)
		}
		if err := json.Unmarshal([]byte(changed), &got); err == nil {
			t.Errorf("%s: no error", name)
		}
	}
	if _, err := good.Unpack(make([]byte, 1)); err == nil {
		t.Error("a shard of one byte: no error")
	}
	for _, args := range [][]string{
		{"work"},
		{"work", "-redis", "redis://127.0.0.1:1", "x"},
		{"-redis", "redis://127.0.0.1:1", "-seed", "1", "work"},
		{"-out", t.TempDir(), "-workers", "0"},
	} {
		if _, stderr, status := lab(t, append([]string{"dataset"}, args...)...); status != cli.StatusUsage {
			t.Errorf("dataset %q: exit status %d, %s", args, status, stderr)
		}
	}
}
