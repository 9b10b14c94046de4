// Package testkit has what the tests of several packages share: how much they do, and where the module is.
//
// Only tests import it: it defines flags.
package testkit

import (
	"bytes"
	"errors"
	"flag"
	"os"
	"path/filepath"
	"testing"
	"time"
)

// Patience is how long a test waits for what must happen. It says nothing about speed: a busy machine may be slow.
const Patience = 3 * time.Minute

// The lengths of a test. A test that repeats something does it most often with -full, which the make targets of the proofs set, then with
// -long, which make test-long sets, then in make test, and least often with -short, which make race sets.
var (
	full = flag.Bool("full", false, "run all repetitions, which can take many minutes")
	long = flag.Bool("long", false, "run more repetitions than make test")
)

// Full reports whether tests run in their full length.
func Full() bool { return *full }

// Long reports whether tests run longer than in make test.
func Long() bool { return *long || *full }

// Times returns how often a test repeats something: the value for -short, for make test, for -long or for -full.
func Times[T any](short, usual, long, full T) T {
	switch {
	case Full():
		return full
	case Long():
		return long
	case testing.Short():
		return short
	}
	return usual
}

// NotRaced skips a test under the race detector, which costs ten times the time and memory: where one thing happens after the other, it
// finds nothing that it does not find in other tests.
func NotRaced(tb testing.TB, why string) {
	tb.Helper()
	if Race {
		tb.Skip("not under the race detector: " + why)
	}
}

// Root returns the folder of the module: the first with a go.mod, from the working directory up. A test runs in the folder of its package.
func Root() (string, error) {
	dir, err := os.Getwd()
	for ; err == nil; dir = filepath.Dir(dir) {
		module, err := os.ReadFile(filepath.Join(dir, "go.mod")) //nolint:gosec // a file of this repository
		if err == nil && bytes.HasPrefix(module, []byte("module roem\n")) {
			return dir, nil
		}
		if dir == filepath.Dir(dir) {
			return "", errors.New("no go.mod of roem above the working directory")
		}
	}
	return "", err
}
