package boltqueue

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"maps"
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
	job, _, err := q.get(ctx, id)
	return job, err
}

func (q *Queue) get(ctx context.Context, id string) (job jobs.Job, taskID string, err error) {
	if err := ctx.Err(); err != nil {
		return job, "", err
	}
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
	before := ^uint64(0) // all jobs of the page have lower numbers
	if o.IDs != nil {
		o.Limit = len(o.IDs)
	} else if o.Token != "" {
		if before, err = queuekit.ParsePageToken(o.Owner, o.Token); err != nil {
			return page, err
		}
	}
	err = q.read(func(t tx) error {
		page = jobs.Page{}
		positions := t.positions()
		ids, err := t.ofOwner(o, before)
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
		return err
	})
	return page, err
}

// ofOwner returns the jobs of an owner with numbers below one, or those with the IDs of the options, in the order of their numbers.
func (t tx) ofOwner(o jobs.ListOptions, before uint64) (ids []string, err error) {
	if o.IDs == nil {
		// The cursor goes forward only: where a page is damaged under it, its way back may never end.
		owner, c := ownerKey(o.Owner), t.in(inOwners).Cursor()
		for k, id := c.Seek(owner); bytes.HasPrefix(k, owner) && bytes.Compare(k, join(owner, big(before))) < 0; k, id = c.Next() {
			ids = append(ids, string(id))
		}
		return ids, nil
	}
	number := map[string]uint64{}
	for _, id := range o.IDs {
		v, ok, err := t.job(id)
		if err != nil {
			return nil, err
		}
		if ok && v.Owner == o.Owner {
			number[id] = v.Number
		}
	}
	return slices.SortedFunc(maps.Keys(number), func(a, b string) int { return cmp.Compare(number[a], number[b]) }), nil
}

// Watch sends the states of a job.
func (q *Queue) Watch(ctx context.Context, id string) (<-chan jobs.Job, error) {
	return q.notifier.Watch(ctx, time.Second, q.done, func(ctx context.Context) (jobs.Job, string, error) { return q.get(ctx, id) })
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
