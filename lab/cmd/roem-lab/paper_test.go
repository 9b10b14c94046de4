package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// readDir returns the files of a directory by name.
func readDir(t *testing.T, dir string) map[string]string {
	t.Helper()
	entries, err := os.ReadDir(dir)
	if err != nil {
		t.Fatal(err)
	}
	out := make(map[string]string)
	for _, entry := range entries {
		data, err := os.ReadFile(filepath.Join(dir, entry.Name()))
		if err != nil {
			t.Fatal(err)
		}
		out[entry.Name()] = string(data)
	}
	return out
}

// The command writes the same files with any number of workers, and again from the results.
func TestPaper(t *testing.T) {
	data := t.TempDir()
	makeDataset(t, "-sampling", "class-uniform", "-n", "300", "-out", data)
	var written []map[string]string
	var out string
	for _, workers := range []string{"1", "2"} {
		out = filepath.Join(t.TempDir(), "paper")
		if _, stderr, status := lab(t, "paper", "-data", data, "-out", out, "-trees", "4", "-workers", workers); status != 0 {
			t.Fatalf("exit status %d, %s", status, stderr)
		}
		written = append(written, readDir(t, out))
	}
	if diff := cmp.Diff(written[0], written[1]); diff != "" {
		t.Errorf("files with one worker and two\n%s", diff)
	}
	if len(written[0]) != 9 {
		t.Errorf("%d files, expected the page, three figures, four tables and the results", len(written[0]))
	}
	for name := range written[0] {
		if name == resultsFile {
			continue
		}
		if err := os.Remove(filepath.Join(out, name)); err != nil {
			t.Fatal(err)
		}
	}
	if _, stderr, status := lab(t, "paper", "render", out); status != 0 {
		t.Fatalf("exit status %d, %s", status, stderr)
	}
	if diff := cmp.Diff(written[0], readDir(t, out)); diff != "" {
		t.Errorf("files written again\n%s", diff)
	}
}

func TestPaperRefused(t *testing.T) {
	empty, damaged := t.TempDir(), t.TempDir()
	if err := os.WriteFile(filepath.Join(damaged, resultsFile), []byte("{"), 0o600); err != nil {
		t.Fatal(err)
	}
	for _, test := range []struct {
		args   []string
		status int
		want   string
	}{
		{[]string{"-out", empty}, 2, "-data is missing"},
		{[]string{"-data", empty}, 2, "-out is missing"},
		{[]string{"-data", empty, "-out", empty, "-trees", "0"}, 2, "-trees 0"},
		{[]string{"-data", empty, "-out", empty, "-workers", "0"}, 2, "-workers 0"},
		{[]string{"-data", empty, "-out", empty, "more"}, 2, `unexpected argument "more"`},
		{[]string{"-data", empty, "-out", empty}, 1, "is no data set"},
		{[]string{"render"}, 2, "render takes one directory"},
		{[]string{"render", empty}, 1, "results.json: no such file"},
		{[]string{"render", damaged}, 1, "unexpected end of JSON"},
	} {
		t.Run(strings.Join(test.args, " "), func(t *testing.T) {
			_, stderr, status := lab(t, append([]string{"paper"}, test.args...)...)
			if status != test.status || !strings.Contains(stderr, test.want) {
				t.Errorf("exit status %d, %q; expected %d and %q", status, stderr, test.status, test.want)
			}
		})
	}
}
