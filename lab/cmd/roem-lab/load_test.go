package main

import (
	"encoding/json"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"roem/internal/cli/clitest"
	"roem/internal/loadtest"
)

func TestLoad(t *testing.T) {
	s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.Header.Get("Authorization") != "Bearer k" {
			w.WriteHeader(http.StatusUnauthorized)
		}
		if r.URL.Path == "/mine" {
			w.WriteHeader(http.StatusTeapot)
		}
		_, _ = io.Copy(io.Discard, r.Body)
	}))
	defer s.Close()
	own := filepath.Join(t.TempDir(), "own.jsonl")
	if err := os.WriteFile(own, []byte(`{"route": "own", "path": "/mine"}`), 0o600); err != nil {
		t.Fatal(err)
	}
	args := []string{
		"load", "-url", s.URL + "/", "-rate", "solve=100", "-rate", "own=50", "-scenario", own, "-duration", "300ms", "-warmup", "50ms",
		"-header", "Authorization: Bearer k", "-seed", "5",
	}
	stdout, stderr, status := clitest.Run(t, program(), "", args...)
	if status != 0 || stderr != "" || !strings.Contains(stdout, "seed 5") || !strings.Contains(stdout, "418") {
		t.Errorf("exit status %d, %s%s", status, stderr, stdout)
	}
	stdout, _, status = clitest.Run(t, program(), "", append(args, "-json")...)
	var report loadtest.Report
	if err := json.Unmarshal([]byte(stdout), &report); err != nil || status != 0 {
		t.Fatalf("%v, exit status %d: %s", err, status, stdout)
	}
	if report.Find("solve", "200").Count == 0 || report.Find("own", "418").Count == 0 || report.Seconds != 0.3 {
		t.Errorf("%+v", report)
	}
}

func TestLoadUsage(t *testing.T) {
	for want, args := range map[string][]string{
		"-rate is missing":               nil,
		`no built-in route "solves"`:     {"-rate", "solves=1"},
		"expected a route and requests":  {"-rate", "solve"},
		"the route has a rate already":   {"-rate", "solve=1", "-rate", "solve=2"},
		"no-such.jsonl":                  {"-rate", "solve=1", "-scenario", "no-such.jsonl"},
		"expected a name and a value":    {"-rate", "solve=1", "-header", "key"},
		`unexpected argument "http://x"`: {"-rate", "solve=1", "http://x"},
	} {
		_, stderr, status := clitest.Run(t, program(), "", append([]string{"load"}, args...)...)
		if status != 2 || !strings.Contains(stderr, want) {
			t.Errorf("%v: exit status %d, want 2 and %q: %s", args, status, want, stderr)
		}
	}
}
