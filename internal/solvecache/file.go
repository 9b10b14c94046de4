package solvecache

import (
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"runtime/debug"
	"sync/atomic"
	"time"

	"go.etcd.io/bbolt"
	bbolterrors "go.etcd.io/bbolt/errors"
	"go.uber.org/zap"
)

// FileOptions sets a File up.
type FileOptions struct {
	// Dir is the folder, which is made if it is not there. It holds results-a.db and results-b.db, and what was damaged
	// beside them.
	Dir string
	// MaxBytes is about how much the files may take, at least MinFileBytes.
	MaxBytes int64
	// LockTimeout is how long to wait for another process that has the folder open; 0 for DefaultLockTimeout.
	LockTimeout time.Duration
	// Log takes what an operator should know: a damaged file, writes that fail. Nil for nowhere.
	Log *zap.Logger
}

// DefaultLockTimeout is how long NewFile waits for another process that has the folder open.
const DefaultLockTimeout = 3 * time.Second

// MinFileBytes is the least that FileOptions.MaxBytes may be.
const MinFileBytes = 4 << 20

const (
	// flushEvery is how long values gather before they are written. A process that is killed loses what was put within
	// that time, and what was being written.
	flushEvery = 50 * time.Millisecond
	// pendingBytes is how much may wait to be written; the disk is in trouble where it is more.
	pendingBytes = 8 << 20
	// growBytes is how much a file grows at a time.
	growBytes = 1 << 20
)

// ErrInUse is the error of NewFile when another process has the folder open.
var ErrInUse = errors.New("in use by another process")

// File is the layer on the disk of this machine, which outlives the process, however that ends.
//
// It has two files. The newer one takes what is put; when it has half of the room, the older one is deleted and made
// anew as the newer. What is still asked for moves from the older to the newer, so that what goes is what nobody has
// asked for in a while.
type File struct {
	options FileOptions
	log     *zap.Logger
	paths   [2]string
	files   atomic.Pointer[[2]*generation] // the newer and the older, nil where there is none; changed by the writer alone
	number  uint64                         // of the newest there has been; of the writer alone
	behind  *behind
	counters
}

// generation is one of the two files.
type generation struct {
	path    string
	number  uint64 // the newer file has the larger
	db      *bbolt.DB
	damaged atomic.Bool
}

// The contents of a file: a bucket of the framed values by key, and one that says what the file is.
var (
	valuesBucket = []byte("values")
	metaBucket   = []byte("meta")
	numberKey    = []byte("generation") // 8 bytes, big-endian
)

