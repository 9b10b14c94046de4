package redisqueue_test

import (
	"sync"
	"testing"
	"time"

	"roem/internal/jobs"
	"roem/internal/jobs/redisqueue"
	"roem/internal/redistest"
	"roem/internal/testkit"
)

// opened returns queues with a short lease, which nobody works.
func opened(t *testing.T, n int) (queues []*redisqueue.Queue) {
	t.Helper()
	t.Cleanup(func() { testkit.NoLeaks(t) })
	server := redistest.Start(t, durable())
	for range n {
		q, err := redisqueue.Open(t.Context(), redisqueue.Options{URL: server.URL(), Lease: time.Second})
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { _ = q.Close() })
		queues = append(queues, q)
	}
	return queues
}

func submitted(t *testing.T, q jobs.Queue) string {
	t.Helper()
	job, _, err := q.Submit(t.Context(), jobs.Spec{Kind: "k", Owner: "o"})
	if err != nil {
		t.Fatal(err)
	}
	return job.ID
}

// A claim whose answer was lost is repeated, by its process only, and is given back when its process leaves.
func TestLostClaim(t *testing.T) {
	queues := opened(t, 2)
	here, there := queues[0], queues[1]
	for range 2 {
		submitted(t, here)
	}
	last := submitted(t, here)
	claim := func(q *redisqueue.Queue, lost bool) string {
		t.Helper()
		id, err := q.Claim(t.Context(), lost)
		if err != nil || id == "" {
			t.Fatalf("a claim started %q, %v", id, err)
		}
		return id
	}
	first := claim(here, true)
	if again := claim(here, false); again != first {
		t.Errorf("the repetition started another task")
	}
	if other := claim(there, false); other == first {
		t.Errorf("another process got the same task")
	}
	claim(here, true)
	if job, err := here.Get(t.Context(), last); err != nil || job.Status != jobs.Running || job.Attempts != 1 {
		t.Errorf("claimed: %+v, %v", job, err)
	}
	here.Leave()
	if job, err := here.Get(t.Context(), last); err != nil || job.Status != jobs.Queued || job.Attempts != 0 {
		t.Errorf("given back: %+v, %v", job, err)
	}
	if s, err := here.Stats(t.Context()); err != nil || s.Queued != 1 || s.Running != 2 {
		t.Errorf("%+v, %v", s, err)
	}
}

// A death that several processes find at once is one death: the task does not reach the number of deaths with which it fails.
func TestOneDeath(t *testing.T) {
	queues := opened(t, 4)
	id := submitted(t, queues[0])
	for death := 1; death <= jobs.MaxAttempts; death++ {
		if task, err := queues[0].Claim(t.Context(), false); err != nil || task == "" {
			t.Fatalf("claim %d started %q, %v", death, task, err)
		}
		testkit.Until(t, "the lease expires", func() bool {
			var all sync.WaitGroup
			for _, q := range queues {
				all.Go(func() {
					if err := q.Reap(t.Context()); err != nil {
						t.Error(err)
					}
				})
			}
			all.Wait()
			job, err := queues[0].Get(t.Context(), id)
			return err == nil && job.Status != jobs.Running
		})
		job, err := queues[0].Get(t.Context(), id)
		if err != nil || job.Attempts != death || job.Status != jobs.Queued {
			t.Fatalf("after death %d: %+v, %v", death, job, err)
		}
	}
}
