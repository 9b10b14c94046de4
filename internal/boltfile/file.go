package boltfile

import (
	"errors"
	"fmt"
	"os"
	"reflect"
	"sync"
	"sync/atomic"
	"time"

	bolt "go.etcd.io/bbolt"
	bolterrors "go.etcd.io/bbolt/errors"
	"go.uber.org/zap"
)

// File is an open file. It is safe for concurrent use. Once damage has been found, every call returns it as a *DamageError, until Reopen
// has replaced the file.
type File struct {
	path string
	o    Options

	writes sync.Mutex // held while something is written or replaced
	mu     sync.Mutex // of what follows
	now    *handle    // nil after Close
	damage *DamageError
	failed error         // of the last write, or the last damage, for the next Verify
	last   time.Time     // when Verify last read all pages
	took   time.Duration // what that took

	releasing sync.WaitGroup // handles that were replaced
}

// handle is a file of bbolt.
type handle struct {
	db   *bolt.DB
	file *os.File
	tree tree // at the last transaction; guarded by mu of the File
	// stuck: a panic has left bbolt's lock of the writer, which no call may wait for.
	stuck atomic.Bool
}

// open opens the file that is there.
func (f *File) open(mended bool) (*handle, error) {
	if err := Check(f.path, f.o.Wait); err != nil {
		return nil, err
	}
	return f.openUnchecked(mended)
}

func (f *File) openUnchecked(mended bool) (*handle, error) {
	h := &handle{}
	err := Guard(f.path, func() (err error) {
		// The free list is kept in the file: without it bbolt reads all pages after a failed write, in a goroutine of its own.
		h.db, err = bolt.Open(f.path, 0o600, &bolt.Options{
			Timeout: f.o.Wait, FreelistType: bolt.FreelistMapType, OpenFile: keepFile(&h.file), NoStatistics: true,
		})
		return openingError(f.path, err)
	})
	if err != nil {
		if h.file != nil {
			_ = h.file.Close() // bbolt has closed it, unless it panicked
		}
		return nil, err
	}
	if f.o.Grow > 0 {
		h.db.AllocSize = f.o.Grow
	}
	if err := f.look(h); err != nil {
		return nil, errors.Join(err, f.release(h))
	}
	if err := f.update(h, func(tx *bolt.Tx) error {
		if f.o.Prepare == nil {
			return nil
		}
		err := f.o.Prepare(tx, mended)
		if errors.Is(err, bolterrors.ErrIncompatibleValue) { // a bucket has become a value
			return &DamageError{f.path, err}
		}
		return err
	}); err != nil {
		return nil, errors.Join(err, f.release(h))
	}
	return h, nil
}

// View calls a function with a transaction that reads. A *DamageError of the function is taken for damage of the file.
func (f *File) View(do func(tx *bolt.Tx) error) error {
	h, err := f.current()
	if err != nil {
		return err
	}
	return f.note(h, Guard(f.path, func() error {
		tx, err := f.start(h, false)
		if err != nil {
			return err
		}
		defer func() { _ = tx.Rollback() }()
		return do(tx)
	}))
}

// Update calls a function with a transaction that writes. What it has written is on the disk when Update returns nil, in the file that has
// the path. A *DamageError of the function is taken for damage of the file.
func (f *File) Update(do func(tx *bolt.Tx) error) error {
	f.writes.Lock()
	defer f.writes.Unlock()
	h, err := f.current()
	if err != nil {
		return err
	}
	return f.note(h, f.update(h, do))
}

// update is Update for a handle. The caller holds writes, or is the only one that has the handle.
func (f *File) update(h *handle, do func(tx *bolt.Tx) error) error {
	return Guard(f.path, func() error {
		if err := f.inPlace(h); err != nil {
			return err
		}
		tx, err := f.start(h, true)
		if err != nil {
			return err
		}
		if err := Guard(f.path, func() error { return do(tx) }); err != nil {
			_ = tx.Rollback() // only what is in memory
			return err
		}
		if err := Guard(f.path, func() error { return f.prepare(h, tx) }); err != nil {
			_ = tx.Rollback()
			return err
		}
		if err := Guard(f.path, tx.Commit); err != nil {
			if damage := f.afterFailure(h, tx, err); damage != nil {
				return damage
			}
			f.mu.Lock()
			f.failed = err
			f.mu.Unlock()
			return err
		}
		return f.look(h)
	})
}