// NewFile opens the folder. A file in it that cannot be read is moved aside, and a new one made. The error is ErrInUse
// where another process has it open, or else about the folder: it cannot be made or written.
func NewFile(o FileOptions) (*File, error) {
	if o.MaxBytes < MinFileBytes {
		return nil, fmt.Errorf("a cache on disk needs room: %d bytes, at least %d", o.MaxBytes, MinFileBytes)
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
	f.behind = newBehind(f.Name(), flushEvery, pendingBytes, &f.counters, f.log, f.write)
	return f, nil
}

// open opens a file. One that is damaged is moved aside and made anew.
func (f *File) open(path string) (*generation, error) {
	g, err := openGeneration(path, f.options.LockTimeout)
	var (
		access *fs.PathError
		system *os.SyscallError
	)
	switch {
	case err == nil:
		return g, nil
	case errors.Is(err, bbolterrors.ErrTimeout):
		return nil, fmt.Errorf("%s is %w", path, ErrInUse)
	case errors.As(err, &access), errors.As(err, &system):
		return nil, err
	}
	if err := f.moveAside(path, err); err != nil {
		return nil, err
	}
	return openGeneration(path, f.options.LockTimeout)
}

func (f *File) moveAside(path string, why error) error {
	aside := path + ".damaged"
	f.log.Warn("a damaged file of the cache is moved aside, and a new one made",
		zap.String("file", path), zap.String("moved_to", aside), zap.Error(why))
	return os.Rename(path, aside)
}

// openGeneration opens or makes a file. What is wrong with its contents is an error; only reading all of it would find
// everything, so that reads and writes are prepared for more.
func openGeneration(path string, timeout time.Duration) (*generation, error) {
	g := &generation{path: path}
	err := guard(func() (err error) {
		g.db, err = bbolt.Open(path, 0o600, &bbolt.Options{Timeout: timeout, FreelistType: bbolt.FreelistMapType, NoStatistics: true})
		if err != nil {
			return err
		}
		g.db.AllocSize = growBytes
		return g.db.Update(func(tx *bbolt.Tx) error {
			info, err := os.Stat(path)
			if err != nil {
				return err
			}
			if info.Size() < tx.Size() {
				return fmt.Errorf("it was cut: %d bytes of %d", info.Size(), tx.Size())
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
		})
	})
	if err != nil {
		if g.db != nil {
			g.abandon()
		}
		return nil, fmt.Errorf("opening %s: %w", path, err)
	}
	return g, nil
}

// abandon closes a file that is damaged. bbolt may wait for ever for locks that it left locked when it panicked, and
// nobody waits for it.
func (g *generation) abandon() {
	go func() { _ = guard(g.db.Close) }()
}

func (g *generation) renumber(n uint64) error {
	g.number = n
	return g.db.Update(func(tx *bbolt.Tx) error {
		return tx.Bucket(metaBucket).Put(numberKey, binary.BigEndian.AppendUint64(nil, n))
	})
}

// guard turns a panic into an error, and the fault of reading a part of a mapped file that is not there as well: bbolt
// believes what is in its files.
func guard(do func() error) (err error) {
	defer debug.SetPanicOnFault(debug.SetPanicOnFault(true))
	defer func() {
		if p := recover(); p != nil {
			err = fmt.Errorf("%w: %v", errDamaged, p)
		}
	}()
	return do()
}

var errDamaged = errors.New("damaged")

// Name returns "file".
func (f *File) Name() string { return "file" }

// Local returns true: the process itself reads the files.
func (f *File) Local() bool { return true }

// Get reads the disk only for what is not in the memory of the operating system anyway. Values are copies.
func (f *File) Get(ctx context.Context, keys []Key) ([][]byte, error) {
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	values, hits := make([][]byte, len(keys)), 0
	for i, key := range keys {
		if value, ok := f.behind.get(key); ok {
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

// read looks for the values that are still nil and returns how many it has found. What is in the older file is put into
// the newer one.
func (f *File) read(g *generation, keys []Key, values [][]byte, older bool) (hits int) {
	err := guard(func() error {
		return g.db.View(func(tx *bbolt.Tx) error {
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
				values[i] = append(make([]byte, 0, len(value)), value...) // what lies in the file is gone after this
				hits++
				if older {
					_ = f.behind.put(key, values[i])
				}
			}
			return nil
		})
	})
	switch {
	case errors.Is(err, errDamaged):
		f.errors.Add(1)
		g.damaged.Store(true) // the writer sees to it
	case errors.Is(err, bbolterrors.ErrDatabaseNotOpen): // its time was over since
	case err != nil:
		f.errors.Add(1)
	}
	return hits
}

// Put keeps the value. It is on the disk some 50 ms later; Get has it from now on.
func (f *File) Put(_ context.Context, key Key, value []byte) error {
	return f.behind.put(key, value)
}

// write is called by the one goroutine that writes.
func (f *File) write(batch map[Key][]byte) (kept int, err error) {
	if err := f.prepare(); err != nil {
		f.errors.Add(1)
		return 0, err
	}
	g := f.files.Load()[0]
	err = guard(func() error {
		return g.db.Update(func(tx *bbolt.Tx) error {
			bucket := tx.Bucket(valuesBucket)
			for key, value := range batch {
				if err := bucket.Put([]byte(key), frame(key, value)); err != nil {
					return err
				}
			}
			return nil
		})
	})
	if err != nil {
		f.errors.Add(1)
		g.damaged.CompareAndSwap(false, errors.Is(err, errDamaged))
		return 0, err
	}
	return len(batch), nil
}

// prepare makes sure that there is a newer file, whole and with room: where there is not, it makes one, in place of the
// older file or of what was damaged.
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
		if err := errors.Join(guard(old.db.Close), os.Remove(old.path)); err != nil {
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
		return errors.Join(err, guard(fresh.db.Close))
	}
	f.number++
	f.files.Store(&[2]*generation{fresh, stays})
	return nil
}

// size returns how much of the file is in use, in bytes.
func (g *generation) size() (bytes int64) {
	if g == nil || g.damaged.Load() || guard(func() error {
		return g.db.View(func(tx *bbolt.Tx) error {
			bytes = tx.Size()
			return nil
		})
	}) != nil {
		return 0
	}
	return bytes
}

// Stats counts what the layer has done.
func (f *File) Stats() Stats {
	s := f.stats(f.Name())
	s.Pending = f.behind.waiting()
	for _, g := range f.files.Load() {
		s.Bytes += g.size()
	}
	return s
}

// Close writes what is pending and closes the files.
func (f *File) Close() error {
	f.behind.close()
	var errs []error
	for _, g := range f.files.Load() {
		if g != nil {
			errs = append(errs, guard(g.db.Close))
		}
	}
	return errors.Join(errs...)
}
