package boltqueue

import (
	"bytes"
	"encoding/binary"
	"errors"
	"time"

	"roem/internal/jobs"
	"roem/internal/jobs/decide"
	"roem/internal/jobs/queuekit"
)

// Owners, or their networks, take turns: a turn is a time in microseconds. The tasks of an owner wait at intervals of their costs, and the
// task with the lowest turn is started next. When a task has run, its cost in the turns of its owner is replaced by the time that it took.

func ownerKey(owner string) []byte { return queuekit.Digest(ownerList, owner) }

// turnOf returns the turn of the owner's next task: behind its other ones, but not before the last started task, so that no time is saved
// up.
func (t tx) turnOf(owner string) int64 {
	next := int64(t.number(turnKey))
	if raw := t.in(inTurns).Get(ownerKey(owner)); len(raw) == 8 {
		next = max(next, int64(binary.BigEndian.Uint64(raw)))
	}
	return next
}

func (t tx) setTurnOf(owner string, turn int64) error {
	return t.in(inTurns).Put(ownerKey(owner), big(uint64(max(turn, 0))))
}

// takeTurn gives a task its owner's next turn.
func (t tx) takeTurn(w *taskRecord) (err error) {
	w.Turn = t.turnOf(w.taker())
	if w.Place, err = t.in(inQueue).NextSequence(); err != nil {
		return err
	}
	return t.setTurnOf(w.taker(), w.Turn+w.Cost)
}

// reached sets the turn of the last started task.
func (t tx) reached(turn int64) error {
	if turn <= int64(t.number(turnKey)) {
		return nil
	}
	return t.setNumber(turnKey, uint64(turn))
}

// waitingOf returns the waiting tasks of an owner by ID.
func (t tx) waitingOf(owner string) (map[string]taskRecord, error) {
	all, prefix := map[string]taskRecord{}, liveKey(owner, "")
	c := t.in(inLive).Cursor()
	for k, _ := c.Seek(prefix); bytes.HasPrefix(k, prefix); k, _ = c.Next() {
		v, ok, err := t.job(string(k[len(prefix):]))
		if err != nil || !ok {
			return all, err
		}
		w, err := t.task(v.Task)
		if err != nil {
			return all, err
		}
		if w.Status == jobs.Queued && w.taker() == owner {
			all[v.Task] = w
		}
	}
	return all, nil
}

// shift moves the waiting tasks of an owner behind a turn, and the owner's next turn, by a time. None comes before the last started task.
func (t tx) shift(owner string, by, behind int64) error {
	tasks, err := t.waitingOf(owner)
	if err != nil {
		return err
	}
	var turns []int64
	for id, w := range tasks {
		if w.Turn <= behind {
			delete(tasks, id)
		} else {
			turns = append(turns, w.Turn)
		}
	}
	if by = decide.Shift(turns, by, int64(t.number(turnKey))); by == 0 {
		return nil
	}
	for id, w := range tasks {
		err := t.dequeue(&w)
		w.Turn += by
		if err := errors.Join(err, t.enqueueAt(&w, id), t.put(inTasks, id, w)); err != nil {
			return err
		}
	}
	if raw := t.in(inTurns).Get(ownerKey(owner)); len(raw) == 8 {
		return t.setTurnOf(owner, int64(binary.BigEndian.Uint64(raw))+by)
	}
	return nil
}

// charge replaces the cost of a task in its owner's turns by the time that its attempt took, or by nothing if it waits.
func (t tx) charge(w *taskRecord, now time.Time) error {
	by, behind := decide.Charge(w.Status, w.Turn, w.Cost, now.Sub(moment(w.Started)).Microseconds())
	return t.shift(w.taker(), by, behind)
}

// forgetTurns forgets the turns of all owners when no task waits or runs.
func (t tx) forgetTurns() error {
	if k, _ := t.in(inRunning).Cursor().First(); k != nil || t.queued() > 0 {
		return nil
	}
	if err := t.DeleteBucket([]byte(inTurns)); err != nil {
		return err
	}
	_, err := t.CreateBucket([]byte(inTurns))
	return err
}

// takeOver gives a waiting task to the owner of a job that shares it, if that owner's turn is earlier.
func (t tx) takeOver(id string, w *taskRecord, spec *jobs.Spec) error {
	taker := spec.Taker()
	if w.Status != jobs.Queued || w.taker() == taker || t.turnOf(taker) >= w.Turn {
		return nil
	}
	if err := errors.Join(t.dequeue(w), t.charge(w, time.Time{})); err != nil {
		return err
	}
	w.Owner, w.Network = spec.Owner, spec.Network
	return t.enqueue(id, w)
}

// handOver gives a waiting task whose owner has left to another one who waits for it.
func (t tx) handOver(id string, w *taskRecord, left string) error {
	if w.Status != jobs.Queued || w.Owner != left {
		return nil
	}
	for _, job := range t.jobsOf(id) {
		v, ok, err := t.job(job)
		if err != nil {
			return err
		}
		if ok && v.Cancelled == 0 {
			w.Owner, w.Network = v.Owner, v.Network
			return nil
		}
	}
	return nil
}
