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
	lookAnyway = time.Second            // how often workers look for work without having been told of any
	tryAgain   = 200 * time.Millisecond // between attempts to write to a disk that fails
)

// working is a Work under way.
type working struct {
	ctx         context.Context
	handler     jobs.Handler
	concurrency int
	runs        sync.WaitGroup

	// Guarded by Queue.mu.
	active int  // runs in slots
	alone  bool // the one active run must have no other beside it
}

// join returns the Work under way, which does not end before runs.Done is called, or nil.
func (q *Queue) join() *working {
	q.mu.Lock()
	defer q.mu.Unlock()
	if q.working != nil {
		q.working.runs.Add(1)
	}
	return q.working
}

// Work has tasks worked by the handler.
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

	err := q.claiming(w)

	q.mu.Lock()
	q.working = nil // nobody joins any more
	q.mu.Unlock()
	w.runs.Wait()
	return err
}

func (q *Queue) closed() bool { return queuekit.Closed(q.done) }

// claiming begins work whenever there is some and a slot for it, until the context ends.
func (q *Queue) claiming(w *working) error {
	tick := time.NewTicker(lookAnyway)
	defer tick.Stop()
	for {
		r, err := q.claim(w)
		switch {
		case w.ctx.Err() != nil:
			if r != nil { // it was begun at the last moment, and is given back
				q.start(w, r)
			}
			return nil
		case q.closed():
			return jobs.ErrClosed
		case err != nil:
			q.options.Log.Warn("beginning a job", zap.Error(err))
		case r != nil:
			q.start(w, r)
			continue
		}
		select {
		case <-w.ctx.Done():
		case <-q.done:
		case <-q.resting:
			select { // local work is still begun, by Submit
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

// claim begins the oldest work that waits and returns its run, nil where there is none or no slot for it. Work over which
// processes have died twice runs alone, so that nothing else shares its blame if one does so again.
func (q *Queue) claim(w *working) (*run, error) {
	q.mu.Lock()
	active, alone := w.active, w.alone
	q.mu.Unlock()
	if active >= w.concurrency || alone || queuekit.Closed(q.resting) {
		return nil, nil //nolint:nilnil // no run and no error: there is nothing to begin
	}
	var id string
	var oldest work
	find := func(t tx) (err error) {
		_, raw := t.in(inQueue).Cursor().First()
		if id = string(raw); id != "" {
			oldest, err = t.work(id)
		}
		if err == nil && oldest.Deaths.Count >= queuekit.AloneFrom && active > 0 {
			id = ""
		}
		return err
	}
	if err := q.view(find); err != nil || id == "" {
		return nil, err
	}
	var r *run
	err := q.update(func(t tx) error {
		r = nil
		if err := find(t); err != nil || id == "" {
			return err
		}
		if err := t.dequeue(oldest.Place); err != nil {
			return err
		}
		if err := t.begin(id, &oldest, q.options.Now()); err != nil {
			return err
		}
		r = newRun(t, id, oldest, false)
		return t.put(inWorks, id, oldest)
	})
	if err != nil {
		return nil, err
	}
	return r, nil
}

func (q *Queue) ringWorkers() {
	select {
	case q.wake <- struct{}{}:
	default:
	}
}
