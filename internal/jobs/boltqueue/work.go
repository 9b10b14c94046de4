package boltqueue

import (
	"bytes"
	"context"
	"errors"
	"fmt"
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

// run is one attempt under way.
type run struct {
	task  jobs.Task
	epoch uint64
	local bool
	alone bool

	ctx    context.Context
	cancel context.CancelCauseFunc

	progress []byte // guarded by Queue.mu
}

// newRun returns the run of work that has just been begun.
func newRun(t tx, id string, w work, local bool) *run {
	return &run{
		task: jobs.Task{
			ID: id, Kind: w.Kind, Key: w.Key, Attempt: w.Attempts, Payload: bytes.Clone(t.in(inTask).Get([]byte(id))),
		},
		epoch: w.Epoch, local: local, alone: w.Deaths.Count >= queuekit.AloneFrom,
	}
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
			q.options.Log.Error("beginning a job", zap.Error(err))
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
		if err := t.in(inQueue).Delete(big(oldest.Place)); err != nil {
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

// start runs the handler of work that has been begun. The caller keeps Work from ending meanwhile.
func (q *Queue) start(w *working, r *run) {
	r.ctx, r.cancel = context.WithCancelCause(w.ctx)
	q.mu.Lock()
	q.runs[r.task.ID] = r
	if !r.local {
		w.active++
		w.alone = r.alone
	}
	q.mu.Unlock()
	q.bell.Ring(r.task.ID)
	w.runs.Go(func() {
		defer q.ringWorkers()
		defer r.cancel(nil)
		if !q.has(r) { // cancelled before there was anything to stop
			r.cancel(queuekit.ErrTaken)
		}
		var result []byte
		err := context.Cause(r.ctx)
		if err == nil {
			result, err = queuekit.Perform(r.ctx, w.handler, r.task, func(p []byte) { q.report(r, p) })
		}
		q.settle(w, r, result, err)
		q.mu.Lock()
		defer q.mu.Unlock()
		if q.runs[r.task.ID] == r {
			delete(q.runs, r.task.ID)
		}
		if !r.local {
			w.active--
			w.alone = false
		}
	})
}

// has reports whether the run's work is still its own.
func (q *Queue) has(r *run) (still bool) {
	err := q.view(func(t tx) error {
		w, ok, err := t.lookUp(r.task.ID)
		still = ok && w.Status == jobs.Running && w.Epoch == r.epoch
		return err
	})
	return still || err != nil
}

// report keeps what a handler says of its progress.
func (q *Queue) report(r *run, progress []byte) {
	if len(progress) > queuekit.MaxDetail {
		return
	}
	q.mu.Lock()
	r.progress = progress
	q.mu.Unlock()
	q.bell.Ring(r.task.ID)
}

func (q *Queue) progress(work string, epoch uint64) []byte {
	q.mu.Lock()
	defer q.mu.Unlock()
	if r := q.runs[work]; r != nil && r.epoch == epoch {
		return r.progress
	}
	return nil
}

// stop ends the handler of work that nobody wants any more.
func (q *Queue) stop(work string) {
	q.mu.Lock()
	defer q.mu.Unlock()
	if r := q.runs[work]; r != nil {
		r.cancel(queuekit.ErrTaken)
	}
}

func (q *Queue) ringWorkers() {
	select {
	case q.wake <- struct{}{}:
	default:
	}
}

// settle writes down how an attempt ended. A disk that fails is tried again: the result is worth keeping. If the process
// stops first, the work is found under way at the next start.
func (q *Queue) settle(w *working, r *run, result []byte, failure error) {
	defer q.bell.Ring(r.task.ID)
	for {
		err := q.update(func(t tx) error { return q.end(t, w.ctx.Err() != nil, r, result, failure) })
		if err == nil {
			return
		}
		q.options.Log.Error("writing down the end of a job", zap.String("work", r.task.ID), zap.Error(err))
		select {
		case <-q.done:
			return
		case <-w.ctx.Done():
			return
		case <-time.After(tryAgain):
		}
	}
}

// end decides what the end of an attempt means, in a transaction.
func (q *Queue) end(t tx, stopping bool, r *run, result []byte, failure error) error {
	id := r.task.ID
	w, ok, err := t.lookUp(id)
	if err != nil || !ok || w.Status != jobs.Running || w.Epoch != r.epoch {
		return err // cancelled, or forgotten since
	}
	now := q.options.Now()
	if stopping && failure != nil {
		w.Status = jobs.Queued
		w.Attempts--
		if err := t.in(inRunning).Delete([]byte(id)); err != nil {
			return err
		}
		if err := t.in(inQueue).Put(big(w.Place), []byte(id)); err != nil {
			return err
		}
		return t.put(inWorks, id, w)
	}
	q.mu.Lock()
	w.Progress = r.progress
	q.mu.Unlock()
	verdict := queuekit.Judge(result, failure, w.Failures, q.options.MaxResult)
	log := q.options.Log.With(zap.String("work", id), zap.String("kind", w.Kind), zap.Int("attempt", w.Attempts))
	switch verdict.Status {
	case jobs.Queued:
		log.Warn("a job's attempt failed", zap.Error(failure))
		w.Failures++
		w.Progress = nil
		if err := t.in(inRunning).Delete([]byte(id)); err != nil {
			return err
		}
		if err := t.enqueue(id, &w); err != nil {
			return err
		}
		return t.put(inWorks, id, w)
	case jobs.Succeeded:
		if err := errors.Join(t.in(inResult).Put([]byte(id), verdict.Result), t.keep(len(verdict.Result))); err != nil {
			return err
		}
		if err := t.took(now.Sub(moment(w.Started))); err != nil {
			return err
		}
	default:
		if failure == nil {
			failure = fmt.Errorf("a result of %d bytes, at most %d", len(result), q.options.MaxResult)
		}
		log.Error("job failed", zap.String("failure", string(verdict.Failure)), zap.Error(failure))
		w.Failure, w.Error = verdict.Failure, verdict.Error
	}
	if err := t.finish(id, &w, verdict.Status, now, q.options.Retention); err != nil {
		return err
	}
	return t.put(inWorks, id, w)
}

// took counts a run in the mean.
func (t tx) took(d time.Duration) error {
	runs := min(t.number(runsKey)+1, meanOver)
	mean := int64(t.number(meanKey))
	mean += (int64(max(d, 0)) - mean) / int64(runs)
	if err := t.setNumber(runsKey, runs); err != nil {
		return err
	}
	return t.setNumber(meanKey, uint64(mean))
}
