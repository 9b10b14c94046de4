// Package boltqueue is a jobs.Queue in one file, for one process at a time. What it has accepted survives the death of
// the process at any moment: every change is flushed to the disk before anybody is told of it, several at a time where
// they come together.
//
// The file is the only truth: each change is one transaction that reads what is there and decides. Memory holds no more
// than what a process that died has no use for: which handlers run, and how far they are.
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

// lockTimeout is how long Open waits for a process that has the file, such as one that is just stopping.
const lockTimeout = 2 * time.Second

// Queue is a jobs.Queue in a file.
type Queue struct {
	db      *bolt.DB
	options jobs.Options
	bell    queuekit.Bell
	wake    chan struct{} // rung when there may be work to begin

	resting chan struct{} // closed by StopClaiming
	rest    func()

	done   chan struct{} // closed by Close
	tasks  sync.WaitGroup
	atOnce sync.Once

	mu      sync.Mutex
	runs    map[string]*run // by id of work
	working *working        // nil where no Work is under way
}

var _ jobs.Queue = (*Queue)(nil)

// Open opens the queue in the file, which is made if it is not there. What was under way when the process before died
// is queued again. Only one process can have a file open.
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
	db.MaxBatchDelay = time.Millisecond // a commit takes about as long, and what comes meanwhile waits for the next
	q := &Queue{
		db: db, options: options, wake: make(chan struct{}, 1), done: make(chan struct{}), resting: make(chan struct{}),
		runs: map[string]*run{},
	}
	q.rest = sync.OnceFunc(func() { close(q.resting) })
	if err := q.prepare(); err != nil {
		return nil, errors.Join(fmt.Errorf("opening the queue %s: %w", path, err), db.Close())
	}
	q.tasks.Go(q.sweeping)
	return q, nil
}

// prepare makes what a new file lacks and takes back what a process that died left under way.
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

// update runs the function in a transaction, together with others that come at the same time. It may run more than once.
func (q *Queue) update(f func(t tx) error) error {
	return known(q.db.Batch(func(b *bolt.Tx) error { return f(tx{b}) }))
}

func (q *Queue) view(f func(t tx) error) error {
	return known(q.db.View(func(b *bolt.Tx) error { return f(tx{b}) }))
}

// checkSchema reports whether the file is empty. It returns a *jobs.SchemaError for a file of another schema, and for one
// that has none, which holds something other than a queue.
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

// known gives the errors of the file their names.
func known(err error) error {
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

// StopClaiming makes Work begin nothing more of what waits.
func (q *Queue) StopClaiming() { q.rest() }

// Close closes the file.
func (q *Queue) Close() error {
	var err error
	q.atOnce.Do(func() {
		close(q.done)
		q.tasks.Wait()
		err = q.db.Close()
	})
	return err
}
