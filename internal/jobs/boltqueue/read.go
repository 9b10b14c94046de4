package boltqueue

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"slices"
	"time"

	"roem/internal/jobs"
	"roem/internal/jobs/queuekit"
)

func expired(v jobRecord, now time.Time) bool { return v.Expires != 0 && v.Expires <= now.UnixNano() }

// find returns a job and its task, or ErrNotFound.
func (q *Queue) find(t tx, id string) (jobRecord, taskRecord, error) {
	v, ok, err := t.job(id)
	if err != nil {
		return v, taskRecord{}, err
	}
	if !ok || expired(v, q.options.Now()) {
		return v, taskRecord{}, jobs.ErrNotFound
	}
	w, err := t.task(v.Task)
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

func (q *Queue) get(id string) (job jobs.Job, taskID string, err error) {
	err = q.read(func(t tx) error {
		v, w, err := q.find(t, id)
		if err != nil {
			return err
		}
		job, taskID = t.describe(id, v, w), v.Task
		switch job.Status {
		case jobs.Queued:
			job.PositionInQueue = t.position(w)
		case jobs.Running:
			job.Progress = q.progress(v.Task, w.Epoch)
		case jobs.Succeeded:
			job.ResultSize = len(t.in(inResult).Get([]byte(v.Task)))
			job.Progress = w.Progress
		case jobs.Failed:
			job.Progress = w.Progress
		}
		return nil
	})
	return job, taskID, err
}

// ReadResult returns a part of a result. Each part is read in a transaction of its own: a long one would keep the file from reusing
// pages.
func (q *Queue) ReadResult(ctx context.Context, id string, offset, limit int) (part []byte, err error) {
	if err := errors.Join(ctx.Err(), queuekit.CheckPart(offset, limit)); err != nil {
		return nil, err
	}
	err = q.read(func(t tx) error {
		v, w, err := q.find(t, id)
		if err != nil {
			return err
		}
		if w.Status != jobs.Succeeded || v.Cancelled != 0 {
			return jobs.ErrNotFound
		}
		result := t.in(inResult).Get([]byte(v.Task))
		result = result[min(offset, len(result)):]
		part = bytes.Clone(result[:min(limit, len(result))])
		return nil
	})
	return part, err
}

// List returns jobs of an owner.
func (q *Queue) List(ctx context.Context, o jobs.ListOptions) (page jobs.Page, err error) {
	if err := errors.Join(ctx.Err(), queuekit.CheckPage(o)); err != nil {
		return page, err
	}
	if o.IDs != nil {
		return q.listIDs(o)
	}
	owner := queuekit.Digest(ownerList, o.Owner)
	before := ^uint64(0) // all jobs of the page have lower numbers
	if o.Token != "" {
		if before, err = queuekit.ParsePageToken(o.Owner, o.Token); err != nil {
			return page, err
		}
	}
	err = q.read(func(t tx) error {
		page = jobs.Page{}
		positions := t.positions()
		// The cursor goes forward only: where a page is damaged under it, its way back may never end.
		var ids []string
		c := t.in(inOwners).Cursor()
		for k, id := c.Seek(owner); bytes.HasPrefix(k, owner) && bytes.Compare(k, join(owner, big(before))) < 0; k, id = c.Next() {
			ids = append(ids, string(id))
		}
		var last uint64
		for _, id := range slices.Backward(ids) {
			v, w, err := q.find(t, id)
			switch {
			case errors.Is(err, jobs.ErrNotFound):
				continue
			case err != nil:
				return err
			}
			job := t.describe(id, v, w)
			if o.Status != "" && job.Status != o.Status {
				continue
			}
			if len(page.Jobs) == o.Limit {
				page.Next = queuekit.PageToken(o.Owner, last)
				return nil
			}
			if job.Status == jobs.Queued {
				job.PositionInQueue = positions[v.Task]
			}
			last = v.Number
			page.Jobs = append(page.Jobs, job)
		}
		return nil
	})
	return page, err
}

// listIDs returns jobs of an owner by their IDs.
func (q *Queue) listIDs(o jobs.ListOptions) (page jobs.Page, err error) {
	err = q.read(func(t tx) error {
		page = jobs.Page{}
		positions := t.positions()
		number := map[string]uint64{}
		for _, id := range o.IDs {
			v, w, err := q.find(t, id)
			if err != nil && !errors.Is(err, jobs.ErrNotFound) {
				return err
			}
			_, twice := number[id]
			if err != nil || twice || v.Owner != o.Owner {
				continue
			}
			job := t.describe(id, v, w)
			if o.Status != "" && job.Status != o.Status {
				continue
			}
			if job.Status == jobs.Queued {
				job.PositionInQueue = positions[v.Task]
			}
			number[id] = v.Number
			page.Jobs = append(page.Jobs, job)
		}
		slices.SortFunc(page.Jobs, func(a, b jobs.Job) int { return cmp.Compare(number[b.ID], number[a.ID]) })
		return nil
	})
	return page, err
}

// Watch sends the states of a job.
func (q *Queue) Watch(ctx context.Context, id string) (<-chan jobs.Job, error) {
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	_, taskID, err := q.get(id)
	if err != nil {
		return nil, err
	}
	changed, stop := q.notifier.Subscribe(taskID)
	first, _, err := q.get(id) // again: it may have changed before the subscription
	if err != nil {
		stop()
		return nil, err
	}
	return queuekit.Follow(ctx, queuekit.Following{
		First: first, Changed: changed, Every: time.Second, Done: q.done, Stop: stop,
		Get: func(ctx context.Context) (jobs.Job, error) { return q.Get(ctx, id) },
	}), nil
}

// Check looks for damage of the file, and writes to it.
func (q *Queue) Check(ctx context.Context) error {
	if err := ctx.Err(); err != nil {
		return err
	}
	if err := q.use(q.file.Verify()); err != nil {
		return err
	}
	return q.update(func(t tx) error { return t.setNumber(checkedKey, uint64(q.options.Now().UnixNano())) })
}

// statsOver is how many waiting tasks Stats reads.
const statsOver = 1000

// Stats returns the load of the queue.
func (q *Queue) Stats(ctx context.Context) (s jobs.Stats, err error) {
	if err := ctx.Err(); err != nil {
		return s, err
	}
	s.Slots, s.MaxQueued = q.workers.Slots(), q.options.MaxQueued
	err = q.read(func(t tx) error {
		s = jobs.Stats{Queued: t.queued(), MaxQueued: s.MaxQueued, Slots: s.Slots, Left: map[string]time.Duration{}}
		now := q.options.Now()
		if err := t.in(inRunning).ForEach(func(id, _ []byte) error {
			w, err := t.task(string(id))
			s.Running++
			s.Left[w.taker()] += jobs.TaskLeft(time.Duration(w.Cost)*time.Microsecond, now.Sub(moment(w.Started)))
			return err
		}); err != nil {
			return err
		}
		s.MeanRun = time.Duration(t.number(meanKey))
		oldest := int64(0)
		c, left := t.in(inQueue).Cursor(), statsOver
		for k, id := c.First(); k != nil && left > 0; k, id = c.Next() {
			w, err := t.task(string(id))
			if err != nil {
				return err
			}
			s.Cost += time.Duration(w.Cost) * time.Microsecond
			if oldest == 0 || w.Created < oldest {
				oldest = w.Created
			}
			left--
		}
		if oldest != 0 {
			s.Oldest = max(0, now.Sub(moment(oldest)))
		}
		return nil
	})
	return s, err
}
