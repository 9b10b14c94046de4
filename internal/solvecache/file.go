//go:build !js

package solvecache

import (
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"sync/atomic"
	"time"

	"go.etcd.io/bbolt"
	bbolterrors "go.etcd.io/bbolt/errors"
	"go.uber.org/zap"

	"roem/internal/boltfile"
)

// FileOptions are the options of a File.
type FileOptions struct {
	// Dir is the folder. It is created if it does not exist. It contains results-a.db, results-b.db and damaged files that were
	// moved aside.
	Dir string
	// MaxBytes is the approximate largest size of the files, at least MinFileBytes.
	MaxBytes int64
	// LockTimeout is how long to wait for another process that has the folder open; 0 for DefaultLockTimeout.
	LockTimeout time.Duration
	// Log gets messages about damaged files and writes that fail. Nil for no log.
	Log *zap.Logger
}

// DefaultLockTimeout is how long NewFile waits for another process that has the folder open.
const DefaultLockTimeout = 3 * time.Second

// MinFileBytes is the smallest valid FileOptions.MaxBytes.
const MinFileBytes = 4 << 20

const (
	// flushEvery is how long values are collected before they are written. A process that is killed loses the values of that
	// time and those that were being written.
	flushEvery = 50 * time.Millisecond
	// pendingBytes is how many bytes may wait to be written. Only a disk that is very slow or fails reaches it.
	pendingBytes = 8 << 20
	// growBytes is how much a file grows at a time.
	growBytes = 1 << 20
)

// ErrInUse is the error of NewFile when another process has the folder open.
var ErrInUse = errors.New("in use by another process")

// File is the layer on the disk of this machine. It keeps its values when the process ends or is killed.
//
// It has two files. Values are written to the newer one. When that has half of the room, the older one is deleted and created
// again as the newer. A value that is read from the older file is written to the newer one again, so that only values that have
// not been read for a while are deleted.
type File struct {
	options FileOptions
	log     *zap.Logger
	paths   [2]string
	files   atomic.Pointer[[2]*generation] // the newer and the older, nil where there is none; only the writer changes it
	number  uint64                         // of the newest file so far; only the writer uses it
	writes  *writeBehind
	counters
}

// generation is one of the two files.
type generation struct {
	path    string
	number  uint64 // the newer file has the larger
	db      *boltfile.File
	damaged atomic.Bool
}

// The contents of a file: a bucket with the framed values by key, and a bucket with the number of the file.
var (
	valuesBucket = []byte("values")
	metaBucket   = []byte("meta")
	numberKey    = []byte("generation") // 8 bytes, big-endian
)

// NewFile opens the folder. A file in it that cannot be read is moved aside and replaced by a new one. The error is ErrInUse if
// another process has the folder open. Any other error is the reason why the folder cannot be created or written.
func NewFile(o FileOptions) (*File, error) {
	if o.MaxBytes < MinFileBytes {
		return nil, fmt.Errorf("the size of a cache on disk is %d bytes, must be at least %d", o.MaxBytes, MinFileBytes)
	}
	if o.LockTimeout == 0 {
		o.LockTimeout = DefaultLockTimeout
	}
	f := &File{options: o, log: o.Log}
	if f.log == nil {
		f.log = zap.NewNop()
	}
	if err := os.MkdirAll(o.Dir, 0o750); err != nil {
		return nil, err
	}
	var files [2]*generation
	for i, name := range []string{"results-a.db", "results-b.db"} {
		f.paths[i] = filepath.Join(o.Dir, name)
		g, err := f.open(f.paths[i])
		if err != nil {
			if i > 0 {
				_ = files[0].db.Close()
			}
			return nil, err
		}
		files[i] = g
	}
	if files[0].number < files[1].number {
		files[0], files[1] = files[1], files[0]
	}
	f.number = files[0].number
	f.files.Store(&files)
	f.writes = newWriteBehind(f.Name(), flushEvery, pendingBytes, &f.counters, f.log, f.write)
	return f, nil
}

