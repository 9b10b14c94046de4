package main

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"roem/internal/hybrid"
	"roem/internal/model"
)

// The scales that come with the program were learned beside the weights that come with it.
func TestEvidenceIsOfTheModel(t *testing.T) {
	m, err := model.Default()
	if err != nil {
		t.Fatal(err)
	}
	scales := hybrid.DefaultScales()
	for _, w := range m.Trained() {
		scale := scales.Others
		if w.LeaderDeclares {
			scale = scales.Leaders
		}
		if scale.Model != w.SHA256 || scale.Rows < 10_000 {
			t.Errorf("scales of %d rows beside %.12s…, the weights are %.12s…: run make evidence", scale.Rows, scale.Model, w.SHA256)
		}
	}
}

func TestEvidence(t *testing.T) {
	dir := t.TempDir()
	var sets []string
	for _, declarer := range []string{"NS", "EW"} {
		set := filepath.Join(dir, declarer)
		makeDataset(t, "-sampling", "uniform", "-n", "600", "-declarer", declarer, "-out", set)
		sets = append(sets, set)
	}
	file := filepath.Join(dir, "evidence.json")
	if _, stderr, status := lab(t, append([]string{"evidence", "-out", file}, sets...)...); status != 0 {
		t.Fatal(stderr)
	}
	text, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	var got hybrid.Scales
	if err := json.Unmarshal(text, &got); err != nil {
		t.Fatal(err)
	}
	for _, s := range []hybrid.Scale{got.Leaders, got.Others} {
		if s.Rows < 20 || len(s.Model) != 64 {
			t.Errorf("%+v", s)
		}
	}
	for want, args := range map[string][]string{
		"-out is missing": sets, "which data sets": {"-out", file}, "-n 0": {"-out", file, "-n", "0", sets[0]},
		"-workers 0": {"-out", file, "-workers", "0", sets[0]}, "EW declare: 0 stopped": {"-out", file, sets[0]},
		"none is no data set": {"-out", file, filepath.Join(dir, "none")},
	} {
		if _, stderr, status := lab(t, append([]string{"evidence"}, args...)...); status == 0 || !strings.Contains(stderr, want) {
			t.Errorf("%q: status %d, %q, want %q", args, status, stderr, want)
		}
	}
}
