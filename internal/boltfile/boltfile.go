// Package boltfile opens files of bbolt that may be damaged. bbolt ends the process when it opens some damaged files: it reads them in a
// goroutine of its own, where no caller can recover. So Open first reads the file itself, and moves a damaged one aside.
package boltfile

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
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
	// Prepare, if not nil, is called with the open file. If it panics, or if its error is a *DamageError, the file is damaged. With any other
	// error Open fails. It may be called twice: with a damaged file, and with the new one.
	Prepare func(db *bolt.DB) error
	// Log gets an error for a file that is moved aside.
	Log *zap.Logger
}

// Open opens the file, which is created if it does not exist. A damaged file is moved aside and replaced by an empty one.
func Open(path string, o Options) (*bolt.DB, error) {
	db, err := open(path, o)
	damage, ok := errors.AsType[*DamageError](err)
	if !ok {
		return db, err
	}
	aside, err := moveAside(path)
	if err != nil {
		return nil, errors.Join(damage, err)
	}
	if o.Log != nil {
		o.Log.Error("a damaged file was moved aside, and an empty one takes its place",
			zap.String("file", path), zap.String("moved_to", aside), zap.Error(damage.Cause))
	}
	return open(path, o)
}

// moveAside gives a file a name that no other file has.
func moveAside(path string) (aside string, err error) {
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
func CheckWith(path string, wait time.Duration, contents func(db *bolt.DB) error) error {
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
	var db *bolt.DB
	err = Guard(path, func() (err error) {
		db, err = bolt.Open(path, 0, &bolt.Options{ReadOnly: true, Timeout: wait})
		return openingError(path, err)
	})
	if err != nil {
		return err
	}
	return errors.Join(Guard(path, func() error {
		if err := verify(path, db); err != nil || contents == nil {
			return err
		}
		return contents(db)
	}), db.Close())
}

// open is Open without moving anything aside.
func open(path string, o Options) (*bolt.DB, error) {
	if err := Check(path, o.Wait); err != nil {
		return nil, err
	}
	var (
		db   *bolt.DB
		file *os.File
	)
	err := Guard(path, func() (err error) {
		db, err = bolt.Open(path, 0o600, &bolt.Options{
			Timeout: o.Wait, NoFreelistSync: true, FreelistType: bolt.FreelistMapType,
			OpenFile: func(name string, flag int, mode os.FileMode) (_ *os.File, err error) {
				file, err = os.OpenFile(name, flag, mode) //nolint:gosec // the path is of the configuration
				return file, err
			},
		})
		return openingError(path, err)
	})
	if err != nil {
		if file != nil {
			_ = file.Close() // bbolt has closed it, unless it panicked
		}
		return nil, err
	}
	if o.Prepare == nil {
		return db, nil
	}
	if err := Guard(path, func() error { return o.Prepare(db) }); err != nil {
		return nil, errors.Join(err, Guard(path, db.Close))
	}
	return db, nil
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
