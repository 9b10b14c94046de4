package jobstest

import (
	"context"
	"fmt"
	"sync"
	"sync/atomic"
	"testing"

	"roem/internal/jobs"
)

// Throughput submits jobs that take no time, of 8 owners at once, while queues of the store run them on slots each, until all have ended.
func Throughput(b *testing.B, store Store, queues, slots int) {
	b.Helper()
	ctx, cancel := context.WithCancel(context.Background())
	defer cancel()
	var ended atomic.Int64
	all := make(chan struct{})
	handler := func(ctx context.Context, _ jobs.Task, _ func([]byte)) ([]byte, error) {
		err := ctx.Err()
		if ended.Add(1) == int64(b.N) {
			close(all)
		}
		return []byte("ok"), err
	}
	var working sync.WaitGroup
	var front jobs.Queue
	for range queues {
		front = store.Open(b, jobs.Options{MaxQueued: 1 << 20})
		q := front
		working.Go(func() {
			if err := q.Work(ctx, handler, slots); err != nil {
				b.Error(err)
			}
			if err := q.Close(); err != nil && q != front {
				b.Error(err)
			}
		})
	}
	b.ResetTimer()
	var submitting sync.WaitGroup
	const owners = 8
	for owner := range owners {
		submitting.Go(func() {
			for n := owner; n < b.N; n += owners {
				if _, _, err := front.Submit(ctx, jobs.Spec{Kind: "k", Owner: fmt.Sprint(owner), Payload: []byte("p")}); err != nil {
					b.Error(err)
				}
			}
		})
	}
	submitting.Wait()
	<-all
	cancel()
	working.Wait() // all ends are written
	b.ReportMetric(float64(b.N)/b.Elapsed().Seconds(), "jobs/s")
}
