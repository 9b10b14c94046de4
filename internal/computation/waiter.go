package computation

import (
	"context"
	"errors"
	"time"
)

// Waiter is one caller that waits for a computation. A computation runs while it has a waiter.
type Waiter struct {
	scheduler *Scheduler
	parent    *computation // the computation that waits, constant; nil for a client or a job
	payer     payer        // constant
	shared    bool         // constant
	done      chan struct{}
	changed   chan struct{} // has capacity 1; an element means new progress

	// The Scheduler's lock guards the fields below. result and err are constant after done is closed.
	c        *computation
	urgent   bool
	deadline time.Time // zero for none
	gone     bool      // it has left or has its result
	result   Result
	err      error
}

// isUrgent reports whether a client waits, directly or for a computation that waits.
func (w *Waiter) isUrgent() bool {
	if w.parent != nil {
		return w.parent.urgent
	}
	return w.urgent
}

// concerned reports whether the error of a run is a result for this waiter. Three errors concern only some waiters: a deadline that
// passed before this waiter joined, a limit of another client, and a full queue if no client waits.
func (w *Waiter) concerned(err error, extended bool, now time.Time) bool {
	if limited, ok := errors.AsType[*LimitedError](err); ok {
		return w.clientNow() == limited.Client
	}
	if _, ok := errors.AsType[*BusyError](err); ok {
		return w.isUrgent()
	}
	if extended && errors.Is(err, context.DeadlineExceeded) {
		return !w.deadline.IsZero() && !now.Before(w.deadline)
	}
	return true
}

// clientNow returns the client that is charged for the waiter.
func (w *Waiter) clientNow() string {
	if w.parent != nil {
		return w.parent.request.payer.client
	}
	return w.payer.client
}

// notify notifies the waiter of progress.
func (w *Waiter) notify() {
	select {
	case w.changed <- struct{}{}:
	default: // a notification is already pending
	}
}

// Done returns a channel that is closed when the result exists.
func (w *Waiter) Done() <-chan struct{} { return w.done }

// Result returns the result of the computation after Done is closed.
func (w *Waiter) Result() (Result, error) { return w.result, w.err }

// Wait returns the result. If ctx ends first, it leaves and returns the error of ctx. progress, unless nil, is called in this goroutine
// after each report.
func (w *Waiter) Wait(ctx context.Context, progress func(Progress)) (Result, error) {
	return w.wait(ctx, progress, 0)
}

func (w *Waiter) wait(ctx context.Context, progress func(Progress), linger time.Duration) (Result, error) {
	var changed chan struct{}
	if progress != nil {
		changed = w.changed
	}
	for {
		select {
		case <-w.done:
			select {
			case <-changed:
				progress(w.Progress())
			default:
			}
			return w.result, w.err
		case <-changed:
			progress(w.Progress())
		case <-ctx.Done():
			return w.end(ctx, linger)
		}
	}
}

// end leaves because ctx has ended. If there is a result, it is returned.
func (w *Waiter) end(ctx context.Context, linger time.Duration) (Result, error) {
	cancelled := w.leave()
	select {
	case <-w.done:
		return w.result, w.err
	default:
	}
	if cancelled == nil || linger <= 0 {
		return Result{}, ctx.Err()
	}
	timer := time.NewTimer(linger)
	defer timer.Stop()
	select {
	case <-cancelled.ended:
		return Result{Partial: cancelled.partial}, ctx.Err()
	case <-timer.C:
		return Result{}, ctx.Err()
	}
}

// Leave ends the wait. If it is the last waiter, the computation is cancelled. Leave can be called again, and has no effect if there is
// a result.
func (w *Waiter) Leave() { w.leave() }

func (w *Waiter) leave() *run {
	w.scheduler.mu.Lock()
	defer w.scheduler.mu.Unlock()
	return w.scheduler.leave(w, w.scheduler.now())
}

// SetBackground records that a job waits for the result instead of a client.
func (w *Waiter) SetBackground() {
	w.scheduler.mu.Lock()
	defer w.scheduler.mu.Unlock()
	w.urgent = false
	if !w.gone {
		w.scheduler.reconsider(w.c)
	}
}

// Begun reports whether the computation, or one that it waits for, has had a slot.
func (w *Waiter) Begun() bool {
	w.scheduler.mu.Lock()
	defer w.scheduler.mu.Unlock()
	return w.c.begun
}

// Progress returns the progress of the computation.
func (w *Waiter) Progress() Progress {
	w.scheduler.mu.Lock()
	defer w.scheduler.mu.Unlock()
	return w.c.progress
}
