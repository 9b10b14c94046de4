package main

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"math"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"roem/internal/engine/klaverjas"
	"roem/internal/model/klaverjas/deal"
	"roem/internal/service"
	game "roem/internal/service/klaverjas"
	"roem/internal/testkit"
	"roem/lab/klaverjas/dataset"
)

// datasetFiles returns the files of a data set that do not depend on the machine.
func datasetFiles(t *testing.T, dir string) map[string]string {
	t.Helper()
	out := make(map[string]string)
	for _, pattern := range []string{"manifest.json", "*.rows", "*.sha256"} {
		paths, err := filepath.Glob(filepath.Join(dir, pattern))
		if err != nil {
			t.Fatal(err)
		}
		for _, path := range paths {
			data, err := os.ReadFile(path)
			if err != nil {
				t.Fatal(err)
			}
			out[filepath.Base(path)] = string(data)
		}
	}
	return out
}

// makeDataset runs the command in this process and returns its summary.
func makeDataset(t *testing.T, args ...string) (sum struct {
	Complete bool `json:"complete"`
	Rows     int  `json:"rows"`
	Shards   int  `json:"shards"`
	Made     struct {
		Shards int `json:"shards"`
	} `json:"made"`
},
) {
	t.Helper()
	stdout, stderr, status := lab(t, append([]string{"dataset"}, args...)...)
	if status != 0 { // a slow machine also prints its progress
		t.Fatalf("exit status %d, %s", status, stderr)
	}
	if err := json.Unmarshal([]byte(stdout), &sum); err != nil {
		t.Fatal(err)
	}
	return sum
}

// A process is killed repeatedly, each time after it has made some more shards. Existing shards do not change, and the complete set
// equals the set of a process that is not killed.
func TestDatasetKilled(t *testing.T) {
	const (
		shards = 40
		kills  = 3
		each   = 4 // number of further shards before a kill
	)
	goal := testkit.Times("win", "win", "value", "value") // a search of the winner is several times as fast
	args := []string{"-sampling", "uniform", "-goal", goal, "-n", "800", "-shard-rows", "20", "-seed", "9", "-workers", "2"}
	whole := t.TempDir()
	if sum := makeDataset(t, append(args, "-out", whole)...); !sum.Complete || sum.Rows != 800 || sum.Made.Shards != shards {
		t.Fatalf("%+v", sum)
	}
	want := datasetFiles(t, whole)
	if len(want) != 1+2*shards {
		t.Fatalf("%d files", len(want))
	}

	program, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	dir := filepath.Join(t.TempDir(), "set")
	there := func() []string {
		paths, err := filepath.Glob(filepath.Join(dir, "*.rows"))
		if err != nil {
			t.Fatal(err)
		}
		return paths
	}
	made := make(map[string]os.FileInfo)
	remember := func() {
		for _, path := range there() {
			info, err := os.Stat(path)
			if err != nil {
				t.Fatal(err)
			}
			if before, ok := made[path]; ok && !os.SameFile(before, info) {
				t.Errorf("%s was made a second time", filepath.Base(path))
			}
			made[path] = info
		}
	}
	killed := 0
	for range kills {
		enough := len(there()) + each
		process := &exec.Cmd{Path: program, Args: append([]string{"roem-lab", "klaverjas", "dataset", "-out", dir}, args...)}
		if err := process.Start(); err != nil {
			t.Fatal(err)
		}
		for deadline := time.Now().Add(testkit.Patience); len(there()) < enough; time.Sleep(time.Millisecond) {
			if time.Now().After(deadline) {
				_ = process.Process.Kill()
				t.Fatalf("%d shards after %v", len(there()), testkit.Patience)
			}
		}
		if err := process.Process.Kill(); err != nil {
			t.Fatal(err)
		}
		err := process.Wait()
		remember()
		if err == nil { // the process finished first
			break
		}
		killed++
		for path := range made {
			if data, err := os.ReadFile(path); err != nil || string(data) != want[filepath.Base(path)] {
				t.Errorf("%s has a wrong content (%v)", filepath.Base(path), err)
			}
		}
	}
	if killed == 0 {
		t.Fatal("no process was killed before its end, so the test has no effect")
	}
	sum := makeDataset(t, append(args, "-out", dir)...)
	if !sum.Complete || sum.Made.Shards != shards-len(made) {
		t.Errorf("%+v, want the %d shards made that were missing", sum, shards-len(made))
	}
	remember()
	if diff := cmp.Diff(want, datasetFiles(t, dir)); diff != "" {
		t.Errorf("(-not killed +killed):\n%s", diff)
	}
	if stdout, stderr, status := lab(t, "dataset", "verify", dir); status != 0 || stderr != "" ||
		!strings.HasPrefix(stdout, `{"shards":40,"rows":800,`) {
		t.Errorf("verify: exit status %d, %s%s", status, stdout, stderr)
	}
}

