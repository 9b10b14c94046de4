package testkit

import (
	"cmp"
	"path/filepath"
	"testing"

	gocmp "github.com/google/go-cmp/cmp"

	"roem/internal/pages"
)

// Generated fails the test unless the files of the blocks are what their sources say.
func Generated(t *testing.T, blocks []pages.Block) {
	t.Helper()
	root, err := Root()
	if err != nil {
		t.Fatal(err)
	}
	for _, b := range blocks {
		t.Run(cmp.Or(b.Name, filepath.Base(b.File)), func(t *testing.T) {
			have, want, err := b.Compare(root)
			if err != nil {
				t.Fatal(err)
			}
			if have != want {
				t.Errorf("%s is not what its sources say; make pages writes it (-file +sources)\n%s", b.File, gocmp.Diff(have, want))
			}
		})
	}
}
