package service

import (
	"context"
	"errors"
	"fmt"
	"math"
	"time"

	"roem/internal/computation"
	"roem/internal/engine/violation"
	"roem/internal/jobs"
)

// unavailableRetry is the Retry-After of errors that occur because the queue is unavailable.
const unavailableRetry = 2 * time.Second

// queueError returns an error of the queue as an *Error.
func (s *Service) queueError(ctx context.Context, err error) error {
	switch {
	case err == nil:
		return nil
	case errors.Is(err, jobs.ErrFull):
		e := &Error{Kind: QueueFull, RetryAfter: s.roomAfter(ctx), Cause: err, Detail: "Too many jobs wait already."}
		if full, ok := errors.AsType[*jobs.FullError](err); ok {
			e.Detail = fmt.Sprintf("Too many jobs wait already: %d, and at most %d may wait.", full.Queued, full.Max)
			if full.Reserved {
				e.Detail = fmt.Sprintf("Too many jobs wait already: %d. At most %d may wait, and the last places are for clients of whom none waits.",
					full.Queued, full.Max)
			}
		}
		return e
	case errors.Is(err, jobs.ErrTooMany):
		s.observe.Limited(LimitJobs)
		e := &Error{
			Kind: Limited, Limit: LimitJobs, RetryAfter: s.roomAfter(ctx), Cause: err,
			Detail: "Too many of your jobs have not finished, and more are not allowed.",
		}
		if many, ok := errors.AsType[*jobs.TooManyError](err); ok {
			e.Detail = fmt.Sprintf("Too many of your jobs are unfinished: %d, and at most %d are allowed.", many.Unfinished, many.Max)
		}
		return e
	case errors.Is(err, jobs.ErrTooCostly):
		s.observe.Limited(LimitJobTime)
		e := &Error{
			Kind: Limited, Limit: LimitJobTime, RetryAfter: s.roomAfter(ctx), Cause: err,
			Detail: "Your waiting jobs would take too much searcher time with this one.",
		}
		if costly, ok := errors.AsType[*jobs.TooCostlyError](err); ok {
			e.RetryAfter = s.workedAfter(ctx, costly.Waiting+costly.Cost-costly.Max)
			e.Detail = fmt.Sprintf("Your waiting jobs take about %s of searcher time and this one would take about %s more, "+
				"and a client may have at most %s.", inMinutes(costly.Waiting), inMinutes(costly.Cost), inMinutes(costly.Max))
		}
		return e
	case errors.Is(err, jobs.ErrIdempotencyMismatch):
		return &Error{Kind: KeyReused, Cause: err, Detail: keyReused}
	case errors.Is(err, jobs.ErrNotFound):
		return &Error{Kind: NoSuchJob, Cause: err, Detail: "You have no job with this id."}
	case errors.Is(err, jobs.ErrTooLarge):
		e := NewUnusable(TooLarge, violation.New(violation.TooLarge, "The request is too large for a job."))
		e.Cause = err
		return e
	case errors.Is(err, jobs.ErrUnavailable), errors.Is(err, jobs.ErrClosed):
		return &Error{
			Kind: JobsUnavailable, RetryAfter: unavailableRetry, Cause: err,
			Detail: "The store of the jobs cannot be reached at the moment.",
		}
	default:
		return err
	}
}

// mostRoomAfter is the longest Retry-After for the jobs that run and wait. Jobs can be cancelled, so that there may be room much earlier.
const mostRoomAfter = time.Hour

// roomAfter returns how long a client should wait before it creates a job again: until a tenth of the waiting jobs have started. It follows
// from the same estimate as the estimated_wait_ms of jobs.
func (s *Service) roomAfter(ctx context.Context) time.Duration {
	if stats, err := s.queue.Stats(ctx); err == nil {
		if wait, known := stats.Wait(stats.Queued/10 + 1); known {
			return wholeSeconds(wait)
		}
	}
	return computation.MinRetry
}

// workedAfter returns how long the workers need for jobs of the time, if they work on nothing else.
func (s *Service) workedAfter(ctx context.Context, cost time.Duration) time.Duration {
	slots := 1
	if stats, err := s.queue.Stats(ctx); err == nil {
		slots = max(stats.Slots, slots)
	}
	return wholeSeconds(cost / time.Duration(slots))
}

// wholeSeconds rounds a wait up to whole seconds, from one second to mostRoomAfter.
func wholeSeconds(wait time.Duration) time.Duration {
	return min(max((wait+time.Second-1).Truncate(time.Second), computation.MinRetry), mostRoomAfter)
}

// inMinutes returns a time as text: in minutes, or in seconds if it is short.
func inMinutes(d time.Duration) string {
	if d < 2*time.Minute {
		return fmt.Sprintf("%.0f s", math.Ceil(d.Seconds()))
	}
	return fmt.Sprintf("%.0f min", d.Minutes())
}

// keyReused is the detail of an error of kind KeyReused.
const keyReused = "The Idempotency-Key was sent before with another request."
