package main

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"roem/internal/engine/klaverjas/dealstest"
	"roem/lab/klaverjas/bench"
)

// report writes a report in which each mean is the base plus a little more for each column.
func report(t *testing.T, dir, name string, nodes, ms float64, won int) {
	t.Helper()
	var r bench.Report
	for i, at := range columns() {
		n := float64(i + 1)
		r.Rows = append(r.Rows, bench.Row{
			Set: dealstest.Set(at.set), Goal: at.goal, Won: won,
			Nodes: bench.Spread{Mean: n * nodes}, Milliseconds: bench.Spread{Mean: n * ms},
		})
	}
	text, err := json.Marshal(r)
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(dir, name+".json"), text, 0o600); err != nil {
		t.Fatal(err)
	}
}

const constants = `package search

const (
	// A group.
	useOne = true // the first idea
	useTwo = true // the second

	useThree = true // the third
)
`

func TestRun(t *testing.T) {
	dir := t.TempDir()
	file := filepath.Join(dir, "techniques.go")
	if err := os.WriteFile(file, []byte(constants), 0o600); err != nil {
		t.Fatal(err)
	}
	// The slower round of a variant does not count.
	report(t, dir, "every.1", 1000, 2, 7)
	report(t, dir, "every.2", 1000, 1, 7)
	report(t, dir, "useOne.1", 1300, 1.1, 7)
	report(t, dir, "useOne.2", 1300, 1.7, 7)
	report(t, dir, "useTwo.1", 2500, 0.9, 7)
	report(t, dir, "useThree.1", 1001, 1, 7)
	report(t, dir, "none.1", 9000, 4, 7)
	var out strings.Builder
	if err := run(&out, file, dir); err != nil {
		t.Fatal(err)
	}
	lines := strings.Split(strings.TrimSpace(out.String()), "\n")
	got := map[string]string{}
	for _, line := range lines[2:] {
		fields := strings.Split(strings.Trim(line, "| "), " | ")
		if len(fields) != 1+len(columns()) {
			t.Errorf("%d columns in %s", len(fields), line)
		}
		got[fields[0]] = fields[2]
	}
	want := map[string]string{
		"nothing: nodes, ms":        "2000, 2.00",
		"the first idea (`useOne`)": "+30 %, +10 %",
		"the second (`useTwo`)":     "× 2.5, −10 %",
		"the third (`useThree`)":    "0, 0",
		"all of these":              "× 9.0, × 4.0",
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("second column (-want +got):\n%s\n%s", diff, out.String())
	}
}

func TestRunRefuses(t *testing.T) {
	for name, tt := range map[string]struct {
		won  int
		skip string
		want string
	}{
		"other deals won":  {won: 6, want: "6 deals of uniform won"},
		"a missing report": {won: 7, skip: "useTwo", want: "useTwo: nothing of uniform win"},
	} {
		t.Run(name, func(t *testing.T) {
			dir := t.TempDir()
			file := filepath.Join(dir, "techniques.go")
			if err := os.WriteFile(file, []byte(constants), 0o600); err != nil {
				t.Fatal(err)
			}
			for i, variant := range []string{"every", "useOne", "useTwo", "useThree", "none"} {
				won := 7
				if i == 1 {
					won = tt.won
				}
				if variant != tt.skip {
					report(t, dir, fmt.Sprintf("%s.1", variant), 1, 1, won)
				}
			}
			err := run(&strings.Builder{}, file, dir)
			if err == nil || !strings.Contains(err.Error(), tt.want) {
				t.Errorf("error = %v, want %q", err, tt.want)
			}
		})
	}
}

// Every constant of the search is true and has a comment that fits into a table.
func TestTechniques(t *testing.T) {
	const file = "../../../../engine/klaverjas/search/techniques.go"
	list, err := techniques(file)
	if err != nil {
		t.Fatal(err)
	}
	text, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	for _, technique := range list {
		if technique.about == "" || strings.ContainsAny(technique.about, "|\n") {
			t.Errorf("%s: comment %q", technique.name, technique.about)
		}
	}
	if on := strings.Count(string(text), "= true //"); on != len(list) || strings.Contains(string(text), "= false") {
		t.Errorf("%d constants are on, of %d", on, len(list))
	}
}
