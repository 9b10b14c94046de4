package boltqueue

import (
	"context"
	"errors"

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
		err = t.expire(id, &v, &w, now.Add(q.options.Retention))
		w.Live--
		switch stopped = w.Live == 0; {
		case err != nil:
		case !stopped:
			err = t.handOver(v.Task, &w, v.Owner)
		case w.Status == jobs.Queued:
			err = t.dequeue(&w)
			fallthrough
		default:
			err = errors.Join(err, t.charge(&w, now))
			if err == nil {
				err = t.finish(v.Task, &w, jobs.Cancelled, now, q.options.Retention)
			}
		}
		if err != nil {
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
