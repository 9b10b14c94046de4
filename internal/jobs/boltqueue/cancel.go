package boltqueue

import (
	"context"

	"roem/internal/jobs"
)

// Cancel ends the job.
func (q *Queue) Cancel(ctx context.Context, id string) (jobs.Job, error) {
	if job, err := q.Get(ctx, id); err != nil || job.Status.Final() {
		return job, err
	}
	var taskID string
	var stopped bool
	err := q.update(func(t tx) error {
		stopped = false
		v, w, err := q.find(t, id)
		if err != nil {
			return err
		}
		taskID = v.Task
		if v.Cancelled != 0 || w.Status.Final() {
			return nil
		}
		now := q.options.Now()
		v.Cancelled = now.UnixNano()
		if err := t.expire(id, &v, &w, now.Add(q.options.Retention)); err != nil {
			return err
		}
		if w.Live--; w.Live == 0 {
			stopped = true
			if w.Status == jobs.Queued {
				if err := t.dequeue(&w); err != nil {
					return err
				}
			}
			if err := t.charge(&w, now); err != nil {
				return err
			}
			if err := t.finish(v.Task, &w, jobs.Cancelled, now, q.options.Retention); err != nil {
				return err
			}
		} else if err := t.handOver(v.Task, &w, v.Owner); err != nil {
			return err
		}
		return t.put(inTasks, v.Task, w)
	})
	if err != nil {
		return jobs.Job{}, err
	}
	if stopped {
		q.workers.Stop(taskID)
	}
	q.notifier.Notify(taskID)
	return q.Get(ctx, id)
}
