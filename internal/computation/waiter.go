package computation

import (
	"context"
	"errors"
	"time"
)

// Waiter is one caller that waits for a computation. The computation runs as long as it has a waiter.
type Waiter struct {
	scheduler *Scheduler
	parent    *computation // that waits, constant; nil where a client or a job does
	client    string       // constant
	shared    bool         // constant
	done      chan struct{}
	changed   chan struct{} // has room for one: there is progress

	// The Scheduler's lock guards what follows. result and err are constant once done is closed.
	c        *computation
	urgent   bool
	deadline time.Time // zero for none
	gone     bool      // it has left or has its result
	result   Result
	err      error
}

// isUrgent reports whether a client waits, be it for the computation that waits.
func (w *Waiter) isUrgent() bool {
	if w.parent != nil {
		return w.parent.urgent
	}
	return w.urgent
}

// concerned reports whether the error of a run is this waiter's. Three errors concern only some: a deadline that had passed for the
// others when this one came; a limit of another client; a full queue, where no client waits.
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

// clientNow returns the client that what the waiter needs is charged to.
func (w *Waiter) clientNow() string {
	if w.parent != nil {
		return w.parent.client
	}
	return w.client
}

// notify tells the waiter that there is progress.
func (w *Waiter) notify() {
	select {
	case w.changed <- struct{}{}:
	default: // it has been told and has not looked yet
	}
}

// Done returns a channel that is closed when the result is there.
func (w *Waiter) Done() <-chan struct{} { return w.done }

// Result returns what came of the computation, once Done is closed.
func (w *Waiter) Result() (Result, error) { return w.result, w.err }

// Wait returns the result, or the error of ctx once that has ended, after which the waiter has left. progress, which may be nil, is
// called in this goroutine whenever the computation has reported something new.
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

// end leaves because ctx has ended. A result that is there by now is returned.
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

// Leave ends the wait. The last waiter that leaves cancels the computation. It can be repeated, and does nothing once the result
// is there.
func (w *Waiter) Leave() { w.leave() }

func (w *Waiter) leave() *run {
	w.scheduler.mu.Lock()
	defer w.scheduler.mu.Unlock()
	return w.scheduler.leave(w, time.Now())
}

// SetBackground says that no client waits for the result any more: a job does.
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

// Progress returns how far the computation is.
func (w *Waiter) Progress() Progress {
	w.scheduler.mu.Lock()
	defer w.scheduler.mu.Unlock()
	return w.c.progress
}
