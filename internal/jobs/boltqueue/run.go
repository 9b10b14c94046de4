package boltqueue

import (
	"bytes"
	"errors"
	"time"

	"roem/internal/jobs"
	"roem/internal/jobs/decide"
	"roem/internal/jobs/queuekit"
)

// run is a running attempt.
type run struct {
	queuekit.Attempt
	epoch uint64
}

// start starts an attempt at a waiting task, and returns its run.
func (t tx) start(id string, w *taskRecord, now time.Time, local bool) (*run, error) {
	if err := errors.Join(t.dequeue(w), t.in(inRunning).Put([]byte(id), nil)); err != nil {
		return nil, err
	}
	w.Status, w.Started = jobs.Running, now.UnixNano()
	w.Epoch++
	w.Attempts++
	r := &run{epoch: w.Epoch}
	r.Task = jobs.Task{
		ID: id, Kind: w.Kind, Key: w.Key, Owner: w.Owner, Network: w.Network, Attempt: w.Attempts,
		Payload: bytes.Clone(t.in(inTaskPayload).Get([]byte(id))), State: bytes.Clone(t.in(inState).Get([]byte(id))),
	}
	r.Failures, r.Local, r.Alone = w.Failures, local, w.Deaths.Count >= decide.AloneFrom
	return r, nil
}

// hooks returns what the queue does about its attempts.
func (q *Queue) hooks() queuekit.Hooks[*run] {
	return queuekit.Hooks[*run]{
		Began: func(r *run) func() {
			q.notifier.Notify(r.Task.ID)
			return func() {}
		},
		Holds: q.holds, Reported: func(r *run) { q.notifier.Notify(r.Task.ID) }, Save: q.save, Claim: q.claim, End: q.settle,
		Log: q.options.Log, MaxResult: q.options.MaxResult, Closed: q.done,
	}
}

// holds reports whether the run still has its task: it was not cancelled. After an error it reports true.
func (q *Queue) holds(r *run) (still bool) {
	err := q.read(func(t tx) error {
		_, held, err := t.held(r.Task.ID, r.epoch)
		still = held
		return err
	})
	return still || err != nil
}

// save stores the state of a run that still has its task.
func (q *Queue) save(r *run, state []byte, room queuekit.Room) (waits bool, err error) {
	err = q.update(func(t tx) error {
		waits = false
		_, held, err := t.held(r.Task.ID, r.epoch)
		if err != nil || !held {
			return err
		}
		if room.Takers != nil {
			id, _, err := t.first(room)
			if err != nil {
				return err
			}
			waits = id != ""
		}
		return t.in(inState).Put([]byte(r.Task.ID), state)
	})
	return waits, err
}

func (q *Queue) progress(task string, epoch uint64) []byte {
	if r, ok := q.workers.Find(task); ok && r.epoch == epoch {
		return r.Progress()
	}
	return nil
}
