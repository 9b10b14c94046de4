// Package boltfiletest damages files of bbolt while a process has them open.
package boltfiletest

import (
	"encoding/binary"
	"errors"
	"math/rand/v2"
	"os"
	"testing"
)

// Damage is a kind of damage.
type Damage struct {
	Name string
	// Lasting says that the contents are damaged. Without it the file is only not in its place any more, and nothing is lost.
	Lasting bool
	do      func(path string, rng *rand.Rand) error
}

// The flags in the headers of pages.
const (
	branch = 0x01
	leaf   = 0x02
	list   = 0x10
)

// Do damages a file.
func (d Damage) Do(tb testing.TB, path string, seed uint64) {
	tb.Helper()
	if err := d.do(path, rand.New(rand.NewPCG(seed, 1))); err != nil {
		tb.Fatalf("%s: %v", d.Name, err)
	}
}

// All returns all kinds of damage.
func All() []Damage {
	size := int64(os.Getpagesize())
	all := []Damage{
		{"cut to nothing", true, func(path string, _ *rand.Rand) error { return os.Truncate(path, 0) }},
		{"cut to a page", true, func(path string, _ *rand.Rand) error { return os.Truncate(path, size) }},
		{"cut to half", true, func(path string, _ *rand.Rand) error {
			info, err := os.Stat(path)
			return errors.Join(err, os.Truncate(path, info.Size()/2))
		}},
		{"removed", false, func(path string, _ *rand.Rand) error { return os.Remove(path) }},
		{"replaced by nothing", false, func(path string, _ *rand.Rand) error { return replace(path, nil) }},
		{"replaced by text", false, func(path string, _ *rand.Rand) error { return replace(path, []byte("no file of bbolt\n")) }},
		{"replaced by a copy", false, func(path string, _ *rand.Rand) error {
			raw, err := os.ReadFile(path) //nolint:gosec // of a test
			return errors.Join(err, replace(path, raw))
		}},
	}
	for how, fill := range map[string]func(page []byte, rng *rand.Rand){
		"zeros": func(page []byte, _ *rand.Rand) { clear(page) },
		"noise": func(page []byte, rng *rand.Rand) {
			for i := range page {
				page[i] = byte(rng.Uint32())
			}
		},
	} {
		for what, which := range map[string]func(pages [][]byte, rng *rand.Rand) []int{
			"both meta pages":  func([][]byte, *rand.Rand) []int { return []int{0, 1} },
			"a meta page":      func(_ [][]byte, rng *rand.Rand) []int { return []int{rng.IntN(2)} },
			"a branch":         some(branch, 1),
			"a leaf":           some(leaf, 1),
			"the list of free": some(list, 9),
			"five pages": func(pages [][]byte, rng *rand.Rand) (out []int) {
				for range 5 {
					out = append(out, rng.IntN(len(pages)))
				}
				return out
			},
			"all pages": func(pages [][]byte, _ *rand.Rand) (out []int) {
				for i := range pages {
					out = append(out, i)
				}
				return out
			},
		} {
			all = append(all, Damage{how + " in " + what, true, func(path string, rng *rand.Rand) error {
				return overwrite(path, rng, which, fill)
			}})
		}
	}
	return all
}

// replace puts another file in the place of a file.
func replace(path string, raw []byte) error {
	return errors.Join(os.WriteFile(path+".other", raw, 0o600), os.Rename(path+".other", path)) //nolint:gosec // of a test
}

// some chooses pages with a flag, of which there may be earlier versions.
func some(flag uint16, n int) func(pages [][]byte, rng *rand.Rand) []int {
	return func(pages [][]byte, rng *rand.Rand) (out []int) {
		for _, i := range rng.Perm(len(pages)) {
			if i > 1 && binary.NativeEndian.Uint16(pages[i][8:]) == flag && len(out) < n {
				out = append(out, i)
			}
		}
		return out
	}
}

// overwrite changes pages in place.
func overwrite(path string, rng *rand.Rand, which func([][]byte, *rand.Rand) []int, fill func([]byte, *rand.Rand)) error {
	file, err := os.OpenFile(path, os.O_RDWR, 0) //nolint:gosec // of a test
	if err != nil {
		return err
	}
	defer func() { _ = file.Close() }()
	size := os.Getpagesize()
	info, err := file.Stat()
	if err != nil {
		return err
	}
	raw := make([]byte, info.Size())
	if _, err := file.ReadAt(raw, 0); err != nil {
		return err
	}
	var pages [][]byte
	for at := 0; at+size <= len(raw); at += size {
		pages = append(pages, raw[at:at+size])
	}
	for _, i := range which(pages, rng) {
		fill(pages[i], rng)
		if _, err := file.WriteAt(pages[i], int64(i*size)); err != nil {
			return err
		}
	}
	return nil
}
