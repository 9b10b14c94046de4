// Package datasettest makes small data sets for the tests of what learns from them.
package datasettest

import (
	"testing"

	"roem/lab/klaverjas/dataset"
)

// Make makes a data set in a temporary directory, without the given number of its last shards, and opens it.
func Make(tb testing.TB, s dataset.Settings, missing int) *dataset.Set {
	tb.Helper()
	dir := tb.TempDir()
	b, err := dataset.NewBuilder(dir, s)
	if err != nil {
		tb.Fatal(err)
	}
	shards, err := b.Missing(0, s.Shards()-missing, nil)
	if err != nil {
		tb.Fatal(err)
	}
	if err := b.Make(tb.Context(), shards, 2, func() {}); err != nil {
		tb.Fatal(err)
	}
	set, err := dataset.Open(dir)
	if err != nil {
		tb.Fatal(err)
	}
	return set
}
