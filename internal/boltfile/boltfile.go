// Package boltfile opens files of bbolt that may be damaged, also while they are open. bbolt trusts what it reads: damage makes it panic,
// some of it in goroutines of its own, which ends the process. So Open first reads the file itself, a File calls bbolt only where a panic
// becomes an error, and what can still be read of a damaged file is taken over into a new one.
package boltfile

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"runtime/debug"
	"strconv"
	"syscall"
	"time"

	bolt "go.etcd.io/bbolt"
	bolterrors "go.etcd.io/bbolt/errors"
	"go.uber.org/zap"
)

// ErrInUse is the error for a file that another process has open.
var ErrInUse = errors.New("in use by another process")

// DamageError is the error for a damaged file.
type DamageError struct {
	Path  string
	Cause error
}

// Error names the file and what is wrong with it.
func (e *DamageError) Error() string {
	return fmt.Sprintf("the file %s is damaged: %v", e.Path, e.Cause)
}

// Unwrap returns what is wrong with the file.
func (e *DamageError) Unwrap() error { return e.Cause }

// Options are the options of Open.
type Options struct {
	// Wait is how long Open waits for another process that has the file open, such as one that is stopping.
	Wait time.Duration
	// Prepare, if not nil, is called in a transaction that writes, before the file is used. If it panics, or if its error is a *DamageError,
	// the file is damaged. With any other error Open fails. It may be called for several files: a damaged one, the file that has what could
	// be read of it, which is then mended, and an empty one.
	Prepare func(tx *bolt.Tx, mended bool) error
	// Fresh is for an owner who has all contents in memory: a damaged file is replaced by an empty one when it is opened again.
	Fresh bool
	// Grow is by how many bytes a large file grows at a time; 0 for bbolt's number.
	Grow int
	// Log gets errors about damage and about files that are moved aside. Nil for no log.
	Log *zap.Logger
}

// Open opens the file, which is created if it does not exist. A damaged file is moved aside. A new file takes its place and gets what can
// still be read.
func Open(path string, o Options) (*File, error) {
	if o.Log == nil {
		o.Log = zap.NewNop()
	}
	f := &File{path: path, o: o}
	f.warnOfNothing()
	h, err := f.open(false)
	if damage, ok := errors.AsType[*DamageError](err); ok {
		h, err = f.replace(damage, func(to string) (kept, lost int, err error) { return rescueClosed(path, to, o.Wait) })
	}
	if err != nil {
		return nil, err
	}
	f.now = h
	return f, nil
}

// OpenUnchecked is Open without a look at the pages of the file, which takes long for a large one. A damaged file is left as it is, and the
// error is a *DamageError. Damage that it does not find is found by a call that meets it.
func OpenUnchecked(path string, o Options) (*File, error) {
	if o.Log == nil {
		o.Log = zap.NewNop()
	}
	f := &File{path: path, o: o}
	f.warnOfNothing()
	h, err := f.openUnchecked(false)
	if err != nil {
		return nil, err
	}
	f.now = h
	return f, nil
}

// warnOfNothing logs that a file is empty: bbolt leaves no empty files, so what was in it is lost.
func (f *File) warnOfNothing() {
	if IsEmpty(f.path) {
		f.o.Log.Warn("the file is empty: what was in it is lost, and it begins anew", zap.String("file", f.path))
	}
}

// IsEmpty reports whether a file is there and has no bytes.
func IsEmpty(path string) bool {
	info, err := os.Stat(path)
	return err == nil && info.Mode().IsRegular() && info.Size() == 0
}

// replace moves the damaged file aside and opens a new one, with what rescue has read of the damaged file.
func (f *File) replace(damage *DamageError, rescue func(to string) (kept, lost int, err error)) (*handle, error) {
	next := f.path + ".new"
	kept, lost, err := rescue(next)
	if err != nil {
		return nil, errors.Join(damage, err, removeIfThere(next))
	}
	aside, err := moveAside(f.path)
	if err != nil {
		return nil, errors.Join(damage, err)
	}
	f.o.Log.Error("a damaged file was moved aside, and a new one takes its place", zap.String("file", f.path), zap.String("moved_to", aside),
		zap.Int("kept", kept), zap.Int("unreadable", lost), zap.Error(damage.Cause))
	if kept == 0 {
		return f.open(false)
	}
	if err := errors.Join(os.Rename(next, f.path), syncFolder(f.path)); err != nil {
		return nil, errors.Join(damage, err)
	}
	h, err := f.open(true)
	if again, ok := errors.AsType[*DamageError](err); ok { // what was read does not fit together
		return f.replace(again, func(string) (int, int, error) { return 0, 0, nil })
	}
	return h, err
}