// open opens a file. A damaged file is moved aside and replaced by a new one.
func (f *File) open(path string) (*generation, error) {
	g, err := openGeneration(path, f.options.LockTimeout, f.log)
	switch {
	case errors.Is(err, boltfile.ErrInUse):
		return nil, fmt.Errorf("%s is %w", path, ErrInUse)
	case err == nil || !isDamage(err):
		return g, err
	}
	if err := f.moveAside(path, err); err != nil {
		return nil, err
	}
	return openGeneration(path, f.options.LockTimeout, f.log)
}

func isDamage(err error) bool {
	_, is := errors.AsType[*boltfile.DamageError](err)
	return is
}

func (f *File) moveAside(path string, why error) error {
	aside := path + ".damaged"
	f.log.Warn("a damaged file of the cache is moved aside and replaced by a new one",
		zap.String("file", path), zap.String("moved_to", aside), zap.Error(why))
	return os.Rename(path, aside)
}

// openGeneration opens or creates a file. It returns an error for a file whose damage it detects. It does not read the whole file,
// so reads and writes also check for damage.
func openGeneration(path string, timeout time.Duration, log *zap.Logger) (*generation, error) {
	g := &generation{path: path}
	o := boltfile.Options{Wait: timeout, Grow: growBytes, Log: log, Prepare: func(tx *bbolt.Tx, _ bool) error {
		info, err := os.Stat(path)
		if err != nil {
			return err
		}
		if info.Size() < tx.Size() {
			return &boltfile.DamageError{Path: path, Cause: fmt.Errorf("it was cut: %d bytes of %d", info.Size(), tx.Size())}
		}
		if _, err := tx.CreateBucketIfNotExists(valuesBucket); err != nil {
			return err
		}
		meta, err := tx.CreateBucketIfNotExists(metaBucket)
		if err != nil {
			return err
		}
		if number := meta.Get(numberKey); len(number) == 8 {
			g.number = binary.BigEndian.Uint64(number)
		}
		return nil
	}}
	var err error
	if g.db, err = boltfile.OpenUnchecked(path, o); err != nil {
		return nil, fmt.Errorf("opening %s: %w", path, err)
	}
	return g, nil
}

// abandon closes a damaged file when its last reader is done.
func (g *generation) abandon() {
	go func() { _ = g.db.Close() }()
}

func (g *generation) renumber(n uint64) error {
	g.number = n
	return g.db.Update(func(tx *bbolt.Tx) error {
		return tx.Bucket(metaBucket).Put(numberKey, binary.BigEndian.AppendUint64(nil, n))
	})
}

var errDamaged = errors.New("damaged")

// Name returns "file".
func (f *File) Name() string { return "file" }

// Local returns true: the process itself reads the files.
func (f *File) Local() bool { return true }

// Get returns copies of the values. The operating system caches the files.
func (f *File) Get(ctx context.Context, keys []Key) ([][]byte, error) {
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	if f.writes.isClosed() {
		return nil, ErrClosed
	}
	values, hits := make([][]byte, len(keys)), 0
	for i, key := range keys {
		if value, ok := f.writes.get(key); ok {
			values[i] = value
			hits++
		}
	}
	for older, g := range f.files.Load() {
		if hits == len(keys) || g == nil || g.damaged.Load() {
			continue
		}
		hits += f.read(g, keys, values, older == 1)
	}
	f.asked(len(keys), hits)
	return values, nil
}

// read looks up the values that are still nil and returns how many it has found. Values from the older file are put into the
// newer one.
func (f *File) read(g *generation, keys []Key, values [][]byte, older bool) (hits int) {
	err := g.db.View(func(tx *bbolt.Tx) error {
		bucket := tx.Bucket(valuesBucket)
		for i, key := range keys {
			if values[i] != nil {
				continue
			}
			framed := bucket.Get([]byte(key))
			if framed == nil {
				continue
			}
			value, ok := unframe(key, framed)
			if !ok {
				f.corrupt.Add(1)
				continue
			}
			values[i] = append(make([]byte, 0, len(value)), value...) // value is valid only in this transaction
			hits++
			if older {
				_ = f.writes.put(key, values[i])
			}
		}
		return nil
	})
	switch {
	case isDamage(err):
		f.errors.Add(1)
		g.damaged.Store(true) // the writer replaces the file
	case errors.Is(err, bbolterrors.ErrDatabaseNotOpen): // the file has been deleted
	case err != nil:
		f.errors.Add(1)
	}
	return hits
}

