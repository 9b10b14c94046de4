package boltqueue

import (
	"bytes"
	"errors"
	"time"

	"roem/internal/jobs/queuekit"
)

// sweepLoop calls sweep at intervals.
func (q *Queue) sweepLoop() {
	queuekit.Sweep(q.done, max(q.options.Retention/20, 10*time.Millisecond), q.options.Log, q.sweep)
}

// sweep removes all final jobs that are due, in several transactions, so that none of them takes long.
func (q *Queue) sweep() error {
	for {
		due := false
		err := q.read(func(t tx) error {
			due = q.due(t, t.in(inExpiry).Stats().KeyN) != nil
			return nil
		})
		if err != nil || !due {
			return err
		}
		err = q.update(func(t tx) error {
			kept := t.in(inExpiry).Stats().KeyN // counts committed pages: without what this transaction removes
			for range sweepBatch {
				key := q.due(t, kept)
				if key == nil {
					break
				}
				kept--
				if err := errors.Join(t.remove(string(key[8:])), t.in(inExpiry).Delete(key)); err != nil {
					return err
				}
			}
			return nil
		})
		if err != nil {
			return err
		}
	}
}

// due returns the key in inExpiry of the oldest final job if it is to be removed: it has expired, or more jobs are kept than
// MaxKept, or they are larger than MaxBytes. Otherwise it returns nil.
func (q *Queue) due(t tx, kept int) []byte {
	key, _ := t.in(inExpiry).Cursor().First()
	if key == nil {
		return nil
	}
	if bytes.Compare(key[:8], big(uint64(q.options.Now().UnixNano()))) <= 0 ||
		kept > q.options.MaxKept || t.number(bytesKey) > uint64(q.options.MaxBytes) {
		return bytes.Clone(key)
	}
	return nil
}
