package boltqueue

import (
	"errors"
	"fmt"
	"time"

	bolt "go.etcd.io/bbolt"
	bolterrors "go.etcd.io/bbolt/errors"
	"go.uber.org/zap"

	"roem/internal/boltfile"
	"roem/internal/jobs"
)

// change is a function that changes the file, and its error.
type change struct {
	do   func(t tx) error
	done chan error // has capacity 1
}

// mostTogether bounds the changes of one transaction.
const mostTogether = 1000

// update runs the function in a transaction, which it may share with others that are called at the same time. The function
// may run more than once, and must not wait: all changes of the queue wait for it.
func (q *Queue) update(f func(t tx) error) error {
	c := &change{do: f, done: make(chan error, 1)}
	select {
	case q.changes <- c:
		return <-c.done
	case <-q.done:
		return jobs.ErrClosed
	}
}

// writeLoop writes changes: all that have come since its last transaction in one. bbolt does the same in DB.Batch, but in goroutines of its
// own. There, a part of the file that cannot be read would end the process.
func (q *Queue) writeLoop() {
	for {
		var together []*change
		select {
		case <-q.done:
			return
		case c := <-q.changes:
			together = append(together, c)
		}
		for len(together) < mostTogether {
			select {
			case c := <-q.changes:
				together = append(together, c)
				continue
			default:
			}
			break
		}
		q.write(together)
	}
}

// write makes changes in one transaction, without those that fail.
func (q *Queue) write(together []*change) {
	for len(together) > 0 {
		failed := -1
		err := q.guard(func() error {
			return q.db.Update(func(b *bolt.Tx) error {
				for i, c := range together {
					if err := c.do(tx{b}); err != nil {
						failed = i
						return err
					}
				}
				return nil
			})
		})
		if failed < 0 || q.damage.Load() != nil {
			for _, c := range together {
				c.done <- err
			}
			return
		}
		together[failed].done <- err
		together = append(together[:failed:failed], together[failed+1:]...)
	}
}

// read runs the function in a transaction that reads. It does not wait for update.
func (q *Queue) read(f func(t tx) error) error {
	return q.guard(func() error { return q.db.View(func(b *bolt.Tx) error { return f(tx{b}) }) })
}

// guard runs a function that uses the file. When damage has been found, the file is not used any more: a transaction that met it may have
// left a lock.
func (q *Queue) guard(f func() error) error {
	if found := q.damage.Load(); found != nil {
		return *found
	}
	err := wrapError(boltfile.Guard(q.path, f))
	if damage, ok := errors.AsType[*boltfile.DamageError](err); ok && q.damage.CompareAndSwap(nil, &err) {
		q.options.Log.Error("the file of the jobs is damaged: there are no jobs until the server starts again, which moves the file aside",
			zap.String("file", q.path), zap.Error(damage.Cause))
	}
	return err
}

// closeLimit is how long the file may take to close after damage was found.
const closeLimit = time.Second

// closeFile closes the file. If it is damaged, a transaction may have left a lock that closing waits for.
func (q *Queue) closeFile() error {
	if q.damage.Load() == nil {
		return boltfile.Guard(q.path, q.db.Close)
	}
	closed := make(chan error, 1)
	go func() { closed <- boltfile.Guard(q.path, q.db.Close) }()
	select {
	case err := <-closed:
		return err
	case <-time.After(closeLimit):
		return fmt.Errorf("the damaged file %s cannot be closed", q.path)
	}
}

// wrapError turns the errors of bbolt into errors of package jobs.
func wrapError(err error) error {
	switch {
	case err == nil:
		return nil
	case errors.Is(err, bolterrors.ErrDatabaseNotOpen):
		return jobs.ErrClosed
	case errors.Is(err, jobs.ErrNotFound), errors.Is(err, jobs.ErrClosed):
		return err
	default:
		return fmt.Errorf("%w: %w", jobs.ErrUnavailable, err)
	}
}

// Check reports whether Open could use the file, without changing it: nil, also for a file that does not exist; a *boltfile.DamageError
// for one that Open would move aside; an error that wraps boltfile.ErrInUse; a *jobs.SchemaError; or the reason why it cannot be read.
func Check(path string) error {
	return boltfile.CheckWith(path, 0, func(db *bolt.DB) error {
		return db.View(func(b *bolt.Tx) error {
			t := tx{b}
			if isNew, err := t.checkSchema(); err != nil || isNew {
				return err
			}
			if err := t.verify(); err != nil {
				return &boltfile.DamageError{Path: path, Cause: err}
			}
			return nil
		})
	})
}

// verify returns an error if a record cannot be read, or refers to one that is not there.
func (t tx) verify() error {
	for _, name := range buckets() {
		if t.in(name) == nil && name != inTurns && name != inState { // which Open adds to an older file
			return fmt.Errorf("there is no bucket %s", name)
		}
	}
	if err := t.in(inTasks).ForEach(func(id, _ []byte) error {
		_, err := t.task(string(id))
		return err
	}); err != nil {
		return err
	}
	if err := t.in(inJobs).ForEach(func(id, _ []byte) error {
		v, _, err := t.job(string(id))
		if err == nil {
			_, err = t.task(v.Task)
		}
		return err
	}); err != nil {
		return err
	}
	if err := t.in(inRunning).ForEach(func(id, _ []byte) error {
		_, err := t.task(string(id))
		return err
	}); err != nil {
		return err
	}
	return t.in(inQueue).ForEach(func(_, id []byte) error {
		_, err := t.task(string(id))
		return err
	})
}