// look takes the tree of the last transaction.
func (f *File) look(h *handle) error {
	tx, err := f.start(h, false)
	if err != nil {
		return err
	}
	return tx.Rollback()
}

// afterFailure returns the damage that a write has met, or nil. After a failed write bbolt has read its list of free pages again.
func (f *File) afterFailure(h *handle, failed *bolt.Tx, err error) error {
	if _, panicked := errors.AsType[*DamageError](err); panicked {
		if Guard(f.path, failed.Rollback) != nil {
			h.stuck.Store(true)
		}
		return err
	}
	tx, err := f.start(h, false)
	if errors.Is(err, bolterrors.ErrInvalidMapping) {
		return &DamageError{f.path, err}
	}
	if err != nil {
		return err
	}
	defer func() { _ = tx.Rollback() }()
	return verify(h.file, f.path, tx, int(f.treeOf(h).size))
}

// treeOf returns the tree of the last transaction.
func (f *File) treeOf(h *handle) tree {
	f.mu.Lock()
	defer f.mu.Unlock()
	return h.tree
}

// inPlace returns a *DamageError if the file does not have its path any more, or was cut.
func (f *File) inPlace(h *handle) error {
	there, err := os.Stat(f.path)
	if err != nil {
		return &DamageError{f.path, fmt.Errorf("it is not there any more: %w", err)}
	}
	ours, err := h.file.Stat()
	t := f.treeOf(h)
	switch {
	case err != nil:
		return err
	case !os.SameFile(there, ours):
		return &DamageError{f.path, errors.New("it was replaced by another file")}
	case uint64(ours.Size()) < t.end*t.size:
		return &DamageError{f.path, fmt.Errorf("it was cut to %d bytes", ours.Size())}
	default:
		return nil
	}
}

// prepare makes a transaction ready for Commit, which reads the headers of the pages that it frees again, without a check. It returns a
// *DamageError if they are damaged.
func (f *File) prepare(h *handle, tx *bolt.Tx) error {
	w := &walker{tree: f.treeOf(h), file: h.file}
	if w.list == noList {
		return nil
	}
	_, _, header, err := w.listHeader(w.list)
	if err == nil && header != w.header {
		err = fmt.Errorf("the header of page %d has changed", w.list)
	}
	if err == nil {
		err = w.checkPages(field(reflect.ValueOf(tx), "root").Addr())
	}
	if err != nil {
		return &DamageError{f.path, err}
	}
	freeOldList(tx, w.header)
	return nil
}

// start begins a transaction.
func (f *File) start(h *handle, writable bool) (*bolt.Tx, error) {
	if h.stuck.Load() {
		return nil, &DamageError{f.path, errors.New("a transaction met damage")}
	}
	var tx *bolt.Tx
	last := f.treeOf(h).tx // when this one begins: others may be written before its number is looked at
	if err := Guard(f.path, func() (err error) { tx, err = h.db.Begin(writable); return err }); err != nil {
		if _, panicked := errors.AsType[*DamageError](err); panicked {
			unlock(h.db, writable)
		}
		return nil, err
	}
	f.mu.Lock()
	defer f.mu.Unlock()
	if h.tree.size == 0 {
		h.tree.size = uint64(h.db.Info().PageSize)
	}
	t := treeOf(tx, int(h.tree.size))
	if t.tx < last || writable && t.tx == last { // one that writes has the next number
		_ = tx.Rollback()
		return nil, &DamageError{f.path, errors.New("the meta page of its last transaction is damaged")}
	}
	if t.tx <= h.tree.tx || writable {
		return tx, nil
	}
	t.keep(h.file)
	h.tree = t
	return tx, nil
}