// newGame returns the operations of the HTTP API, for comparison.
func newGame(t *testing.T) *game.Game {
	t.Helper()
	s, err := service.New(service.Options{Version: version})
	if err != nil {
		t.Fatal(err)
	}
	return game.New(s, game.Options{})
}

// Rules are parsed as in positions, and the manifest has them in the form of answers.
func TestDatasetRules(t *testing.T) {
	for _, text := range []string{
		`{}`, `{"system":"amsterdam"}`, `{"melds":false,"nat_melds":"all","under_ruff":"free"}`,
		`{"four_of_a_kind":{"J":200,"9":0},"pit":{"defenders":50}}`,
	} {
		t.Run(text, func(t *testing.T) {
			dir := t.TempDir()
			makeDataset(t, "-sampling", "uniform", "-n", "1", "-rules", text, "-out", dir)
			set, err := dataset.Open(dir)
			if err != nil {
				t.Fatal(err)
			}
			g := newGame(t)
			position, err := game.ParsePosition(context.Background(), g, []byte(`{"trump":"C","leader":"N","deal":"0","rules":`+text+`}`))
			if err != nil {
				t.Fatal(err)
			}
			legal, err := g.Legal(position)
			if err != nil {
				t.Fatal(err)
			}
			want, err := json.Marshal(legal.Rules)
			if err != nil {
				t.Fatal(err)
			}
			got, err := json.Marshal(set.Manifest.Rules)
			if err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(string(want), string(got)); diff != "" {
				t.Errorf("(-answer +manifest):\n%s", diff)
			}
		})
	}
}

// With -gain every row has at least that gain for the model, and the manifest contains the choice.
func TestDatasetGain(t *testing.T) {
	dir := t.TempDir()
	makeDataset(t, "-sampling", "uniform", "-n", "20", "-gain", "8", "-out", dir)
	set, err := dataset.Open(dir)
	if err != nil {
		t.Fatal(err)
	}
	m, err := deal.Default()
	if err != nil {
		t.Fatal(err)
	}
	rules := klaverjas.Rules(set.Manifest.Rules)
	for row, err := range set.Rows() {
		if err != nil {
			t.Fatal(err)
		}
		p, ok := m.Predict(rules, row.Deal())
		if nodes := math.Pow(10, p.Log10Nodes); !ok || 1e6*(1-p.Confidence())/nodes < 8 {
			t.Errorf("row %d: %+v has too little gain", row.Number, p)
		}
	}
	if c := set.Manifest.Choice; c == nil || c.Gain != 8 || c.Model != m.SHA256() {
		t.Errorf("the manifest has %+v", c)
	}
	for want, args := range map[string][]string{
		"-gain, which is missing":           {"-model", "x"},
		"-gain: the model does not predict": {"-gain", "8", "-rules", `{"melds":false}`},
		"the gain of the choice is -1":      {"-gain", "-1"},
		"sampling classes has one row for":  {"-gain", "8", "-sampling", "classes", "-n", "981541"},
		"no such file or directory":         {"-gain", "8", "-model", filepath.Join(dir, "none")},
		"not a usable file of weights":      {"-gain", "8", "-model", filepath.Join(dir, "manifest.json")},
		`"choice" is {"gain":8,"model":"`:   {"-gain", "9", "-out", dir},
	} {
		args = append([]string{"dataset", "-sampling", "uniform", "-n", "20", "-out", filepath.Join(dir, "other")}, args...)
		if _, stderr, status := lab(t, args...); status == 0 || !strings.Contains(stderr, want) {
			t.Errorf("%q: status %d, %s, want %s", args, status, stderr, want)
		}
	}
}

