package main

import (
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// The command writes the same files with any number of workers, and again from the results.
func TestBaselines(t *testing.T) {
	train, test := t.TempDir(), t.TempDir()
	makeDataset(t, "-sampling", "class-uniform", "-n", "400", "-seed", "1", "-out", train)
	makeDataset(t, "-sampling", "uniform", "-n", "100", "-seed", "2", "-out", test)
	var written []map[string]string
	var out string
	for _, workers := range []string{"1", "2"} {
		out = filepath.Join(t.TempDir(), "baselines")
		args := []string{"baselines", "-train", train, "-test", test, "-out", out, "-trees", "2", "-rounds", "2", "-workers", workers}
		_, stderr, status := lab(t, args...)
		if status != 0 || !strings.Contains(stderr, "roem-lab klaverjas baselines: gradient boosting, all features\n") {
			t.Fatalf("exit status %d, %s", status, stderr)
		}
		written = append(written, readDir(t, out))
	}
	if diff := cmp.Diff(written[0], written[1]); diff != "" {
		t.Errorf("files with one worker and two\n%s", diff)
	}
	if len(written[0]) != 5 {
		t.Errorf("%d files, expected the page, two tables, the models and the results", len(written[0]))
	}
	if _, stderr, status := lab(t, "baselines", "render", out); status != 0 {
		t.Fatalf("exit status %d, %s", status, stderr)
	}
	if diff := cmp.Diff(written[0], readDir(t, out)); diff != "" {
		t.Errorf("files written again\n%s", diff)
	}
}

func TestBaselinesRefused(t *testing.T) {
	empty := t.TempDir()
	for _, test := range []struct {
		args   []string
		status int
		want   string
	}{
		{[]string{"-test", empty, "-out", empty}, 2, "-train is missing"},
		{[]string{"-train", empty, "-out", empty}, 2, "-test is missing"},
		{[]string{"-train", empty, "-test", empty}, 2, "-out is missing"},
		{[]string{"-train", empty, "-test", empty, "-out", empty, "-n", "-1"}, 2, "-n -1"},
		{[]string{"-train", empty, "-test", empty, "-out", empty, "-trees", "0"}, 2, "-trees 0"},
		{[]string{"-train", empty, "-test", empty, "-out", empty, "-rounds", "0"}, 2, "-rounds 0"},
		{[]string{"-train", empty, "-test", empty, "-out", empty, "-workers", "0"}, 2, "-workers 0"},
		{[]string{"-train", empty, "-test", empty, "-out", empty, "more"}, 2, `unexpected argument "more"`},
		{[]string{"-train", empty, "-test", empty, "-out", empty}, 1, "is no data set"},
		{[]string{"render"}, 2, "render takes one directory"},
		{[]string{"render", empty}, 1, "has no results.json"},
	} {
		t.Run(strings.Join(test.args, " "), func(t *testing.T) {
			_, stderr, status := lab(t, append([]string{"baselines"}, test.args...)...)
			if status != test.status || !strings.Contains(stderr, test.want) {
				t.Errorf("exit status %d, %q; expected %d and %q", status, stderr, test.status, test.want)
			}
		})
	}
}
