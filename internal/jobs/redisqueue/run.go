package redisqueue

import (
	"context"
	"sync"
	"time"

	"go.uber.org/zap"

	"roem/internal/jobs"
	"roem/internal/jobs/queuekit"
)

// run is a running attempt. It holds an entry of a stream as its lease.
type run struct {
	task          jobs.Task
	epoch         string
	stream, entry string
	failures      int
	local, alone  bool

	ctx    context.Context
	cancel context.CancelCauseFunc

	// Guarded by Queue.mu.
	progress []byte

	progressed chan struct{} // receives when there is progress that has not been written
}

// start runs the handler. The caller must keep Work from returning in the meantime.
func (q *Queue) start(w *working, r *run) {
	r.ctx, r.cancel = context.WithCancelCause(w.ctx)
	r.progressed = make(chan struct{}, 1)
	q.mu.Lock()
	q.runs[r.task.ID] = r
	if !r.local {
		w.active++
		w.alone = r.alone
	}
	q.mu.Unlock()
	w.runs.Go(func() {
		defer r.cancel(nil)
		ended := make(chan struct{})
		var reports sync.WaitGroup
		reports.Go(func() { q.writeProgress(r, ended) })
		if !q.holds(r) { // cancelled before stop could find the run
			r.cancel(queuekit.ErrTaken)
		}
		var result []byte
		err := context.Cause(r.ctx)
		if err == nil {
			result, err = queuekit.Perform(r.ctx, w.handler, r.task, func(p []byte) { q.report(r, p) })
		}
		close(ended)
		reports.Wait()
		q.settle(w, r, result, err)
		q.mu.Lock()
		if q.runs[r.task.ID] == r {
			delete(q.runs, r.task.ID)
		}
		if !r.local {
			w.active--
			w.alone = false
		}
		q.mu.Unlock()
		select {
		case w.slotFreed <- struct{}{}:
		default:
		}
	})
}

// holds reports whether the run still has its task. After an error it reports true.
func (q *Queue) holds(r *run) bool {
	raw, err := q.run(r.ctx, q.scripts.renew, q.renewArgs(r)...)
	if err != nil {
		return true
	}
	a := answer{raw: raw}
	return a.text(0) != "0"
}

// report stores a handler's progress report.
func (q *Queue) report(r *run, progress []byte) {
	if len(progress) > queuekit.MaxDetail {
		return
	}
	q.mu.Lock()
	r.progress = progress
	q.mu.Unlock()
	select {
	case r.progressed <- struct{}{}:
	default:
	}
}

// writeProgress writes the progress of a run to Redis, at most once in each progressInterval.
func (q *Queue) writeProgress(r *run, ended <-chan struct{}) {
	for {
		select {
		case <-ended:
			return
		case <-r.progressed:
		}
		q.mu.Lock()
		progress := r.progress
		q.mu.Unlock()
		if _, err := q.run(r.ctx, q.scripts.progress, r.task.ID, r.epoch, progress); err != nil && r.ctx.Err() == nil {
			q.options.Log.Warn("writing the progress of a job", zap.String("task", r.task.ID), zap.Error(err))
		}
		select {
		case <-ended:
			return
		case <-time.After(progressInterval):
		}
	}
}

// stop ends the handler of a cancelled task.
func (q *Queue) stop(task string) {
	q.mu.Lock()
	r := q.runs[task]
	q.mu.Unlock()
	if r != nil {
		r.cancel(queuekit.ErrTaken)
	}
}