// Put keeps the value. It is written to the disk about 50 ms later; Get returns it from now on.
func (f *File) Put(_ context.Context, key Key, value []byte) error {
	return f.writes.put(key, value)
}

// write writes a batch. Only the goroutine of writes calls it.
func (f *File) write(batch map[Key][]byte) (kept int, err error) {
	if err := f.prepare(); err != nil {
		f.errors.Add(1)
		return 0, err
	}
	g := f.files.Load()[0]
	err = g.db.Update(func(tx *bbolt.Tx) error {
		bucket := tx.Bucket(valuesBucket)
		for key, value := range batch {
			if err := bucket.Put([]byte(key), frame(key, value)); err != nil {
				return err
			}
		}
		return nil
	})
	if err != nil {
		f.errors.Add(1)
		g.damaged.CompareAndSwap(false, isDamage(err))
		return 0, err
	}
	return len(batch), nil
}

// Check writes to the newer file.
func (f *File) Check(context.Context) error {
	if f.writes.isClosed() {
		return ErrClosed
	}
	g := f.files.Load()[0]
	if g == nil || g.damaged.Load() {
		return errDamaged // until the next write, which begins another file
	}
	err := g.db.Update(func(tx *bbolt.Tx) error {
		return tx.Bucket(metaBucket).Put(checkedKey, binary.BigEndian.AppendUint64(nil, uint64(time.Now().UnixNano())))
	})
	g.damaged.CompareAndSwap(false, isDamage(err))
	return err
}

// checkedKey is the key in metaBucket of the time of the last Check.
var checkedKey = []byte("checked")

// prepare ensures that there is a newer file that is not damaged and has room. Otherwise it creates one, in place of the older file
// or of a damaged one.
func (f *File) prepare() error {
	files := *f.files.Load()
	for i, g := range files {
		if g == nil || !g.damaged.Load() {
			continue
		}
		files[i] = nil
		f.files.Store(&[2]*generation{files[0], files[1]})
		g.abandon()
		if err := f.moveAside(g.path, errDamaged); err != nil && !errors.Is(err, fs.ErrNotExist) {
			return err
		}
	}
	if files[0] != nil && files[0].size() < f.options.MaxBytes/2 {
		return nil
	}
	stays := files[0]
	if stays == nil {
		stays = files[1]
	} else if old := files[1]; old != nil {
		f.files.Store(&[2]*generation{stays, nil})
		if err := errors.Join(old.db.Close(), os.Remove(old.path)); err != nil {
			return err
		}
	}
	path := f.paths[0]
	if stays != nil && stays.path == path {
		path = f.paths[1]
	}
	fresh, err := f.open(path)
	if err != nil {
		return err
	}
	if err := fresh.renumber(f.number + 1); err != nil {
		return errors.Join(err, fresh.db.Close())
	}
	f.number++
	f.files.Store(&[2]*generation{fresh, stays})
	return nil
}

// size returns how much of the file is in use, in bytes.
func (g *generation) size() (bytes int64) {
	if g == nil || g.damaged.Load() || g.db.View(func(tx *bbolt.Tx) error {
		bytes = tx.Size()
		return nil
	}) != nil {
		return 0
	}
	return bytes
}

// Stats returns the counters of the layer.
func (f *File) Stats() Stats {
	s := f.stats(f.Name())
	s.Pending = f.writes.waiting()
	for _, g := range f.files.Load() {
		s.Bytes += g.size()
	}
	return s
}

// Close writes the pending values and closes the files.
func (f *File) Close() error {
	if !f.writes.close() {
		return nil
	}
	var errs []error
	for _, g := range f.files.Load() {
		if g != nil {
			errs = append(errs, g.db.Close())
		}
	}
	return errors.Join(errs...)
}
