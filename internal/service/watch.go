package service

import (
	"context"
	"errors"
	"fmt"
	"sync/atomic"
	"time"

	"roem/internal/jobs"
)

// Watch checks the service at each interval until ctx ends. A check takes a slot at the head of the queue, looks for computations
// that do not end after they were cancelled, and reads the statistics of the job queue. changed is called with the reason when a
// check fails, and with nil when a check succeeds again.
//
// An unavailable job queue is not a failure: requests that need it are answered with 503, and other requests are answered.
func (s *Service) Watch(ctx context.Context, interval, limit time.Duration, changed func(error)) {
	ticker := time.NewTicker(interval)
	defer ticker.Stop()
	var failure error
	set := func(err error) {
		if (err == nil) != (failure == nil) && ctx.Err() == nil {
			changed(err)
		}
		failure = err
	}
	for {
		select {
		case <-ticker.C:
		case <-ctx.Done():
			return
		}
		var step atomic.Value
		done := make(chan error, 1)
		go func() { done <- s.check(ctx, limit, &step) }()
		late := time.NewTimer(limit + checkMargin)
		select {
		case err := <-done:
			set(err)
		case <-late.C:
			set(fmt.Errorf("%v takes longer than %v", step.Load(), limit))
			select { // a second check would block as well
			case <-done: //nolint:errcheck // the failure is reported already
			case <-ctx.Done():
			}
		case <-ctx.Done():
		}
		late.Stop()
	}
}

// checkMargin is how long a check may take to notice that its limit has passed.
const checkMargin = time.Second

// errCheckLimit is the cause with which the context of a check ends.
var errCheckLimit = errors.New("the time limit of the self-check has passed")

// check returns the reason why the service does not work, or nil. It stores the current step in step.
func (s *Service) check(ctx context.Context, limit time.Duration, step *atomic.Value) error {
	ctx, cancel := context.WithTimeoutCause(ctx, limit, errCheckLimit)
	defer cancel()
	step.Store("taking a slot")
	if s.computations.Check(ctx) != nil {
		return fmt.Errorf("no slot could be taken within %v", limit)
	}
	step.Store("asking for the load of the slots")
	if load := s.computations.Load(); load.Overdue > limit {
		return fmt.Errorf("a computation has not ended %v after it was cancelled", load.Overdue.Round(time.Second))
	}
	if s.queue == nil {
		return nil
	}
	step.Store("asking the job queue")
	if _, err := s.queue.Stats(ctx); err != nil && errors.Is(context.Cause(ctx), errCheckLimit) && !errors.Is(err, jobs.ErrUnavailable) {
		return fmt.Errorf("the job queue did not answer within %v", limit)
	}
	return nil
}
