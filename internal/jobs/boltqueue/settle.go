package boltqueue

import (
	"errors"
	"time"

	"go.uber.org/zap"

	"roem/internal/jobs"
	"roem/internal/jobs/queuekit"
)

// settle writes down how an attempt ended. A disk that fails is tried again: the result is worth keeping. If the process
// stops first, the work is found under way at the next start.
func (q *Queue) settle(w *working, r *run, result []byte, failure error) {
	defer q.bell.Ring(r.task.ID)
	log := q.options.Log.With(zap.String("work", r.task.ID), zap.String("kind", r.task.Kind), zap.Int("attempt", r.task.Attempt))
	q.mu.Lock()
	progress := r.progress
	q.mu.Unlock()
	outcome := queuekit.NewOutcome(result, failure, r.failures, q.options.MaxResult)
	for try := 1; ; try++ {
		back := failure != nil && w.ctx.Err() != nil // the process stops, so the attempt does not count
		var ended bool
		err := q.update(func(t tx) (err error) {
			if back {
				ended = false
				return q.giveBack(t, r)
			}
			ended, err = q.end(t, r, outcome, progress)
			return err
		})
		if err == nil {
			if ended { // only now, since a log that is slow would hold up the transaction, and with it all others
				outcome.Log(log)
			}
			return
		}
		queuekit.LogRetry(log, try, err)
		select {
		case <-q.done:
			queuekit.LogGivenUp(log, err)
			return
		case <-w.ctx.Done():
			queuekit.LogGivenUp(log, err)
			return
		case <-time.After(tryAgain):
		}
	}
}

// held returns the work of a run, and false if it was cancelled or forgotten since.
func (t tx) held(r *run) (work, bool, error) {
	w, ok, err := t.lookUp(r.task.ID)
	return w, ok && w.Status == jobs.Running && w.Epoch == r.epoch, err
}

// giveBack puts the work of a run back where it was in the queue.
func (q *Queue) giveBack(t tx, r *run) error {
	id := r.task.ID
	w, ok, err := t.held(r)
	if err != nil || !ok {
		return err
	}
	w.Status = jobs.Queued
	w.Attempts--
	return errors.Join(t.in(inRunning).Delete([]byte(id)), t.enqueueAt(w.Place, id), t.put(inWorks, id, w))
}

// end writes the outcome of an attempt. It reports whether the work was still that of the run.
func (q *Queue) end(t tx, r *run, outcome queuekit.Outcome, progress []byte) (bool, error) {
	id := r.task.ID
	w, ok, err := t.held(r)
	if err != nil || !ok {
		return false, err
	}
	now := q.options.Now()
	switch outcome.Status {
	case jobs.Queued:
		w.Failures++
		err = errors.Join(t.in(inRunning).Delete([]byte(id)), t.enqueue(id, &w))
		if err == nil {
			err = t.put(inWorks, id, w)
		}
		return err == nil, err
	case jobs.Succeeded:
		err = errors.Join(t.in(inResult).Put([]byte(id), outcome.Result), t.keep(len(outcome.Result)), t.took(now.Sub(moment(w.Started))))
	default:
		w.Failure, w.Error = outcome.Failure, outcome.Error
	}
	w.Progress = progress
	if err == nil {
		err = t.finish(id, &w, outcome.Status, now, q.options.Retention)
	}
	if err == nil {
		err = t.put(inWorks, id, w)
	}
	return err == nil, err
}

// took counts a run in the mean.
func (t tx) took(d time.Duration) error {
	runs := min(t.number(runsKey)+1, meanOver)
	mean := int64(t.number(meanKey))
	mean += (int64(max(d, 0)) - mean) / int64(runs)
	if err := t.setNumber(runsKey, runs); err != nil {
		return err
	}
	return t.setNumber(meanKey, uint64(mean))
}
