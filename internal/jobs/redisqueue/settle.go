package redisqueue

import (
	"context"

	"roem/internal/jobs/decide"
)

// settle stores the end of an attempt, if the run still has its task.
func (q *Queue) settle(ctx context.Context, r *run, end decide.End) (held bool, err error) {
	ctx, cancel := context.WithTimeout(ctx, callTimeout)
	defer cancel()
	fields := []any{
		"attempts", r.Task.Attempt + end.Attempts, "failures", r.Failures + end.Failures,
		"failure", string(end.Failure), "error", end.Error, "progress", r.Progress(),
	}
	if end.Forget {
		fields = append(fields, "state", "")
	}
	return q.end(ctx, q.options.Replicas, r.Task.ID, r.epoch, end, fields)
}

// end stores the end of the attempt at a task, and fields of the task, unless the task has been taken.
func (q *Queue) end(ctx context.Context, replicas int, task, epoch string, end decide.End, fields []any) (held bool, err error) {
	args := append([]any{task, epoch, string(end.Status), end.Result, flag(end.Charge), flag(end.InPlace)}, fields...)
	raw, err := q.replicated(ctx, replicas, q.scripts.settle, args)
	n, _ := raw.(int64)
	return n == 1, err
}
