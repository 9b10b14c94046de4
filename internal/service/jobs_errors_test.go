package service

import (
	"context"
	"testing"
	"time"

	"roem/internal/jobs"
)

// fixedQueue is a queue that has only statistics.
type fixedQueue struct {
	jobs.Queue
	stats jobs.Stats
}

func (q fixedQueue) Stats(context.Context) (jobs.Stats, error) { return q.stats, nil }

// When a client may create a job again follows from what runs and waits: Retry-After is never less than the estimated wait of the job that
// starts next, up to an hour.
func TestRoomAfter(t *testing.T) {
	const each = 20 * time.Minute
	for name, test := range map[string]struct {
		queued int
		want   time.Duration
	}{
		"nothing waits":     {0, 20 * time.Minute},
		"ten jobs wait":     {10, 30 * time.Minute},
		"a hundred wait":    {100, time.Hour},
		"two thousand wait": {2000, time.Hour},
	} {
		stats := jobs.Stats{
			Slots: 2, Running: 2, Queued: test.queued, Cost: time.Duration(test.queued) * each, Left: map[string]time.Duration{"a": each, "b": each},
		}
		s := &Service{queue: fixedQueue{stats: stats}}
		got := s.roomAfter(t.Context())
		if got != test.want {
			t.Errorf("%s: %v, want %v", name, got, test.want)
		}
		if next, known := stats.Wait(1); !known || got < next {
			t.Errorf("%s: room after %v, and the next job starts after %v", name, got, next)
		}
	}
}
