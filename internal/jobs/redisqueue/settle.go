package redisqueue

import (
	"context"
	"errors"
	"time"

	"go.uber.org/zap"

	"roem/internal/jobs"
	"roem/internal/jobs/queuekit"
)

// settle writes the outcome of an attempt. While Redis cannot be reached it tries again, so that the result is not lost. When
// the process stops, it tries for leaveTimeout; after that the task is queued again when its lease expires.
func (q *Queue) settle(w *queuekit.Working, r *run, result []byte, failure error) {
	log := q.options.Log.With(zap.String("task", r.Task.ID), zap.String("kind", r.Task.Kind), zap.Int("attempt", r.Task.Attempt))
	outcome := queuekit.NewOutcome(result, failure, r.Failures, q.options.MaxResult)
	what := string(outcome.Status)
	switch {
	case errors.Is(context.Cause(r.Context()), queuekit.ErrTaken) && failure != nil:
		return
	case w.Ctx.Err() != nil && failure != nil:
		what = "back"
	case errors.Is(failure, jobs.ErrYield):
		what = "yield"
	default:
		outcome.Log(log)
	}
	var leaving <-chan time.Time
	stopping := w.Ctx.Done()
	for try := 1; ; try++ {
		ctx, cancel := context.WithTimeout(context.WithoutCancel(w.Ctx), callTimeout)
		_, err := q.sure(ctx, q.scripts.settle, r.Task.ID, r.epoch, what, outcome.Result, string(outcome.Failure), outcome.Error, r.Progress())
		cancel()
		if err == nil {
			return
		}
		queuekit.LogRetry(log, try, err)
		select {
		case <-q.done:
			queuekit.LogGivenUp(log, err)
			return
		case <-stopping:
			stopping, leaving = nil, time.After(leaveTimeout)
		case <-leaving:
			queuekit.LogGivenUp(log, err)
			return
		case <-time.After(retryDelay):
		}
	}
}
