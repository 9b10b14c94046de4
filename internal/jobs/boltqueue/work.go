package boltqueue

import (
	"context"
	"errors"

	"roem/internal/jobs"
	"roem/internal/jobs/queuekit"
)

// Work runs tasks with the handler.
func (q *Queue) Work(ctx context.Context, handler jobs.Handler, concurrency int) error {
	return q.workers.Work(ctx, handler, concurrency)
}

// claim starts an attempt at the first waiting task that has room and returns its run. It returns nil if there is none.
func (q *Queue) claim(_ context.Context, room queuekit.Room) (*run, error) {
	var id string
	var first taskRecord
	find := func(t tx) (err error) {
		id, first, err = t.first(room)
		return err
	}
	if err := q.read(find); err != nil || id == "" {
		return nil, err
	}
	var r *run
	err := q.update(func(t tx) error {
		r = nil
		if err := find(t); err != nil || id == "" {
			return err
		}
		started, err := t.start(id, &first, q.options.Now(), false)
		if err == nil {
			r, err = started, errors.Join(t.reached(first.Turn), t.put(inTasks, id, first))
		}
		return err
	})
	if err != nil {
		return nil, err
	}
	return r, nil
}

// claimOver is how many waiting tasks are looked at for one of another owner.
const claimOver = 1000

// first returns the first waiting task for which there is room, or no id.
func (t tx) first(room queuekit.Room) (id string, w taskRecord, err error) {
	c, left := t.in(inQueue).Cursor(), claimOver
	for k, raw := c.First(); k != nil && left > 0; k, raw = c.Next() {
		if w, err = t.task(string(raw)); err != nil {
			return "", w, err
		}
		switch fits, stop := room.Fits(w.taker(), w.Deaths.Count); {
		case fits:
			return string(raw), w, nil
		case stop:
			return "", w, nil
		}
		left--
	}
	return "", w, nil
}
