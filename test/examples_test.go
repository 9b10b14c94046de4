package test

import (
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// lines are at most how many lines an example has: two thirds of the program that a new user wrote for the same before the interface
// changed.
var lines = map[string]int{"card-site.ts": 91 * 2 / 3, "bidding-assistant/main.go": 84 * 2 / 3, "batch.py": 40 * 2 / 3}

func TestExamplesAreShort(t *testing.T) {
	for file, most := range lines {
		text, err := os.ReadFile("../examples/" + file)
		if err != nil {
			t.Fatal(err)
		}
		if n := strings.Count(string(text), "\n"); n > most {
			t.Errorf("%s has %d lines, want at most %d", file, n, most)
		}
	}
}

// Each example runs against a server as it is written.
func TestExamples(t *testing.T) {
	t.Parallel()
	if testing.Short() {
		t.Skip("it runs programs without the race detector")
	}
	s := start(t)
	for name, tt := range map[string]struct {
		program string // which must be there
		args    []string
		says    string
	}{
		"bidding assistant": {
			"go",
			[]string{
				"run", "../examples/bidding-assistant", "-server", s.url, "-calls", "pass pass", "JH", "9H", "8H", "AS", "10S", "7S", "KD", "8C",
			},
			`^Call H\. Declaring with H as trump is worth \+85 points, passing -67 points\.\nH: \+8\d points, `,
		},
		"bidding assistant with seven cards": {
			"go",
			[]string{"run", "../examples/bidding-assistant", "-server", s.url, "JH", "9H", "8H", "AS", "10S", "7S", "KD"},
			`/hand has 7 cards, expected 8`,
		},
		"batch": {"python3", []string{"../examples/batch.py"}, `^job \w+\n(\d+ of 1000\n)+succeeded the mean outcome is -22\.1\n$`},
		"card site": {"node", []string{script(t, "../examples/card-site.ts")}, `(?s)^Trump hearts, S and partner: \d+ points\.\n` +
			`(\w+: [a-z]+\n){8}.*200 of 200 deals\nThe leader wins 113 of 200 deals\.\nThe match is cancelled\.\n$`},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			if _, err := exec.LookPath(tt.program); err != nil {
				t.Skip(err)
			}
			run := exec.Command(tt.program, tt.args...)
			run.Env = append(os.Environ(), "ROEM="+s.url)
			out, err := run.CombinedOutput()
			if !regexp.MustCompile(tt.says).Match(out) {
				t.Errorf("%v: %s\nwant %s", err, out, tt.says)
			}
		})
	}
}

// script returns the file of a TypeScript program as JavaScript.
func script(t *testing.T, file string) string {
	t.Helper()
	from, err := filepath.Abs(file)
	if err != nil {
		t.Fatal(err)
	}
	into := filepath.Join(t.TempDir(), "script.mjs")
	esbuild := exec.Command("go", "-C", "../tools", "tool", "esbuild", from, "--format=esm", "--outfile="+into, "--log-level=warning")
	if out, err := esbuild.CombinedOutput(); err != nil {
		t.Fatalf("%v: %s", err, out)
	}
	return into
}
