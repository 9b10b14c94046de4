package boltfile

import (
	"encoding/binary"
	"errors"
	"fmt"
	"path/filepath"
	"testing"

	bolt "go.etcd.io/bbolt"
)

// bbolt has the fields that are used here, and a commit does not read the header of the list of free pages again, nor of the pages that it
// replaces: a wrong number of further pages is damage, and fills no memory.
func TestInside(t *testing.T) {
	const many = 1 << 20 // numbers of 8 bytes, if it is believed
	for _, at := range []struct {
		name string
		page func(tree tree) uint64
		late bool // after the check
		want bool // damage is found
	}{
		{"list", func(t tree) uint64 { return t.list }, false, true},
		{"list, after the check", func(t tree) uint64 { return t.list }, true, false},
		{"root", func(t tree) uint64 { return t.root }, false, true},
	} {
		t.Run(at.name, func(t *testing.T) {
			f, err := Open(filepath.Join(t.TempDir(), "f.db"), Options{})
			if err != nil {
				t.Fatal(err)
			}
			defer func() { _ = f.Close() }()
			put := func(tx *bolt.Tx) error {
				b, err := tx.CreateBucketIfNotExists([]byte("b"))
				for i := range 200 {
					err = errors.Join(err, b.Put(fmt.Append(nil, i), make([]byte, 200)))
				}
				return err
			}
			if err := errors.Join(f.Update(put), f.Update(put)); err != nil {
				t.Fatal(err)
			}
			h := f.now
			tx, err := f.start(h, true)
			if err != nil {
				t.Fatal(err)
			}
			damage := func() error {
				further := binary.NativeEndian.AppendUint32(nil, many)
				_, err := h.file.WriteAt(further, int64(at.page(f.treeOf(h))*h.tree.size+12))
				return err
			}
			err = put(tx)
			if !at.late {
				err = errors.Join(err, damage())
			}
			if err != nil {
				t.Fatal(err)
			}
			err = f.prepare(h, tx)
			if _, found := errors.AsType[*DamageError](err); found != at.want {
				t.Errorf("the damage of %s: %v", at.name, err)
			}
			if err != nil || at.want {
				_ = tx.Rollback()
				return
			}
			if err := errors.Join(damage(), tx.Commit(), f.look(h), f.Update(put), f.Verify()); err != nil {
				t.Error(err)
			}
			if free, err := (&walker{tree: f.treeOf(h), file: h.file}).readFree(); err != nil || len(free) >= many {
				t.Errorf("a list of free pages of %d bytes, %v", len(free), err)
			}
		})
	}
}
