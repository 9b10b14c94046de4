package boltfile

import (
	"errors"
	"os"
	"path/filepath"
	"sync"
	"testing"

	bolt "go.etcd.io/bbolt"

	"roem/internal/testkit"
)

// A transaction that meets damage when it begins keeps nobody waiting: what runs ends, and the file is replaced.
func TestBeginOnDamage(t *testing.T) {
	path := filepath.Join(t.TempDir(), "f.db")
	for _, writable := range []bool{false, true} {
		f, err := Open(path, Options{})
		if err != nil {
			t.Fatal(err)
		}
		h := f.now
		err = f.View(func(*bolt.Tx) error {
			whole, err := os.OpenFile(path, os.O_WRONLY, 0)
			if err != nil {
				return err
			}
			_, err = whole.WriteAt(make([]byte, 2*f.treeOf(h).size), 0) // both meta pages
			if err := errors.Join(err, whole.Close()); err != nil {
				return err
			}
			for range 2 {
				if _, err = f.start(h, writable); err == nil {
					t.Error("a transaction begins without a meta page")
				}
			}
			return err
		})
		if _, damaged := errors.AsType[*DamageError](err); !damaged {
			t.Errorf("a transaction that meets the damage: %v", err)
		}
		write := func(tx *bolt.Tx) error { _, err := tx.CreateBucketIfNotExists([]byte("b")); return err }
		if err := errors.Join(f.Reopen(), f.Update(write), f.Close()); err != nil {
			t.Error(err)
		}
	}
}

// Transactions that read while others are written find no damage, however the two meet.
func TestReadsBesideWrites(t *testing.T) {
	f, err := Open(filepath.Join(t.TempDir(), "f.db"), Options{})
	if err != nil {
		t.Fatal(err)
	}
	var readers sync.WaitGroup
	done := make(chan struct{})
	for range 8 {
		readers.Go(func() {
			for {
				select {
				case <-done:
					return
				default:
				}
				if err := f.View(func(*bolt.Tx) error { return nil }); err != nil {
					t.Error(err)
					return
				}
			}
		})
	}
	for range testkit.Times(200, 500, 5000, 5000) {
		if err := f.Update(func(tx *bolt.Tx) error { _, err := tx.CreateBucketIfNotExists([]byte("b")); return err }); err != nil {
			t.Error(err)
			break
		}
	}
	close(done)
	readers.Wait()
	if err := f.Close(); err != nil {
		t.Error(err)
	}
}
