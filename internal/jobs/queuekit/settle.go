package queuekit

import (
	"context"
	"errors"
	"time"

	"go.uber.org/zap"

	"roem/internal/jobs"
	"roem/internal/jobs/decide"
)

// RetryDelay is the time between two tries to use a store that fails.
const RetryDelay = 200 * time.Millisecond

// settle stores the end of an attempt. While the store fails it tries again, so that the result is not lost. A process that stops gives up
// some time later: its task is then queued again as after its death.
func (ws *Workers[R]) settle(w *Working, r R, result []byte, failure error) {
	a, h := r.attempt(), &ws.hooks
	if failure != nil && errors.Is(context.Cause(a.ctx), ErrTaken) {
		return
	}
	log := h.Log.With(zap.String("task", a.Task.ID), zap.String("kind", a.Task.Kind), zap.Int("attempt", a.Task.Attempt))
	end := decide.Ended(result, failure, a.Failures, h.MaxResult, w.Ctx.Err() != nil)
	stopping, leaving := w.Ctx.Done(), (<-chan time.Time)(nil)
	for try := 1; ; try++ {
		held, err := h.End(context.WithoutCancel(w.Ctx), r, end)
		if err == nil {
			if held {
				LogEnd(log, end)
			}
			return
		}
		level := zap.DebugLevel
		if try == 1 { // the store may be away for long
			level = zap.WarnLevel
		}
		log.Log(level, "the end of a job is not written yet", zap.Int("try", try), zap.Error(err))
		select {
		case <-stopping:
			stopping, leaving = nil, time.After(h.Leaving)
			continue
		case <-time.After(RetryDelay):
			continue
		case <-leaving:
		case <-h.Closed:
		}
		log.Error("the end of a job is not written: its task will be queued again", zap.Error(err))
		return
	}
}

// LogEnd logs the end of an attempt that has a cause.
func LogEnd(log *zap.Logger, end decide.End) {
	switch {
	case end.Cause == nil:
	case end.Status == jobs.Failed:
		log.Error("job failed", zap.String("failure", string(end.Failure)), zap.Error(end.Cause))
	default:
		log.Warn("an attempt of a job failed: its task is queued again", zap.Error(end.Cause))
	}
}
