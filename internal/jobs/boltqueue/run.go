package boltqueue

import (
	"bytes"
	"context"

	"roem/internal/jobs"
	"roem/internal/jobs/queuekit"
)

// run is one attempt under way.
type run struct {
	task     jobs.Task
	epoch    uint64
	failures int // of earlier attempts
	local    bool
	alone    bool

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
		epoch: w.Epoch, failures: w.Failures, local: local, alone: w.Deaths.Count >= queuekit.AloneFrom,
	}
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
		_, held, err := t.held(r)
		still = held
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
	r := q.runs[work]
	q.mu.Unlock()
	if r != nil {
		r.cancel(queuekit.ErrTaken)
	}
}
