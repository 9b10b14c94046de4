package boltqueue

import (
	"bytes"
	"context"
	"errors"
	"time"

	"roem/internal/jobs"
	"roem/internal/jobs/queuekit"
)

func expired(v view, now time.Time) bool { return v.Expires != 0 && v.Expires <= now.UnixNano() }

// find returns a job and its work, or ErrNotFound.
func (q *Queue) find(t tx, id string) (view, work, error) {
	v, ok, err := t.view(id)
	if err != nil {
		return v, work{}, err
	}
	if !ok || expired(v, q.options.Now()) {
		return v, work{}, jobs.ErrNotFound
	}
	w, err := t.work(v.Work)
	return v, w, err
}

// Get returns the job.
func (q *Queue) Get(ctx context.Context, id string) (jobs.Job, error) {
	if err := ctx.Err(); err != nil {
		return jobs.Job{}, err
	}
	job, _, err := q.get(id)
	return job, err
}

func (q *Queue) get(id string) (job jobs.Job, workID string, err error) {
	err = q.view(func(t tx) error {
		v, w, err := q.find(t, id)
		if err != nil {
			return err
		}
		job, workID = t.job(id, v, w), v.Work
		job.Payload = bytes.Clone(t.in(inPayload).Get([]byte(id)))
		switch job.Status {
		case jobs.Queued:
			job.PositionInQueue = t.position(w)
		case jobs.Running:
			job.Progress = q.progress(v.Work, w.Epoch)
		case jobs.Succeeded:
			job.Result = append([]byte{}, t.in(inResult).Get([]byte(v.Work))...)
			job.Progress = w.Progress
		case jobs.Failed:
			job.Progress = w.Progress
		}
		return nil
	})
	return job, workID, err
}

// List returns jobs of an owner.
func (q *Queue) List(ctx context.Context, o jobs.ListOptions) (page jobs.Page, err error) {
	if err := errors.Join(ctx.Err(), queuekit.CheckLimit(o.Limit)); err != nil {
		return page, err
	}
	owner := queuekit.Digest(ownerList, o.Owner)
	before := ^uint64(0) // the number that the page ends before
	if o.Token != "" {
		if before, err = queuekit.ParsePageToken(o.Owner, o.Token); err != nil {
			return page, err
		}
	}
	err = q.view(func(t tx) error {
		page = jobs.Page{}
		positions := t.positions()
		c := t.in(inOwners).Cursor()
		step := c.Prev
		if k, _ := c.Seek(join(owner, big(before))); k == nil { // past the end, which Prev does not come back from
			step = c.Last
		}
		var last uint64
		for {
			k, id := step()
			step = c.Prev
			if !bytes.HasPrefix(k, owner) {
				return nil
			}
			v, w, err := q.find(t, string(id))
			switch {
			case errors.Is(err, jobs.ErrNotFound):
				continue
			case err != nil:
				return err
			}
			job := t.job(string(id), v, w)
			if o.Status != "" && job.Status != o.Status {
				continue
			}
			if len(page.Jobs) == o.Limit {
				page.Next = queuekit.PageToken(o.Owner, last)
				return nil
			}
			if job.Status == jobs.Queued {
				job.PositionInQueue = positions[v.Work]
			}
			last = v.Number
			page.Jobs = append(page.Jobs, job)
		}
	})
	return page, err
}

// Watch follows a job.
func (q *Queue) Watch(ctx context.Context, id string) (<-chan jobs.Job, error) {
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	_, workID, err := q.get(id)
	if err != nil {
		return nil, err
	}
	rung, stop := q.bell.Listen(workID)
	first, _, err := q.get(id) // once more: it may have changed before anybody listened
	if err != nil {
		stop()
		return nil, err
	}
	return queuekit.Follow(ctx, queuekit.Following{
		First: first, Rung: rung, Every: time.Second, Done: q.done, Stop: stop,
		Get: func(ctx context.Context) (jobs.Job, error) { return q.Get(ctx, id) },
	}), nil
}

// Stats returns how busy the queue is.
func (q *Queue) Stats(ctx context.Context) (s jobs.Stats, err error) {
	if err := ctx.Err(); err != nil {
		return s, err
	}
	q.mu.Lock()
	if q.working != nil && !queuekit.Closed(q.resting) {
		s.Slots = q.working.concurrency
	}
	q.mu.Unlock()
	s.MaxQueued = q.options.MaxQueued
	err = q.view(func(t tx) error {
		s.Queued, s.Running = t.queued(), t.in(inRunning).Stats().KeyN
		s.MeanRun = time.Duration(t.number(meanKey))
		oldest := int64(0)
		c := t.in(inQueue).Cursor()
		for k, id := c.First(); k != nil; k, id = c.Next() {
			w, err := t.work(string(id))
			if err != nil {
				return err
			}
			if oldest == 0 || w.Created < oldest {
				oldest = w.Created
			}
			if w.Attempts == 0 { // those behind came later
				break
			}
		}
		if oldest != 0 {
			s.Oldest = max(0, q.options.Now().Sub(moment(oldest)))
		}
		return nil
	})
	return s, err
}
