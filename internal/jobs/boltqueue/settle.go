package boltqueue

import (
	"context"
	"errors"
	"time"

	"roem/internal/jobs"
	"roem/internal/jobs/decide"
)

// settle stores the end of an attempt, if the run still has its task.
func (q *Queue) settle(_ context.Context, r *run, end decide.End) (held bool, err error) {
	err = q.update(func(t tx) error {
		w, is, err := t.held(r.Task.ID, r.epoch)
		if held = is; err != nil || !held {
			return err
		}
		return q.end(t, r.Task.ID, &w, end, r.Progress())
	})
	q.notifier.Notify(r.Task.ID)
	return held, err
}

// held returns the task of an attempt, or false if it has been cancelled or removed.
func (t tx) held(id string, epoch uint64) (taskRecord, bool, error) {
	w, ok, err := t.lookUp(id)
	return w, ok && w.Status == jobs.Running && w.Epoch == epoch, err
}

// end ends the attempt at a running task.
func (q *Queue) end(t tx, id string, w *taskRecord, end decide.End, progress []byte) (err error) {
	now := q.options.Now()
	if end.Charge {
		err = t.charge(w, now)
	}
	if end.Forget {
		err = errors.Join(err, t.in(inState).Delete([]byte(id)))
	}
	w.Attempts += end.Attempts
	w.Failures += end.Failures
	err = errors.Join(err, t.in(inRunning).Delete([]byte(id)))
	switch {
	case err != nil:
		return err
	case end.InPlace:
		w.Status = end.Status
		err = t.enqueueAt(w, id)
	case end.Status == jobs.Queued:
		err = t.enqueue(id, w)
	default:
		if end.Status == jobs.Succeeded {
			err = errors.Join(t.in(inResult).Put([]byte(id), end.Result), t.addBytes(len(end.Result)), t.took(now.Sub(moment(w.Started))))
		}
		w.Failure, w.Error, w.Progress = end.Failure, end.Error, progress
		err = errors.Join(err, t.finish(id, w, end.Status, now, q.options.Retention))
	}
	return errors.Join(err, t.put(inTasks, id, w))
}

// took adds the duration of an attempt to the mean.
func (t tx) took(d time.Duration) error {
	runs := min(t.number(runsKey)+1, meanOver)
	mean := int64(t.number(meanKey))
	mean += (int64(max(d, 0)) - mean) / int64(runs)
	return errors.Join(t.setNumber(runsKey, runs), t.setNumber(meanKey, uint64(mean)))
}