func removeIfThere(path string) error {
	if err := os.Remove(path); !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	return nil
}

// syncFolder makes new names in the folder of a file last.
func syncFolder(path string) error {
	dir, err := os.Open(filepath.Dir(path))
	if err != nil {
		return err
	}
	return errors.Join(dir.Sync(), dir.Close())
}

// moveAside gives a file a name that no other file has, and returns it. If the file is not there, the name is empty.
func moveAside(path string) (aside string, err error) {
	if _, err := os.Lstat(path); errors.Is(err, fs.ErrNotExist) {
		return "", nil
	}
	aside = path + ".damaged"
	for n := 2; ; n++ {
		if _, err := os.Lstat(aside); errors.Is(err, fs.ErrNotExist) {
			return aside, os.Rename(path, aside)
		} else if err != nil {
			return "", err
		}
		aside = path + ".damaged-" + strconv.Itoa(n)
	}
}

// Check reports whether the file could be opened, without changing it: nil, also for a file that does not exist, a *DamageError, ErrInUse,
// or the reason why it cannot be read.
func Check(path string, wait time.Duration) error { return CheckWith(path, wait, nil) }

// CheckWith is Check with a function that checks the contents, and whose error is returned. It may be nil.
func CheckWith(path string, wait time.Duration, contents func(tx *bolt.Tx) error) error {
	info, err := os.Stat(path)
	if errors.Is(err, fs.ErrNotExist) || err == nil && info.Size() == 0 {
		return nil
	}
	if err != nil {
		return err
	}
	if !info.Mode().IsRegular() {
		return fmt.Errorf("%s is no regular file", path)
	}
	return readOnly(path, wait, func(db *bolt.DB, file *os.File) error {
		return db.View(func(tx *bolt.Tx) error {
			if err := verify(file, path, tx, db.Info().PageSize); err != nil || contents == nil {
				return err
			}
			return contents(tx)
		})
	})
}

// readOnly calls a function with the open file.
func readOnly(path string, wait time.Duration, f func(db *bolt.DB, file *os.File) error) error {
	var (
		db   *bolt.DB
		file *os.File
	)
	err := Guard(path, func() (err error) {
		db, err = bolt.Open(path, 0, &bolt.Options{ReadOnly: true, Timeout: wait, OpenFile: keepFile(&file)})
		return openingError(path, err)
	})
	if err == nil {
		err = errors.Join(Guard(path, func() error { return f(db, file) }), Guard(path, db.Close))
	} else if file != nil {
		_ = file.Close() // bbolt has closed it, unless it panicked
	}
	return err
}

// keepFile returns a function for bolt.Options that also keeps the file.
func keepFile(to **os.File) func(name string, flag int, mode os.FileMode) (*os.File, error) {
	return func(name string, flag int, mode os.FileMode) (_ *os.File, err error) {
		*to, err = os.OpenFile(name, flag, mode) //nolint:gosec // the path is of the configuration
		return *to, err
	}
}

// Guard calls a function that uses the file. If it panics, or the memory to which the file is mapped cannot be read, the error is a
// *DamageError. Goroutines that the function starts are not guarded.
func Guard(path string, f func() error) (err error) {
	defer debug.SetPanicOnFault(debug.SetPanicOnFault(true))
	defer func() {
		if panicked := recover(); panicked != nil {
			err = &DamageError{path, fmt.Errorf("reading it panicked: %v", panicked)}
		}
	}()
	return f()
}

// openingError returns an error of bolt.Open: the error of the system, ErrInUse, or a *DamageError.
func openingError(path string, err error) error {
	var (
		access *fs.PathError
		call   *os.SyscallError
		number syscall.Errno
	)
	switch {
	case err == nil:
		return nil
	case errors.Is(err, bolterrors.ErrTimeout):
		return fmt.Errorf("the file %s is %w", path, ErrInUse)
	case errors.As(err, &access), errors.As(err, &call), errors.As(err, &number):
		return err
	default:
		return &DamageError{path, err}
	}
}
