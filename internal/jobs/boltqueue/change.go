package boltqueue

import (
	"bytes"
	"errors"
	"time"

	"roem/internal/jobs"
	"roem/internal/jobs/queuekit"
)

// addBytes adds to the stored number of bytes that final jobs take. The number may be negative.
func (t tx) addBytes(bytes int) error {
	return t.setNumber(bytesKey, uint64(max(0, int64(t.number(bytesKey))+int64(bytes))))
}

// enqueue puts a task in the queue, behind the other tasks of its owner.
func (t tx) enqueue(id string, w *taskRecord) error {
	w.Status = jobs.Queued
	if err := t.takeTurn(w); err != nil {
		return err
	}
	return t.enqueueAt(w, id)
}

// queueKey is the key of a waiting task in inQueue.
func queueKey(w *taskRecord) []byte { return join(big(uint64(w.Turn)), big(w.Place)) }

// enqueueAt puts a task at its place of the queue.
func (t tx) enqueueAt(w *taskRecord, id string) error {
	queue, key := t.in(inQueue), queueKey(w)
	if queue.Get(key) == nil {
		if err := t.setNumber(queuedKey, t.number(queuedKey)+1); err != nil {
			return err
		}
	}
	return queue.Put(key, []byte(id))
}

// dequeue removes a task from the queue, if it is there.
func (t tx) dequeue(w *taskRecord) error {
	queue, key := t.in(inQueue), queueKey(w)
	if queue.Get(key) == nil {
		return nil
	}
	if err := t.setNumber(queuedKey, t.number(queuedKey)-1); err != nil {
		return err
	}
	return queue.Delete(key)
}

// queued returns the number of waiting tasks. Bucket.Stats would be wrong here: it counts committed pages, without what the
// other functions of the same batch have added.
func (t tx) queued() int { return int(t.number(queuedKey)) }

// countQueue sets the number that queued returns to the length of the queue.
func (t tx) countQueue() error {
	n := uint64(0)
	err := t.in(inQueue).ForEach(func(_, _ []byte) error {
		n++
		return nil
	})
	return errors.Join(err, t.setNumber(queuedKey, n))
}

// finish makes a task final and sets when its jobs expire.
func (t tx) finish(id string, w *taskRecord, status jobs.Status, now time.Time, retention time.Duration) error {
	w.Status, w.Finished = status, now.UnixNano()
	for _, bucket := range []string{inRunning, inTaskPayload, inState} { // only handlers need them
		if err := t.in(bucket).Delete([]byte(id)); err != nil {
			return err
		}
	}
	if shared := queuekit.Digest(sharedTask, w.Kind, w.Key); status != jobs.Succeeded && string(t.in(inShared).Get(shared)) == id {
		if err := t.in(inShared).Delete(shared); err != nil {
			return err
		}
	}
	for _, job := range t.jobsOf(id) {
		v, ok, err := t.job(job)
		if err != nil {
			return err
		}
		if ok && v.Cancelled == 0 {
			if err := t.expire(job, &v, w, now.Add(retention)); err != nil {
				return err
			}
		}
	}
	return t.forgetTurns()
}

// expire sets when a final job is removed, and writes its record.
func (t tx) expire(id string, v *jobRecord, w *taskRecord, at time.Time) error {
	v.Expires = at.UnixNano()
	w.Until = max(w.Until, v.Expires)
	if err := t.in(inExpiry).Put(join(big(uint64(v.Expires)), []byte(id)), nil); err != nil {
		return err
	}
	if err := t.setLive(v.Owner, v.Network, id, false); err != nil {
		return err
	}
	if err := t.addBytes(len(t.in(inJobPayload).Get([]byte(id)))); err != nil {
		return err
	}
	return t.put(inJobs, id, v)
}

func liveKey(owner, job string) []byte { return join(queuekit.Digest(ownerList, owner), []byte(job)) }

// setLive records whether a job of an owner in a network is unfinished.
func (t tx) setLive(owner, network, id string, live bool) error {
	set := func(name string) error {
		if live {
			return t.in(inLive).Put(liveKey(name, id), nil)
		}
		return t.in(inLive).Delete(liveKey(name, id))
	}
	err := set(owner)
	if network != "" {
		err = errors.Join(err, set(network))
	}
	return err
}

// liveOf counts the unfinished jobs of an owner or network, up to a bound.
func (t tx) liveOf(owner string, most int) (n int) {
	prefix := liveKey(owner, "")
	c := t.in(inLive).Cursor()
	for k, _ := c.Seek(prefix); n < most && bytes.HasPrefix(k, prefix); k, _ = c.Next() {
		n++
	}
	return n
}

func (t tx) jobsOf(task string) (ids []string) {
	c := t.in(inTaskJobs).Cursor()
	for k, _ := c.Seek([]byte(task)); bytes.HasPrefix(k, []byte(task)); k, _ = c.Next() {
		ids = append(ids, string(k[len(task):]))
	}
	return ids
}

// remove removes a job, and with the last job of a task the task.
func (t tx) remove(id string) error {
	v, ok, err := t.job(id)
	if err != nil || !ok {
		return err
	}
	w, err := t.task(v.Task)
	if err != nil {
		return err
	}
	owned := queuekit.Digest(ownedJob, v.Owner, w.Kind, w.Key)
	freed := len(t.in(inJobPayload).Get([]byte(id)))
	errs := []error{
		t.in(inJobs).Delete([]byte(id)),
		t.in(inJobPayload).Delete([]byte(id)),
		t.in(inTaskJobs).Delete([]byte(v.Task + id)),
		t.in(inOwners).Delete(join(queuekit.Digest(ownerList, v.Owner), big(v.Number))),
	}
	if string(t.in(inOwned).Get(owned)) == id {
		errs = append(errs, t.in(inOwned).Delete(owned))
	}
	for _, key := range v.Idem {
		if raw := t.in(inIdem).Get(key); len(raw) > 16 && string(raw[16:]) == id {
			errs = append(errs, t.in(inIdem).Delete(key))
		}
	}
	if len(t.jobsOf(v.Task)) == 0 {
		shared := queuekit.Digest(sharedTask, w.Kind, w.Key)
		if string(t.in(inShared).Get(shared)) == v.Task {
			errs = append(errs, t.in(inShared).Delete(shared))
		}
		freed += len(t.in(inResult).Get([]byte(v.Task)))
		errs = append(errs, t.in(inTasks).Delete([]byte(v.Task)), t.in(inResult).Delete([]byte(v.Task)))
	}
	return errors.Join(append(errs, t.addBytes(-freed))...)
}
