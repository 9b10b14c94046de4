package puzzles_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"roem/internal/engine/klaverjas/puzzles"
	"roem/internal/engine/klaverjas/search"
	"roem/internal/service/klaverjas"
	lab "roem/lab/klaverjas/puzzles"
)

// made returns some puzzles as lines of a file.
func made(t *testing.T, workers int, work string) string {
	t.Helper()
	made, err := lab.Make(t.Context(), lab.Settings{
		Open: 3, Hidden: 1, Rare: 32, Seed: 7, Workers: workers, Tools: klaverjas.NewTools, Work: work,
	})
	if err != nil {
		t.Fatal(err)
	}
	var lines strings.Builder
	for _, p := range made.Puzzles {
		lines.WriteString(p.Line() + "\n")
	}
	return lines.String()
}

// A seed gives the same puzzles, whatever the number of workers, and also when the work was stopped in the middle of a line.
func TestMake(t *testing.T) {
	work := filepath.Join(t.TempDir(), "work.txt")
	want := made(t, 2, work)
	kept, err := os.ReadFile(work)
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(work, kept[:len(kept)/2], 0o600); err != nil {
		t.Fatal(err)
	}
	for range 2 { // the second time all is in the file
		if got := made(t, 1, work); got != want {
			t.Errorf("the puzzles are\n%s, and after a stop\n%s", want, got)
		}
	}
	set, err := puzzles.Read(want)
	if err != nil {
		t.Fatal(err)
	}
	solver := search.New(search.Options{TableBytes: 16 << 20})
	for _, p := range set.Puzzles {
		if err := p.Again(t.Context(), solver); err != nil {
			t.Errorf("%s: %v", p.ID, err)
		}
	}
	if len(set.Puzzles) != 4 {
		t.Errorf("%d puzzles", len(set.Puzzles))
	}
}

// A file of something else is refused, and stays as it is.
func TestMakeRefuses(t *testing.T) {
	work := filepath.Join(t.TempDir(), "work.txt")
	const text = "something else\n"
	if err := os.WriteFile(work, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	if _, err := lab.Make(t.Context(), lab.Settings{Open: 1, Seed: 7, Tools: klaverjas.NewTools, Work: work}); err == nil {
		t.Error("a file of something else is taken")
	}
	if kept, err := os.ReadFile(work); err != nil || string(kept) != text {
		t.Errorf("the file is now %q, %v", kept, err)
	}
}