func TestDatasetInterrupted(t *testing.T) {
	dir := t.TempDir()
	program, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	var stdout, stderr bytes.Buffer
	process := &exec.Cmd{
		Path:   program,
		Args:   []string{"roem-lab", "klaverjas", "dataset", "-out", dir, "-sampling", "uniform", "-n", "1000000", "-shard-rows", "50"},
		Stdout: &stdout, Stderr: &stderr,
	}
	if err := process.Start(); err != nil {
		t.Fatal(err)
	}
	watchdog := time.AfterFunc(testkit.Patience, func() { _ = process.Process.Kill() })
	defer watchdog.Stop()
	for {
		if _, err := os.Stat(filepath.Join(dir, "shard-00001.rows")); err == nil {
			break
		} else if !errors.Is(err, os.ErrNotExist) {
			t.Fatal(err)
		}
		time.Sleep(time.Millisecond)
	}
	if err := process.Process.Signal(os.Interrupt); err != nil {
		t.Skipf("no signals can be sent: %v", err)
	}
	err = process.Wait()
	if got := process.ProcessState.ExitCode(); got != 130 || stdout.Len() > 0 {
		t.Errorf("exit status %d (%v), want 130; it wrote %q", got, err, &stdout)
	}
	if want := "roem-lab klaverjas dataset: stopped by signal: interrupt\n"; stderr.String() != want {
		t.Errorf("stderr %q, want %q", &stderr, want)
	}
	set, err := dataset.Open(dir)
	if err != nil || len(set.Manifest.Shards) < 1 {
		t.Errorf("the manifest has no shards: %v", err)
	}
}

func TestMeter(t *testing.T) {
	began := time.Now()
	m := &meter{who: "roem-lab klaverjas dataset", units: "rows", total: 1000, began: began}
	if got, want := m.line(began.Add(time.Second)), "roem-lab klaverjas dataset: 0 of 1000 rows"; got != want {
		t.Errorf("%q, want %q", got, want)
	}
	for range 250 {
		m.add()
	}
	if got, want := m.line(began.Add(20*time.Second)), "roem-lab klaverjas dataset: 250 of 1000 rows, 12/s, 1m0s left"; got != want {
		t.Errorf("%q, want %q", got, want)
	}
	t.Run("lines", func(t *testing.T) {
		var out testkit.Output
		m := newMeter(&out, "roem-lab klaverjas dataset", "rows", 3, 20*time.Millisecond)
		m.add()
		lines := func() int { return strings.Count(out.String(), "roem-lab klaverjas dataset: 1 of 3 rows, ") }
		testkit.Until(t, "two lines", func() bool { return lines() >= 2 })
		m.stop()
		before := strings.Count(out.String(), "roem-lab klaverjas dataset: 0 of 3 rows") // on a busy machine
		if before+lines() != strings.Count(out.String(), "\n") {
			t.Errorf("it wrote %q", &out)
		}
	})
	t.Run("no lines", func(t *testing.T) {
		var out bytes.Buffer
		m := newMeter(&out, "roem-lab klaverjas dataset", "rows", 3, time.Hour)
		m.add()
		m.stop()
		if out.Len() > 0 {
			t.Errorf("it wrote %q", &out)
		}
	})
}
