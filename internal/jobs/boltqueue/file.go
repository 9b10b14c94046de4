package boltqueue

import (
	"cmp"
	"errors"
	"fmt"

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

// writeLoop writes changes: all that have come since its last transaction in one. If the file is damaged, it replaces it.
func (q *Queue) writeLoop() {
	for {
		var together []*change
		select {
		case <-q.done:
			return
		case <-q.damaged:
			q.reopen()
			continue
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

// write makes changes in one transaction, without those that fail. Each change runs three times at most: with all others; if one failed,
// with those that did not; and alone, if it failed or one of these failed too.
func (q *Queue) write(all []*change) {
	good, bad, err := q.together(all)
	if len(bad) == 0 {
		end(all, err)
		return
	}
	if len(good) > 0 {
		if _, worse, err := q.together(good); len(worse) == 0 {
			end(good, err)
		} else {
			bad = all
		}
	}
	for _, c := range bad {
		_, _, err := q.together([]*change{c})
		c.done <- err
	}
}

// together makes changes in one transaction, and tells which of them failed. If one did, nothing is written. If the file failed, no change
// did, and the error is for all.
func (q *Queue) together(all []*change) (good, bad []*change, err error) {
	var first error
	err = q.use(q.file.Update(func(b *bolt.Tx) error {
		for _, c := range all {
			if err := c.do(tx{b}); err == nil {
				good = append(good, c)
			} else {
				bad = append(bad, c)
				first = cmp.Or(first, err)
			}
		}
		return first
	}))
	if q.file.Damage() != nil {
		return nil, nil, err
	}
	return good, bad, err
}

func end(all []*change, err error) {
	for _, c := range all {
		c.done <- err
	}
}

// read runs the function in a transaction that reads. It does not wait for update.
func (q *Queue) read(f func(t tx) error) error {
	return q.use(q.file.View(func(b *bolt.Tx) error { return f(tx{b}) }))
}

// use returns the error of a use of the file. If there is damage, the file is replaced soon.
func (q *Queue) use(err error) error {
	if q.file.Damage() != nil {
		select {
		case q.damaged <- struct{}{}:
		default:
		}
	}
	return wrapError(err)
}

// reopen replaces the damaged file.
func (q *Queue) reopen() {
	if err := q.file.Reopen(); err != nil {
		q.options.Log.Error("the damaged file of the jobs cannot be replaced: there are no jobs until that succeeds",
			zap.String("file", q.path), zap.Error(err))
		return
	}
	q.workers.Wake()
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
	return boltfile.CheckWith(path, 0, func(b *bolt.Tx) error {
		t := tx{b}
		if isNew, err := t.checkSchema(); err != nil || isNew {
			return err
		}
		if err := t.verify(); err != nil {
			return &boltfile.DamageError{Path: path, Cause: err}
		}
		return nil
	})
}

// verify returns an error if a record cannot be read, or refers to one that is not there.
func (t tx) verify() error {
	for _, name := range buckets() {
		if t.in(name) == nil && name != inTurns && name != inState { // which Open adds to an older file
			return fmt.Errorf("there is no bucket %s", name)
		}
	}
	key := func(k, _ []byte) (string, error) { return string(k), nil }
	for bucket, task := range map[string]func(k, v []byte) (string, error){
		inTasks: key, inRunning: key,
		inQueue: func(_, v []byte) (string, error) { return string(v), nil },
		inJobs: func(k, _ []byte) (string, error) {
			v, _, err := t.job(string(k))
			return v.Task, err
		},
	} {
		if err := t.in(bucket).ForEach(func(k, v []byte) error {
			id, err := task(k, v)
			if err == nil {
				_, err = t.task(id)
			}
			return err
		}); err != nil {
			return err
		}
	}
	return nil
}
