package redisqueue

import (
	"context"

	"roem/internal/jobs"
)

// Cancel ends the job.
func (q *Queue) Cancel(ctx context.Context, id string) (jobs.Job, error) {
	if err := q.open(ctx); err != nil {
		return jobs.Job{}, err
	}
	raw, err := q.sure(ctx, q.scripts.cancel, id)
	if err != nil {
		return jobs.Job{}, err
	}
	if n, _ := raw.(int64); n == 0 {
		return jobs.Job{}, jobs.ErrNotFound
	}
	return q.Get(ctx, id)
}
