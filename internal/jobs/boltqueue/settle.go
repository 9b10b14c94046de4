package boltqueue

import (
	"errors"
	"time"

	"go.uber.org/zap"

	"roem/internal/jobs"
	"roem/internal/jobs/queuekit"
)

// settle writes the outcome of an attempt. While the disk fails it tries again, so that the result is not lost. If the process
// stops before that, the next process finds the task running.
func (q *Queue) settle(w *queuekit.Working, r *run, result []byte, failure error) {
	defer q.notifier.Notify(r.Task.ID)
	log := q.options.Log.With(zap.String("task", r.Task.ID), zap.String("kind", r.Task.Kind), zap.Int("attempt", r.Task.Attempt))
	outcome := queuekit.NewOutcome(result, failure, r.Failures, q.options.MaxResult)
	for try := 1; ; try++ {
		back := failure != nil && w.Ctx.Err() != nil // the process stops: the attempt does not count
		var ended bool
		err := q.update(func(t tx) (err error) {
			switch ended = false; {
			case back:
				return q.giveBack(t, r)
			case errors.Is(failure, jobs.ErrYield):
				return q.yield(t, r)
			}
			ended, err = q.end(t, r, outcome, r.Progress())
			return err
		})
		if err == nil {
			if ended { // not in the transaction: a slow log would block all changes
				outcome.Log(log)
			}
			return
		}
		queuekit.LogRetry(log, try, err)
		select {
		case <-q.done:
			queuekit.LogGivenUp(log, err)
			return
		case <-w.Ctx.Done():
			queuekit.LogGivenUp(log, err)
			return
		case <-time.After(retryDelay):
		}
	}
}

// held returns the task of a run, or false if it has been cancelled or removed.
func (t tx) held(r *run) (taskRecord, bool, error) {
	w, ok, err := t.lookUp(r.Task.ID)
	return w, ok && w.Status == jobs.Running && w.Epoch == r.epoch, err
}

// giveBack puts the task of a run back in its old place of the queue.
func (q *Queue) giveBack(t tx, r *run) error {
	id := r.Task.ID
	w, ok, err := t.held(r)
	if err != nil || !ok {
		return err
	}
	w.Status = jobs.Queued
	w.Attempts--
	return errors.Join(t.in(inRunning).Delete([]byte(id)), t.enqueueAt(&w, id), t.put(inTasks, id, w))
}

// yield puts the task of a run behind the others of its owner.
func (q *Queue) yield(t tx, r *run) error {
	id := r.Task.ID
	w, ok, err := t.held(r)
	if err != nil || !ok {
		return err
	}
	w.Attempts--
	if err := errors.Join(t.charge(&w, q.options.Now()), t.in(inRunning).Delete([]byte(id)), t.enqueue(id, &w)); err != nil {
		return err
	}
	return t.put(inTasks, id, w)
}

// end writes the outcome of an attempt. It reports whether the run still had the task.
func (q *Queue) end(t tx, r *run, outcome queuekit.Outcome, progress []byte) (bool, error) {
	id := r.Task.ID
	w, ok, err := t.held(r)
	if err != nil || !ok {
		return false, err
	}
	now := q.options.Now()
	switch outcome.Status {
	case jobs.Queued:
		w.Failures++
		err = errors.Join(t.charge(&w, now), t.in(inRunning).Delete([]byte(id)), t.in(inState).Delete([]byte(id)), t.enqueue(id, &w))
		if err == nil {
			err = t.put(inTasks, id, w)
		}
		return err == nil, err
	case jobs.Succeeded:
		err = errors.Join(t.in(inResult).Put([]byte(id), outcome.Result), t.addBytes(len(outcome.Result)), t.took(now.Sub(moment(w.Started))))
	default:
		w.Failure, w.Error = outcome.Failure, outcome.Error
	}
	w.Progress = progress
	if err == nil {
		err = t.finish(id, &w, outcome.Status, now, q.options.Retention)
	}
	if err == nil {
		err = t.put(inTasks, id, w)
	}
	return err == nil, err
}

// took adds the duration of an attempt to the mean.
func (t tx) took(d time.Duration) error {
	runs := min(t.number(runsKey)+1, meanOver)
	mean := int64(t.number(meanKey))
	mean += (int64(max(d, 0)) - mean) / int64(runs)
	if err := t.setNumber(runsKey, runs); err != nil {
		return err
	}
	return t.setNumber(meanKey, uint64(mean))
}
