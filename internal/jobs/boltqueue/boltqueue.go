// Package boltqueue is a jobs.Queue in one file, for one process at a time. Accepted jobs survive the death of the process at
// any moment: every change is flushed to the disk before the call that makes it returns. Changes that are made at the same
// time share a flush.
//
// All state is in the file: each change is one transaction that reads the state and decides. Memory holds only which handlers
// run and their progress, which are lost with the process.
package boltqueue

import (
	"errors"
	"fmt"
	"sync"
	"time"

	bolt "go.etcd.io/bbolt"
	bolterrors "go.etcd.io/bbolt/errors"

	"roem/internal/jobs"
	"roem/internal/jobs/queuekit"
)

// lockTimeout is how long Open waits for another process that has the file open, such as one that is stopping.
const lockTimeout = 2 * time.Second

// Queue is a jobs.Queue in a file.
type Queue struct {
	db       *bolt.DB
	options  jobs.Options
	notifier queuekit.Notifier
	wake     chan struct{} // receives when there may be a task to start

	claimingStopped chan struct{} // closed by StopClaiming
	stopClaiming    func()

	done      chan struct{} // closed by Close
	tasks     sync.WaitGroup
	closeOnce sync.Once

	mu      sync.Mutex
	runs    map[string]*run // by ID of the task
	working *working        // nil while no Work is running
}

var _ jobs.Queue = (*Queue)(nil)

// Open opens the queue in the file, which is created if it does not exist. Tasks that were running when the last process
// died are queued again. Only one process can have a file open.
func Open(path string, options jobs.Options) (*Queue, error) {
	options, err := options.Complete()
	if err != nil {
		return nil, err
	}
	db, err := bolt.Open(path, 0o600, &bolt.Options{
		Timeout: lockTimeout, NoFreelistSync: true, FreelistType: bolt.FreelistMapType,
	})
	if errors.Is(err, bolterrors.ErrTimeout) {
		return nil, fmt.Errorf("the queue %s is in use by another process", path)
	}
	if err != nil {
		return nil, fmt.Errorf("opening the queue %s: %w", path, err)
	}
	db.MaxBatchDelay = time.Millisecond // about the duration of a commit; later changes wait for the next batch
	q := &Queue{
		db: db, options: options, wake: make(chan struct{}, 1), done: make(chan struct{}), claimingStopped: make(chan struct{}),
		runs: map[string]*run{},
	}
	q.stopClaiming = sync.OnceFunc(func() { close(q.claimingStopped) })
	if err := q.prepare(); err != nil {
		return nil, errors.Join(fmt.Errorf("opening the queue %s: %w", path, err), db.Close())
	}
	q.tasks.Go(q.sweepLoop)
	return q, nil
}

// prepare creates the buckets of a new file and queues the tasks again that a dead process left running.
func (q *Queue) prepare() error {
	return q.db.Update(func(b *bolt.Tx) error {
		t := tx{b}
		isNew, err := t.checkSchema()
		if err != nil {
			return err
		}
		for _, name := range buckets() {
			if _, err := t.CreateBucketIfNotExists([]byte(name)); err != nil {
				return err
			}
		}
		if isNew {
			if err := t.in(inMeta).Put([]byte(schemaKey), []byte(schema)); err != nil {
				return err
			}
		}
		if err := t.countQueue(); err != nil {
			return err
		}
		return q.recover(t)
	})
}

// update runs the function in a transaction, which it may share with others that are called at the same time. The function
// may run more than once, and must not wait: all changes of the queue wait for it.
func (q *Queue) update(f func(t tx) error) error {
	return wrapError(q.db.Batch(func(b *bolt.Tx) error { return f(tx{b}) }))
}

// read runs the function in a transaction that reads. It does not wait for update.
func (q *Queue) read(f func(t tx) error) error {
	return wrapError(q.db.View(func(b *bolt.Tx) error { return f(tx{b}) }))
}

// checkSchema reports whether the file is empty. It returns a *jobs.SchemaError for a file of another schema and for one
// without a schema, which is not a queue.
func (t tx) checkSchema() (isNew bool, err error) {
	isNew = true
	err = t.ForEach(func([]byte, *bolt.Bucket) error {
		isNew = false
		return nil
	})
	if err != nil || isNew {
		return isNew, err
	}
	found := ""
	if meta := t.in(inMeta); meta != nil {
		found = string(meta.Get([]byte(schemaKey)))
	}
	if found != schema {
		return false, &jobs.SchemaError{Found: found, Supported: schema}
	}
	return false, nil
}

// wrapError turns the errors of bbolt into those of package jobs.
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

// StopClaiming makes Work start no more waiting tasks.
func (q *Queue) StopClaiming() { q.stopClaiming() }

// Close closes the file.
func (q *Queue) Close() error {
	var err error
	q.closeOnce.Do(func() {
		close(q.done)
		q.tasks.Wait()
		err = q.db.Close()
	})
	return err
}
