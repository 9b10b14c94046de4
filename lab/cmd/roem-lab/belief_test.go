package main

import (
	"path/filepath"
	"strings"
	"testing"
)

// makeGames writes a file of games of the simple player.
func makeGames(t *testing.T, name, seed, n string) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), name)
	if _, stderr, status := lab(t, "games", "-player", "simple", "-seed", seed, "-n", n, "-out", path); status != 0 {
		t.Fatal(stderr)
	}
	return path
}

func TestBeliefCommands(t *testing.T) {
	held := makeGames(t, "held.rows", "2", "20")
	for name, c := range map[string]struct {
		args   []string
		status int
		want   string // in what it writes
	}{
		"measure":     {args: []string{"belief-eval", "-simulations", "2", held}, want: "| 7 | 20 |"},
		"no weights":  {args: []string{"belief-eval", "-model", held + ".none", held}, status: 2, want: "no such file"},
		"not weights": {args: []string{"belief-eval", "-model", held, held}, status: 1, want: "not a usable file of weights"},
	} {
		t.Run(name, func(t *testing.T) {
			stdout, stderr, status := lab(t, c.args...)
			if status != c.status || !strings.Contains(stdout+stderr, c.want) {
				t.Errorf("exit status %d, want %d and %q:\n%s%s", status, c.status, c.want, stdout, stderr)
			}
		})
	}
}
