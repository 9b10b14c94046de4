package testkit

import (
	"flag"
	"os"
	"path/filepath"
	"testing"

	"github.com/google/go-cmp/cmp"

	"roem/internal/pages"
)

var writePages = flag.Bool("write-pages", false, "write the generated parts of pages, which make pages does")

// Generated fails the test unless a file of the repository has a text in its block of a name (package pages), or, without a name, is the
// text. With -write-pages the text is written there.
func Generated(t *testing.T, path, name, text string) {
	t.Helper()
	root, err := Root()
	if err != nil {
		t.Fatal(err)
	}
	file := filepath.Join(root, path)
	have, err := os.ReadFile(file) //nolint:gosec // a file of this repository
	if err != nil {
		t.Fatal(err)
	}
	now := text
	if name != "" {
		if now, err = pages.Replace(string(have), name, text); err != nil {
			t.Fatalf("%s: %v", path, err)
		}
	}
	switch {
	case string(have) == now:
	case *writePages:
		if err := os.WriteFile(file, []byte(now), 0o644); err != nil { //nolint:gosec // a file of this repository
			t.Fatal(err)
		}
	default:
		t.Errorf("%s is not what its sources say; make pages writes it (-file +sources)\n%s", path, cmp.Diff(string(have), now))
	}
}
