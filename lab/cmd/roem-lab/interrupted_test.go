package main

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"roem/internal/engine/klaverjas"
	"roem/internal/model/klaverjas/deal"
	"roem/internal/service/klaverjas/hybrid"
)

// The embedded regressions belong to the embedded weights for the rules of Rotterdam. They serve other rules too
// (lab/docs/klaverjas/hybrid.md).
func TestInterruptedMatchesModel(t *testing.T) {
	m, err := deal.Default()
	if err != nil {
		t.Fatal(err)
	}
	regressions := hybrid.DefaultRegressions()
	for _, w := range m.Trained() {
		if klaverjas.Rules(w.Rules) != klaverjas.DefaultRules(klaverjas.Rotterdam) {
			continue
		}
		regression := regressions.Others
		if w.LeaderDeclares {
			regression = regressions.Leaders
		}
		if regression.Model != w.SHA256 || regression.Rows < 10_000 {
			t.Errorf("regression of %d rows for the weights %.12s…, the embedded weights are %.12s…: run make -C lab klaverjas-interrupted",
				regression.Rows, regression.Model, w.SHA256)
		}
	}
}

func TestInterrupted(t *testing.T) {
	dir := t.TempDir()
	var sets []string
	for _, declarer := range []string{"NS", "EW"} {
		set := filepath.Join(dir, declarer)
		makeDataset(t, "-sampling", "uniform", "-n", "600", "-declarer", declarer, "-out", set)
		sets = append(sets, set)
	}
	file := filepath.Join(dir, "interrupted.json")
	if _, stderr, status := lab(t, append([]string{"interrupted", "-out", file}, sets...)...); status != 0 {
		t.Fatal(stderr)
	}
	text, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	var got hybrid.Regressions
	if err := json.Unmarshal(text, &got); err != nil {
		t.Fatal(err)
	}
	for _, s := range []hybrid.Regression{got.Leaders, got.Others} {
		if s.Rows < 20 || len(s.Model) != 64 {
			t.Errorf("%+v", s)
		}
	}
	for want, args := range map[string][]string{
		"-out is missing": sets, "expected DIR ...": {"-out", file}, "-n 0": {"-out", file, "-n", "0", sets[0]},
		"-workers 0": {"-out", file, "-workers", "0", sets[0]}, "EW declare: 0 interrupted": {"-out", file, sets[0]},
		"none is no data set": {"-out", file, filepath.Join(dir, "none")},
	} {
		if _, stderr, status := lab(t, append([]string{"interrupted"}, args...)...); status == 0 || !strings.Contains(stderr, want) {
			t.Errorf("%q: status %d, %q, want %q", args, status, stderr, want)
		}
	}
}
