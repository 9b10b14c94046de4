package boltqueue

import (
	"errors"
	"fmt"
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
	for try := 1; ; try++ {
		err := q.update(func(t tx) error { return q.end(t, w.ctx.Err() != nil, r, result, failure) })
		if err == nil {
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

// end decides what the end of an attempt means, in a transaction.
func (q *Queue) end(t tx, stopping bool, r *run, result []byte, failure error) error {
	id := r.task.ID
	w, ok, err := t.lookUp(id)
	if err != nil || !ok || w.Status != jobs.Running || w.Epoch != r.epoch {
		return err // cancelled, or forgotten since
	}
	now := q.options.Now()
	if stopping && failure != nil {
		w.Status = jobs.Queued
		w.Attempts--
		if err := t.in(inRunning).Delete([]byte(id)); err != nil {
			return err
		}
		if err := t.enqueueAt(w.Place, id); err != nil {
			return err
		}
		return t.put(inWorks, id, w)
	}
	q.mu.Lock()
	w.Progress = r.progress
	q.mu.Unlock()
	verdict := queuekit.Judge(result, failure, w.Failures, q.options.MaxResult)
	log := q.options.Log.With(zap.String("work", id), zap.String("kind", w.Kind), zap.Int("attempt", w.Attempts))
	switch verdict.Status {
	case jobs.Queued:
		log.Warn("a job's attempt failed", zap.Error(failure))
		w.Failures++
		w.Progress = nil
		if err := t.in(inRunning).Delete([]byte(id)); err != nil {
			return err
		}
		if err := t.enqueue(id, &w); err != nil {
			return err
		}
		return t.put(inWorks, id, w)
	case jobs.Succeeded:
		if err := errors.Join(t.in(inResult).Put([]byte(id), verdict.Result), t.keep(len(verdict.Result))); err != nil {
			return err
		}
		if err := t.took(now.Sub(moment(w.Started))); err != nil {
			return err
		}
	default:
		if failure == nil {
			failure = fmt.Errorf("a result of %d bytes, at most %d", len(result), q.options.MaxResult)
		}
		log.Error("job failed", zap.String("failure", string(verdict.Failure)), zap.Error(failure))
		w.Failure, w.Error = verdict.Failure, verdict.Error
	}
	if err := t.finish(id, &w, verdict.Status, now, q.options.Retention); err != nil {
		return err
	}
	return t.put(inWorks, id, w)
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
