package boltfile

import (
	"errors"
	"os"
	"time"

	bolt "go.etcd.io/bbolt"
	bolterrors "go.etcd.io/bbolt/errors"
)

// together is how many values rescue writes in one transaction.
const together = 1000

// rescueClosed is rescue for a file that is not open. A file in which bbolt finds no beginning has nothing that can be read.
func rescueClosed(path, to string, wait time.Duration) (kept, lost int, err error) {
	opened := readOnly(path, wait, func(db *bolt.DB, file *os.File) error {
		var t tree
		if err := db.View(func(tx *bolt.Tx) error {
			t = treeOf(tx, db.Info().PageSize)
			return nil
		}); err != nil {
			return err
		}
		kept, lost, err = rescue(file, t, to)
		return nil
	})
	if _, damaged := errors.AsType[*DamageError](opened); opened != nil && !damaged {
		return 0, 0, opened
	}
	return kept, lost, err
}

// rescue writes what can be read of a damaged file to a new file. It returns how many values it has written, and how many pages, buckets
// and values could not be read.
func rescue(file *os.File, t tree, to string) (kept, lost int, err error) {
	if err := removeIfThere(to); err != nil {
		return 0, 0, err
	}
	db, err := bolt.Open(to, 0o600, &bolt.Options{NoSync: true, FreelistType: bolt.FreelistMapType})
	if err != nil {
		return 0, 0, err
	}
	var tx *bolt.Tx
	write := func(f func() error) (err error) {
		if tx == nil {
			if tx, err = db.Begin(true); err != nil {
				return err
			}
		}
		if err := f(); err != nil {
			return err
		}
		if kept%together == 0 {
			done := tx
			tx = nil
			return done.Commit()
		}
		return nil
	}
	w := &walker{tree: t, file: file, seen: make(map[uint64]bool), take: &taker{
		bucket: func(path [][]byte, sequence uint64) error {
			return write(func() error {
				b, err := bucketAt(tx, path)
				if err != nil {
					return err
				}
				return b.SetSequence(sequence)
			})
		},
		value: func(path [][]byte, key, value []byte) error {
			return write(func() error {
				b, err := bucketAt(tx, path)
				if err != nil {
					return err
				}
				kept++
				return b.Put(key, value)
			})
		},
	}}
	if err = w.page(t.root, nil, nil, nil); err == nil {
		err = w.orphans()
	}
	if tx != nil {
		if err == nil {
			err = tx.Commit()
		} else {
			_ = tx.Rollback()
		}
	}
	if err == nil {
		err = db.Sync()
	}
	return kept, w.lost, errors.Join(err, db.Close())
}

// bucketAt returns a bucket within others, which are created.
func bucketAt(tx *bolt.Tx, path [][]byte) (*bolt.Bucket, error) {
	if len(path) == 0 {
		return nil, bolterrors.ErrIncompatibleValue // bbolt has no values outside a bucket
	}
	b, err := tx.CreateBucketIfNotExists(path[0])
	for _, name := range path[1:] {
		if err != nil {
			return nil, err
		}
		b, err = b.CreateBucketIfNotExists(name)
	}
	return b, err
}
