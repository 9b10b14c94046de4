package redisqueue

import (
	"context"
	"errors"
	"strconv"
	"time"

	"roem/internal/jobs"
	"roem/internal/jobs/queuekit"
)

// Get returns the job.
func (q *Queue) Get(ctx context.Context, id string) (jobs.Job, error) {
	job, _, err := q.get(ctx, id)
	return job, err
}

func (q *Queue) get(ctx context.Context, id string) (job jobs.Job, task string, err error) {
	if err := q.open(ctx); err != nil {
		return job, "", err
	}
	raw, err := q.run(ctx, q.scripts.get, id)
	if err != nil {
		return job, "", err
	}
	if raw == nil {
		return job, "", jobs.ErrNotFound
	}
	a := answer{raw: raw}
	return a.job(), a.text(14), a.err
}

// ReadResult returns a part of a result.
func (q *Queue) ReadResult(ctx context.Context, id string, offset, limit int) ([]byte, error) {
	if err := errors.Join(q.open(ctx), queuekit.CheckPart(offset, limit)); err != nil {
		return nil, err
	}
	raw, err := q.run(ctx, q.scripts.result, id, offset, offset+limit-1)
	if err != nil {
		return nil, err
	}
	part, ok := raw.(string)
	if !ok {
		return nil, jobs.ErrNotFound
	}
	return []byte(part), nil
}

// List returns jobs of an owner.
func (q *Queue) List(ctx context.Context, o jobs.ListOptions) (page jobs.Page, err error) {
	if err := errors.Join(q.open(ctx), queuekit.CheckPage(o)); err != nil {
		return page, err
	}
	before, limit := "+inf", o.Limit
	if o.IDs != nil {
		limit = len(o.IDs)
	} else if o.Token != "" {
		n, err := queuekit.ParsePageToken(o.Owner, o.Token)
		if err != nil {
			return page, err
		}
		before = strconv.FormatUint(n, 10)
	}
	args := []any{digest(o.Owner), before, string(o.Status), limit, flag(o.IDs != nil)}
	for _, id := range o.IDs {
		args = append(args, id)
	}
	raw, err := q.run(ctx, q.scripts.list, args...)
	if err != nil {
		return page, err
	}
	list, _ := raw.([]any)
	for i, one := range list {
		a := answer{raw: one}
		job := a.job()
		if a.err != nil {
			return jobs.Page{}, a.err
		}
		if i == limit {
			last := answer{raw: list[i-1]}
			page.Next = queuekit.PageToken(o.Owner, uint64(last.number(1)))
			break
		}
		page.Jobs = append(page.Jobs, job)
	}
	return page, nil
}

// Watch sends the states of a job.
func (q *Queue) Watch(ctx context.Context, id string) (<-chan jobs.Job, error) {
	return q.notifier.Watch(ctx, pollInterval, q.done, func(ctx context.Context) (jobs.Job, string, error) { return q.get(ctx, id) })
}

// Stats returns the load of the queue.
func (q *Queue) Stats(ctx context.Context) (s jobs.Stats, err error) {
	if err := q.open(ctx); err != nil {
		return s, err
	}
	raw, err := q.run(ctx, q.scripts.stats)
	if err != nil {
		return s, err
	}
	a := answer{raw: raw}
	s = jobs.Stats{
		Queued: int(a.number(0)), Running: int(a.number(1)), MaxQueued: q.options.MaxQueued,
		Oldest: time.Duration(a.number(2)) * time.Microsecond, MeanRun: time.Duration(a.number(3)) * time.Microsecond, Slots: int(a.number(4)),
	}
	s.Cost, s.Left = time.Duration(a.number(5))*time.Microsecond, map[string]time.Duration{}
	running, _ := a.at(6).([]any)
	for _, one := range running {
		r := answer{raw: one}
		task := jobs.Task{Owner: r.text(0), Network: r.text(1)}
		s.Left[task.Taker()] += jobs.TaskLeft(time.Duration(r.number(2))*time.Microsecond, time.Duration(r.number(3))*time.Microsecond)
	}
	return s, a.err
}
