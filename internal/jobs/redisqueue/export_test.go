package redisqueue

import (
	"context"

	"roem/internal/jobs/queuekit"
)

// Claim starts the first waiting task without running it, and returns its ID; empty for none. If the answer is lost, the next claim repeats
// it.
func (q *Queue) Claim(ctx context.Context, lost bool) (task string, err error) {
	r, err := q.claim(ctx, queuekit.Room{Free: true})
	if lost {
		q.claims--
	}
	if r == nil {
		return "", err
	}
	return r.Task.ID, err
}

// Leave gives back what the last claim has started, if its answer was lost.
func (q *Queue) Leave() { q.leave() }

// Reap ends the attempts whose leases have expired.
func (q *Queue) Reap(ctx context.Context) error { return q.reap(ctx) }