// current returns the handle, or the damage.
func (f *File) current() (*handle, error) {
	f.mu.Lock()
	defer f.mu.Unlock()
	switch {
	case f.now == nil:
		return nil, bolterrors.ErrDatabaseNotOpen
	case f.damage != nil:
		return nil, f.damage
	}
	return f.now, nil
}

// note keeps the first damage of the open file.
func (f *File) note(h *handle, err error) error {
	if damage, ok := errors.AsType[*DamageError](err); ok && f.keep(h, damage) {
		f.o.Log.Error("damage was found in an open file", zap.String("file", f.path), zap.Error(damage.Cause))
	}
	return err
}

func (f *File) keep(h *handle, damage *DamageError) (first bool) {
	f.mu.Lock()
	defer f.mu.Unlock()
	if first = f.damage == nil && f.now == h; first {
		f.damage, f.failed = damage, damage
	}
	return first
}

// Damage returns the damage that was found, or nil.
func (f *File) Damage() error {
	f.mu.Lock()
	defer f.mu.Unlock()
	if f.damage == nil {
		return nil
	}
	return f.damage
}

// verifyShare is the largest part of the time that Verify reads pages.
const verifyShare = 20

// Verify returns the error of a write that has failed, or the damage that was found, since the last Verify. It looks for damage: that the
// file is in its place and has its size, and that all pages can be read, the latter for one twentieth of the time at most.
func (f *File) Verify() error {
	h, err := f.current()
	if err != nil {
		return err
	}
	if err := f.note(h, f.inPlace(h)); err != nil {
		return err
	}
	f.mu.Lock()
	failed := f.failed
	f.failed = nil
	began := time.Now()
	due := began.Sub(f.last) >= verifyShare*f.took
	f.mu.Unlock()
	if failed != nil || !due {
		return failed
	}
	err = f.View(func(tx *bolt.Tx) error { return verify(h.file, f.path, tx, int(f.treeOf(h).size)) })
	f.mu.Lock()
	defer f.mu.Unlock()
	f.last, f.took = began, time.Since(began)
	return err
}

// Reopen replaces a damaged file by a new one, which gets what can still be read. Without damage it does nothing. Transactions that read
// may still run; they keep the memory of the damaged file.
func (f *File) Reopen() error {
	f.writes.Lock()
	defer f.writes.Unlock()
	f.mu.Lock()
	old, damage := f.now, f.damage
	f.mu.Unlock()
	if old == nil {
		return bolterrors.ErrDatabaseNotOpen
	}
	if damage == nil {
		return nil
	}
	next, err := f.replace(damage, func(to string) (kept, lost int, err error) {
		if f.o.Fresh {
			return 0, 0, nil
		}
		return rescue(old.file, f.treeOf(old), to)
	})
	if err != nil {
		return err
	}
	f.mu.Lock()
	f.now, f.damage, f.took = next, nil, 0
	f.mu.Unlock()
	f.releasing.Go(func() { _ = f.release(old) }) // when its last reader is done
	return nil
}

// release closes a handle. If a lock of bbolt was left, only the file is closed.
func (f *File) release(h *handle) error {
	if h.stuck.Load() {
		return h.file.Close()
	}
	return Guard(f.path, h.db.Close)
}

// SetMaxSize makes writes fail that need a file of more bytes; 0 for no limit. It must not be called while something is written.
func (f *File) SetMaxSize(bytes int) {
	if h, err := f.current(); err == nil {
		h.db.MaxSize = bytes
	}
}

// Close closes the file, after the transactions that run. Later calls fail with bbolt's ErrDatabaseNotOpen.
func (f *File) Close() error {
	f.writes.Lock()
	defer f.writes.Unlock()
	f.mu.Lock()
	h := f.now
	f.now = nil
	f.mu.Unlock()
	f.releasing.Wait()
	if h == nil {
		return nil
	}
	return f.release(h)
}
