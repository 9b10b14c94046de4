package queuekit

import (
	"bytes"
	"context"
	"errors"
	"time"

	"roem/internal/jobs"
)

// minInterval is the least time between two reads of a job. Progress may change much more often than a client reads it.
const minInterval = 20 * time.Millisecond

// Watch returns the channel of a Queue's Watch. get returns the job as it is now, and its task, whose ID is the topic of its changes; it is
// also called at intervals, in case a notification was lost.
func (n *Notifier) Watch(
	ctx context.Context, every time.Duration, done <-chan struct{}, get func(context.Context) (job jobs.Job, task string, err error),
) (<-chan jobs.Job, error) {
	_, task, err := get(ctx)
	if err != nil {
		return nil, err
	}
	changed, stop := n.Subscribe(task)
	last, _, err := get(ctx) // again: it may have changed before the subscription
	if err != nil {
		stop()
		return nil, err
	}
	ch := make(chan jobs.Job, 1)
	ch <- last
	go func() {
		defer close(ch)
		defer stop()
		tick := time.NewTicker(every)
		defer tick.Stop()
		pacer := time.NewTimer(0)
		defer pacer.Stop()
		for !last.Status.Final() {
			select {
			case <-ctx.Done():
				return
			case <-done:
				return
			case <-pacer.C:
			}
			select {
			case <-ctx.Done():
				return
			case <-done:
				return
			case <-changed:
			case <-tick.C:
			}
			job, _, err := get(ctx)
			pacer.Reset(minInterval)
			switch {
			case errors.Is(err, jobs.ErrNotFound), errors.Is(err, jobs.ErrClosed):
				return
			case err != nil || same(last, job):
				continue
			}
			last = job
			select {
			case ch <- job:
				continue
			default:
			}
			select { // the receiver has not taken the last one: it is replaced
			case <-ch:
			default:
			}
			ch <- job // does not block: no other goroutine sends
		}
	}()
	return ch, nil
}

func same(a, b jobs.Job) bool {
	return a.Status == b.Status && a.Attempts == b.Attempts && a.PositionInQueue == b.PositionInQueue &&
		a.StartedAt.Equal(b.StartedAt) && bytes.Equal(a.Progress, b.Progress)
}
