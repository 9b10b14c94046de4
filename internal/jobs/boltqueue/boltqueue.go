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

	"roem/internal/boltfile"
	"roem/internal/jobs"
	"roem/internal/jobs/queuekit"
)

// lockTimeout is how long Open waits for another process that has the file open, such as one that is stopping.
const lockTimeout = 2 * time.Second

// Queue is a jobs.Queue in a file.
type Queue struct {
	path     string
	file     *boltfile.File
	changes  chan *change  // for writeLoop
	damaged  chan struct{} // receives when there is damage, for writeLoop
	opened   bool          // once; only Open and writeLoop use it
	options  jobs.Options
	notifier queuekit.Notifier
	workers  *queuekit.Workers[*run]

	done      chan struct{} // closed by Close
	tasks     sync.WaitGroup
	closeOnce sync.Once
}

var _ jobs.Queue = (*Queue)(nil)

// Open opens the queue in the file, which is created if it does not exist. Tasks that were running when the last process
// died are queued again. Only one process can have a file open: the error for another one wraps boltfile.ErrInUse. A damaged file is moved
// aside with an error in the log, and a new one with the jobs that can still be read takes its place. That is also done while the file is
// open: until then every call fails with jobs.ErrUnavailable.
func Open(path string, options jobs.Options) (*Queue, error) {
	options, err := options.Complete()
	if err != nil {
		return nil, err
	}
	q := &Queue{
		path: path, options: options, done: make(chan struct{}),
		changes: make(chan *change), damaged: make(chan struct{}, 1),
	}
	q.workers = queuekit.NewWorkers(q.hooks())
	q.file, err = boltfile.Open(path, boltfile.Options{Wait: lockTimeout, Prepare: q.prepare, Log: options.Log})
	if err != nil {
		return nil, fmt.Errorf("opening the queue %s: %w", path, err)
	}
	q.opened = true
	q.tasks.Go(q.writeLoop)
	q.tasks.Go(q.sweepLoop)
	return q, nil
}

// prepare creates the buckets of a new file, checks the records of another one or mends them, and queues the tasks again that a dead
// process left running.
func (q *Queue) prepare(b *bolt.Tx, mended bool) error {
	t := tx{b}
	if _, err := t.checkSchema(); err != nil && !mended {
		return err
	}
	for _, name := range buckets() {
		if _, err := t.CreateBucketIfNotExists([]byte(name)); err != nil {
			return err
		}
	}
	if mended {
		if err := t.mend(q.options.Now().Add(q.options.Retention)); err != nil {
			return err
		}
	} else if err := t.verify(); err != nil {
		return &boltfile.DamageError{Path: q.path, Cause: err}
	}
	if err := errors.Join(t.in(inMeta).Put([]byte(schemaKey), []byte(schema)), t.countQueue()); err != nil {
		return err
	}
	if q.opened {
		return q.keepRunning(t)
	}
	return q.recover(t)
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

// StopClaiming makes Work start no more waiting tasks.
func (q *Queue) StopClaiming() { q.workers.StopClaiming() }

// Close closes the file.
func (q *Queue) Close() error {
	var err error
	q.closeOnce.Do(func() {
		close(q.done)
		q.tasks.Wait()
		err = q.file.Close()
	})
	return err
}
