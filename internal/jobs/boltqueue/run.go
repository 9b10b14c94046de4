package boltqueue

import (
	"bytes"

	"roem/internal/jobs"
	"roem/internal/jobs/decide"
	"roem/internal/jobs/queuekit"
)

// run is a running attempt.
type run struct {
	queuekit.Attempt
	epoch uint64
}

// newRun returns the run of a task whose attempt has just started.
func newRun(t tx, id string, w taskRecord, local bool) *run {
	r := &run{epoch: w.Epoch}
	r.Task = jobs.Task{
		ID: id, Kind: w.Kind, Key: w.Key, Owner: w.Owner, Network: w.Network, Attempt: w.Attempts,
		Payload: bytes.Clone(t.in(inTaskPayload).Get([]byte(id))),
	}
	r.Task.State = bytes.Clone(t.in(inState).Get([]byte(id)))
	r.Failures, r.Local, r.Alone = w.Failures, local, w.Deaths.Count >= decide.AloneFrom
	return r
}

// hooks returns what the queue does about its attempts.
func (q *Queue) hooks() queuekit.Hooks[*run] {
	return queuekit.Hooks[*run]{
		Began: func(r *run) func() {
			q.notifier.Notify(r.Task.ID)
			return func() {}
		},
		Holds: q.holds, Reported: func(r *run) { q.notifier.Notify(r.Task.ID) }, Save: q.save, End: q.settle, Freed: q.wakeWorkers,
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
