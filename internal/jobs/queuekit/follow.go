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
	First jobs.Job                                    // what is sent first
	Get   func(ctx context.Context) (jobs.Job, error) // the job as it is now
	Rung  <-chan struct{}                             // when it may have changed
	Every time.Duration                               // how often to look without having heard anything
	Done  <-chan struct{}                             // when the queue is closed
	Stop  func()                                      // called at the end
}

// pace is the least time between two looks at a job. Progress may come far quicker than anybody reads it.
const pace = 20 * time.Millisecond

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
			case <-f.Rung:
			case <-tick.C:
			}
			job, err := f.Get(ctx)
			pacer.Reset(pace)
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
			select { // it has been overtaken
			case <-ch:
			default:
			}
			ch <- job // nobody else sends
		}
	}()
	return ch
}

func same(a, b jobs.Job) bool {
	return a.Status == b.Status && a.Attempts == b.Attempts && a.PositionInQueue == b.PositionInQueue &&
		a.StartedAt.Equal(b.StartedAt) && bytes.Equal(a.Progress, b.Progress)
}
