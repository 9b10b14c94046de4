package queuekit

import (
	"bytes"
	"context"
	"errors"
	"time"

	"roem/internal/jobs"
)

// Following is what Follow needs.
type Following struct {
	First   jobs.Job                                    // is sent first
	Get     func(ctx context.Context) (jobs.Job, error) // returns the job as it is now
	Changed <-chan struct{}                             // receives when the job may have changed
	Every   time.Duration                               // how often to read the job without a notification
	Done    <-chan struct{}                             // is closed when the queue is closed
	Stop    func()                                      // is called at the end
}

// minInterval is the least time between two reads of a job. Progress may change much more often than a client reads it.
const minInterval = 20 * time.Millisecond

// Follow returns the channel of a Queue's Watch.
func Follow(ctx context.Context, f Following) <-chan jobs.Job {
	ch := make(chan jobs.Job, 1)
	ch <- f.First
	go func() {
		defer close(ch)
		defer f.Stop()
		last := f.First
		tick := time.NewTicker(f.Every)
		defer tick.Stop()
		pacer := time.NewTimer(0)
		defer pacer.Stop()
		for !last.Status.Final() {
			select {
			case <-ctx.Done():
				return
			case <-f.Done:
				return
			case <-pacer.C:
			}
			select {
			case <-ctx.Done():
				return
			case <-f.Done:
				return
			case <-f.Changed:
			case <-tick.C:
			}
			job, err := f.Get(ctx)
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
	return ch
}

func same(a, b jobs.Job) bool {
	return a.Status == b.Status && a.Attempts == b.Attempts && a.PositionInQueue == b.PositionInQueue &&
		a.StartedAt.Equal(b.StartedAt) && bytes.Equal(a.Progress, b.Progress)
}
