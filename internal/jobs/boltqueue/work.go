package boltqueue

import (
	"context"
	"time"

	"go.uber.org/zap"

	"roem/internal/jobs"
	"roem/internal/jobs/queuekit"
)

// pollInterval is how often Work looks for tasks without a notification, and whether an attempt has had its turn.
const pollInterval = 250 * time.Millisecond

// Work runs tasks with the handler.
func (q *Queue) Work(ctx context.Context, handler jobs.Handler, concurrency int) error {
	return q.workers.Work(ctx, handler, concurrency, q.closed, q.claimLoop)
}

func (q *Queue) closed() bool { return queuekit.Closed(q.done) }

// claimLoop starts tasks whenever one waits and a slot is free, until the context ends.
func (q *Queue) claimLoop(w *queuekit.Working) error {
	tick := time.NewTicker(pollInterval)
	defer tick.Stop()
	for {
		r, err := q.claim(w)
		switch {
		case w.Ctx.Err() != nil:
			if r != nil { // it was started at the last moment, and is given back
				q.workers.Start(w, r)
			}
			return nil
		case q.closed():
			return jobs.ErrClosed
		case err != nil:
			q.options.Log.Warn("starting a task", zap.Error(err))
		case r != nil:
			q.workers.Start(w, r)
			continue
		}
		select {
		case <-w.Ctx.Done():
		case <-q.done:
		case <-q.workers.ClaimingStopped():
			select { // Submit still starts local tasks
			case <-w.Ctx.Done():
				return nil
			case <-q.done:
				return jobs.ErrClosed
			}
		case <-q.wake:
		case <-tick.C:
		}
	}
}

// claim starts an attempt at the first waiting task that has room and returns its run. It returns nil if there is none.
func (q *Queue) claim(w *queuekit.Working) (*run, error) {
	room := q.workers.Room(w)
	if room.Full() || queuekit.Closed(q.workers.ClaimingStopped()) {
		return nil, nil // no run and no error: there is nothing to start
	}
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
		if err := t.dequeue(&first); err != nil {
			return err
		}
		if err := t.reached(first.Turn); err != nil {
			return err
		}
		if err := t.begin(id, &first, q.options.Now()); err != nil {
			return err
		}
		r = newRun(t, id, first, false)
		return t.put(inTasks, id, first)
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

func (q *Queue) wakeWorkers() {
	select {
	case q.wake <- struct{}{}:
	default:
	}
}
