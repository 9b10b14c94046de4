package main

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"roem/internal/redistest"
	"roem/internal/testkit"
)

// solveFrom sends a solve and returns the source and the best line of its answer.
func (p *process) solveFrom(t *testing.T, body string) (source, line string) {
	t.Helper()
	code, text, err := p.post(context.Background(), "/v1/klaverjas/solve", body)
	var answer struct {
		Source string
		Line   []string
		Exact  bool
	}
	if err != nil || code != 200 || json.Unmarshal(text, &answer) != nil || !answer.Exact {
		t.Fatalf("%d, %v: %s\n%s", code, err, text, p.logged())
	}
	return answer.Source, strings.Join(answer.Line, " ")
}

// wrote waits until the server has written the given number of results to a layer of its cache and no write is pending.
func (p *process) wrote(t *testing.T, layer string, results int) {
	t.Helper()
	await(t, "results in the "+layer, func() bool {
		metrics := p.body(t, p.url+"/metrics")
		return strings.Contains(metrics, fmt.Sprintf("roem_cache_writes_total{layer=%q,result=\"kept\"} %d\n", layer, results)) &&
			strings.Contains(metrics, fmt.Sprintf("roem_cache_pending_writes{layer=%q} 0\n", layer))
	})
}

// patient sets a timeout for Redis that is long enough for a busy machine.
const patient = "ROEM_REDIS_TIMEOUT=10s"

// deal returns a deal that takes some milliseconds to solve.
func deal(i int) string {
	return fmt.Sprintf(`{"trump": "C", "leader": "N", "deal": "%d"}`, 71234567890123456+i*1_000_003)
}

// Results that were written before the server is killed are available to the next server, in the file and in Redis.
func TestRestartKeepsResults(t *testing.T) {
	const deals = 5
	durable := redistest.Start(t, redistest.Options{Durable: true})
	for name, environ := range map[string][]string{
		"file":  {"ROEM_DATA=" + filepath.Join(t.TempDir(), "data")},
		"redis": {"ROEM_REDIS_URL=" + durable.URL(), patient},
	} {
		t.Run(name, func(t *testing.T) {
			p := start(t, environ...)
			lines := map[int]string{}
			for i := range deals {
				var source string
				if source, lines[i] = p.solveFrom(t, deal(i)); source != "search" {
					t.Errorf("deal %d is from the %s", i, source)
				}
			}
			again := func(p *process, when string) {
				t.Helper()
				for i := range deals {
					if source, line := p.solveFrom(t, deal(i)); source != "cache" || line != lines[i] {
						t.Errorf("%s: deal %d is from the %s, %s, was %s", when, i, source, line, lines[i])
					}
				}
			}
			again(p, "at once")
			p.wrote(t, name, deals)
			if err := p.Process.Kill(); err != nil {
				t.Fatal(err)
			}
			p.ends(t, testkit.Patience)
			if name == "redis" {
				durable.Kill()
				durable.Restart()
			}
			p = start(t, environ...)
			again(p, "after kill -9")
			p.signal(t, os.Interrupt)
			if got := p.ends(t, testkit.Patience); got != 0 {
				t.Errorf("exit status %d\n%s", got, p.logged())
			}
			// After an orderly stop no result is lost.
			p = start(t, environ...)
			_, lines[deals-1] = p.solveFrom(t, deal(deals))
			p.signal(t, os.Interrupt)
			p.ends(t, testkit.Patience)
			p = start(t, environ...)
			if source, line := p.solveFrom(t, deal(deals)); source != "cache" || line != lines[deals-1] {
				t.Errorf("after a stop: from the %s, %s, was %s", source, line, lines[deals-1])
			}
		})
	}
}

// Servers that share a Redis share their results, also for twins.
func TestServersShareRedis(t *testing.T) {
	shared := redistest.Start(t, redistest.Options{})
	environ := []string{"ROEM_REDIS_URL=" + shared.URL(), patient}
	first, second := start(t, environ...), start(t, environ...)
	if source, _ := first.solveFrom(t, deal(0)); source != "search" {
		t.Errorf("the first: from the %s", source)
	}
	first.wrote(t, "redis", 1)
	if source, _ := second.solveFrom(t, strings.Replace(deal(0), `"C"`, `"S"`, 1)); source != "cache" {
		t.Errorf("the second: from the %s", source)
	}
	code, text, err := second.request(context.Background(), http.MethodGet, "/metrics", "")
	if err != nil || code != 200 {
		t.Fatalf("%d, %v", code, err)
	}
	for _, want := range []string{
		`roem_cache_lookups_total{layer="memory",result="hit"} 0`, `roem_cache_lookups_total{layer="redis",result="hit"} 1`,
		`roem_cache_breaker_state{layer="redis"} 0`,
	} {
		if !bytes.Contains(text, []byte(want)) {
			t.Errorf("the metrics do not contain %s\n%s", want, text)
		}
	}
}

// If another server uses the folder, the error names the folder and its setting.
func TestFolderInUse(t *testing.T) {
	dir := t.TempDir()
	start(t, "ROEM_DATA="+dir)
	second := command()
	second.Env = append(second.Env, "ROEM_DATA="+dir, "ROEM_ADDR=127.0.0.1:0")
	out, _ := second.CombinedOutput()
	if got := second.ProcessState.ExitCode(); got != 1 {
		t.Errorf("exit status %d, want 1", got)
	}
	for _, want := range []string{dir, "in use by another process", "ROEM_DATA"} {
		if !strings.Contains(string(out), want) {
			t.Errorf("output %s\nwant it to contain %s", out, want)
		}
	}
}

// A server starts with a damaged file.
func TestDamagedFolder(t *testing.T) {
	dir := t.TempDir()
	path := filepath.Join(dir, "results-a.db")
	if err := os.WriteFile(path, bytes.Repeat([]byte("garbage "), 10_000), 0o600); err != nil {
		t.Fatal(err)
	}
	p := start(t, "ROEM_DATA="+dir)
	p.solveFrom(t, deal(0))
	if _, err := os.Stat(path + ".damaged"); err != nil || !strings.Contains(p.logged(), path+".damaged") {
		t.Errorf("%v\n%s", err, p.logged())
	}
}

// A server with a folder that is not writable starts and keeps results in memory.
func TestFolderThatCannotBeWritten(t *testing.T) {
	// A folder of the kernel, in which not even root can create folders.
	p := start(t, "ROEM_DATA=/sys/roem")
	p.solveFrom(t, deal(0))
	if source, _ := p.solveFrom(t, deal(0)); source != "cache" {
		t.Errorf("from the %s", source)
	}
	if !strings.Contains(p.logged(), "ROEM_DATA") {
		t.Errorf("the log does not contain it\n%s", p.logged())
	}
}
