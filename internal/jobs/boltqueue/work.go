package boltqueue

import (
	"context"
	"sync"
	"time"

	"go.uber.org/zap"

	"roem/internal/jobs"
	"roem/internal/jobs/queuekit"
)

const (
	pollInterval = time.Second            // how often Work looks for tasks without a notification
	retryDelay   = 200 * time.Millisecond // between two tries to write to a disk that fails
)

// working is a running call of Work.
type working struct {
	ctx         context.Context
	handler     jobs.Handler
	concurrency int
	runs        sync.WaitGroup

	// Guarded by Queue.mu.
	active int  // runs in slots
	alone  bool // the active run must be the only one
}

// join returns the running Work, or nil. The Work does not return before the caller has called runs.Done.
func (q *Queue) join() *working {
	q.mu.Lock()
	defer q.mu.Unlock()
	if q.working != nil {
		q.working.runs.Add(1)
	}
	return q.working
}

// Work runs tasks with the handler.
func (q *Queue) Work(ctx context.Context, handler jobs.Handler, concurrency int) error {
	w := &working{ctx: ctx, handler: handler, concurrency: max(0, concurrency)}
	q.mu.Lock()
	switch {
	case q.closed():
		q.mu.Unlock()
		return jobs.ErrClosed
	case q.working != nil:
		q.mu.Unlock()
		return jobs.ErrWorking
	}
	q.working = w
	q.mu.Unlock()

	err := q.claimLoop(w)

	q.mu.Lock()
	q.working = nil // so that join returns nil
	q.mu.Unlock()
	w.runs.Wait()
	return err
}

func (q *Queue) closed() bool { return queuekit.Closed(q.done) }

// claimLoop starts tasks whenever one waits and a slot is free, until the context ends.
func (q *Queue) claimLoop(w *working) error {
	tick := time.NewTicker(pollInterval)
	defer tick.Stop()
	for {
		r, err := q.claim(w)
		switch {
		case w.ctx.Err() != nil:
			if r != nil { // it was started at the last moment, and is given back
				q.start(w, r)
			}
			return nil
		case q.closed():
			return jobs.ErrClosed
		case err != nil:
			q.options.Log.Warn("starting a task", zap.Error(err))
		case r != nil:
			q.start(w, r)
			continue
		}
		select {
		case <-w.ctx.Done():
		case <-q.done:
		case <-q.claimingStopped:
			select { // Submit still starts local tasks
			case <-w.ctx.Done():
				return nil
			case <-q.done:
				return jobs.ErrClosed
			}
		case <-q.wake:
		case <-tick.C:
		}
	}
}

// claim starts an attempt at the first waiting task and returns its run. It returns nil if no task waits or no slot is free.
// A task with AloneFrom deaths runs alone, so that no other task is counted at its next death.
func (q *Queue) claim(w *working) (*run, error) {
	q.mu.Lock()
	active, alone := w.active, w.alone
	q.mu.Unlock()
	if active >= w.concurrency || alone || queuekit.Closed(q.claimingStopped) {
		return nil, nil //nolint:nilnil // no run and no error: there is nothing to start
	}
	var id string
	var first taskRecord
	find := func(t tx) (err error) {
		_, raw := t.in(inQueue).Cursor().First()
		if id = string(raw); id != "" {
			first, err = t.task(id)
		}
		if err == nil && first.Deaths.Count >= queuekit.AloneFrom && active > 0 {
			id = ""
		}
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

func (q *Queue) wakeWorkers() {
	select {
	case q.wake <- struct{}{}:
	default:
	}
}
