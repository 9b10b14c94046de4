package boltqueue

import (
	"bytes"
	"context"

	"roem/internal/jobs"
	"roem/internal/jobs/queuekit"
)

// run is a running attempt.
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

// newRun returns the run of a task whose attempt has just started.
func newRun(t tx, id string, w taskRecord, local bool) *run {
	return &run{
		task: jobs.Task{
			ID: id, Kind: w.Kind, Key: w.Key, Owner: w.Owner, Attempt: w.Attempts, Payload: bytes.Clone(t.in(inTaskPayload).Get([]byte(id))),
		},
		epoch: w.Epoch, failures: w.Failures, local: local, alone: w.Deaths.Count >= queuekit.AloneFrom,
	}
}

// start runs the handler. The caller must keep Work from returning in the meantime.
func (q *Queue) start(w *working, r *run) {
	r.ctx, r.cancel = context.WithCancelCause(w.ctx)
	q.mu.Lock()
	q.runs[r.task.ID] = r
	if !r.local {
		w.active++
		w.alone = r.alone
	}
	q.mu.Unlock()
	q.notifier.Notify(r.task.ID)
	w.runs.Go(func() {
		defer q.wakeWorkers()
		defer r.cancel(nil)
		if !q.holds(r) { // cancelled before stop could find the run
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

// holds reports whether the run still has its task: it was not cancelled. After an error it reports true.
func (q *Queue) holds(r *run) (still bool) {
	err := q.read(func(t tx) error {
		_, held, err := t.held(r)
		still = held
		return err
	})
	return still || err != nil
}

// report stores a handler's progress report.
func (q *Queue) report(r *run, progress []byte) {
	if len(progress) > queuekit.MaxDetail {
		return
	}
	q.mu.Lock()
	r.progress = progress
	q.mu.Unlock()
	q.notifier.Notify(r.task.ID)
}

func (q *Queue) progress(task string, epoch uint64) []byte {
	q.mu.Lock()
	defer q.mu.Unlock()
	if r := q.runs[task]; r != nil && r.epoch == epoch {
		return r.progress
	}
	return nil
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
