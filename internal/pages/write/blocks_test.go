package main

import (
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"testing"

	"roem/internal/pages"
	"roem/internal/testkit"
)

// Every block of a page is what its source says.
func TestPages(t *testing.T) { testkit.Generated(t, blocks) }

// Every block of a page is in the list: without a source it would stay as it is.
func TestBlocksHaveSources(t *testing.T) {
	root := os.DirFS("../../..")
	check := func(path string, _ fs.DirEntry, err error) error {
		if err != nil || filepath.Ext(path) != ".md" {
			return err
		}
		text, err := fs.ReadFile(root, path)
		for _, name := range pages.Names(string(text)) {
			if !slices.ContainsFunc(blocks, func(b pages.Block) bool { return b.File == path && b.Name == name }) {
				t.Errorf("%s: nothing writes the block %s", path, name)
			}
		}
		return err
	}
	for _, top := range []string{"README.md", "docs"} {
		if err := fs.WalkDir(root, top, check); err != nil {
			t.Fatal(err)
		}
	}
}
