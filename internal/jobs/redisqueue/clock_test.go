package redisqueue_test

import (
	"context"
	"testing"
	"time"

	"roem/internal/jobs"
	"roem/internal/jobs/redisqueue"
	"roem/internal/redistest"
	"roem/internal/testkit"
)

// A process whose clock is wrong reads and removes jobs as the others do: all use the clock of Redis.
func TestWrongClock(t *testing.T) {
	t.Cleanup(func() { testkit.NoLeaks(t) })
	server := redistest.Start(t, durable())
	opened := func(off time.Duration) *redisqueue.Queue {
		t.Helper()
		q, err := redisqueue.Open(t.Context(), redisqueue.Options{
			Options: jobs.Options{Retention: time.Minute, Now: func() time.Time { return time.Now().Add(off) }}, URL: server.URL(), Lease: lease,
		})
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { _ = q.Close() })
		return q
	}
	right, wrong := opened(0), opened(61*time.Minute)
	ctx, cancel := context.WithCancel(context.Background())
	worked := make(chan error, 1)
	go func() {
		worked <- right.Work(ctx, func(context.Context, jobs.Task, func([]byte)) ([]byte, error) { return nil, nil }, 1)
	}()
	defer func() {
		cancel()
		if err := <-worked; err != nil {
			t.Error(err)
		}
	}()
	ends := func(q *redisqueue.Queue) jobs.Job {
		t.Helper()
		job, _, err := q.Submit(ctx, jobs.Spec{Kind: "script", Owner: "o"})
		if err != nil {
			t.Fatal(err)
		}
		watch, err := right.Watch(ctx, job.ID)
		if err != nil {
			t.Fatal(err)
		}
		for job = range watch {
		}
		return job
	}
	id := ends(right).ID
	if job := ends(wrong); !job.Status.Final() || job.CreatedAt.After(time.Now().Add(time.Minute)) {
		t.Errorf("submitted by the wrong clock: %+v", job)
	}
	if _, err := wrong.Get(ctx, id); err != nil {
		t.Errorf("Get with the wrong clock: %v", err)
	}
	time.Sleep(3500 * time.Millisecond) // both have swept: each does in every 3 s
	for name, q := range map[string]*redisqueue.Queue{"right": right, "wrong": wrong} {
		if page, err := q.List(ctx, jobs.ListOptions{Owner: "o", Limit: 10}); err != nil || len(page.Jobs) != 2 {
			t.Errorf("List with the %s clock, after both have swept: %d jobs, %v; want 2", name, len(page.Jobs), err)
		}
	}
}
