package main

import (
	"os"
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
	train, held := makeGames(t, "train.rows", "1", "60"), makeGames(t, "held.rows", "2", "20")
	plots := t.TempDir()
	table := filepath.Join(plots, "compare.csv")
	small := []string{"-views", "150", "-trees", "2", "-simulations", "2", "-workers", "1"}
	for name, c := range map[string]struct {
		args   []string
		status int
		want   string // in what it writes
	}{
		"measure": {args: []string{"belief-eval", "-simulations", "2", "-plots", plots, held}, want: "| 7 | 20 |"},
		"compare": {
			args: append(append([]string{"belief-compare", "-held", held, "-csv", table}, small...), train),
			want: "| network | probability above 0.5 |",
		},
		"no held games": {args: []string{"belief-compare", train}, status: 2, want: "-held is missing"},
		"the same deals": {
			args: append(append([]string{"belief-compare", "-held", train}, small...), train), status: 1,
			want: "is among those to train on",
		},
		"no weights":  {args: []string{"belief-eval", "-model", filepath.Join(plots, "none"), held}, status: 2, want: "no such file"},
		"not weights": {args: []string{"belief-eval", "-model", held, held}, status: 1, want: "not a usable file of weights"},
	} {
		t.Run(name, func(t *testing.T) {
			stdout, stderr, status := lab(t, c.args...)
			if status != c.status || !strings.Contains(stdout+stderr, c.want) {
				t.Errorf("exit status %d, want %d and %q:\n%s%s", status, c.status, c.want, stdout, stderr)
			}
		})
	}
	for _, name := range []string{"calibration-belief.svg", "calibration-uniform.svg", "calibration.csv", "compare.csv"} {
		if info, err := os.Stat(filepath.Join(plots, name)); err != nil || info.Size() == 0 {
			t.Errorf("%s: %v", name, err)
		}
	}
}
