package boltqueue

import (
	"bytes"
	"errors"
	"time"

	"roem/internal/jobs"
	"roem/internal/jobs/queuekit"
)

// keep counts bytes that are kept from now on, or of a negative number no more.
func (t tx) keep(bytes int) error {
	return t.setNumber(bytesKey, uint64(max(0, int64(t.number(bytesKey))+int64(bytes))))
}

// enqueue puts work at the end of the queue.
func (t tx) enqueue(id string, w *work) error {
	place, err := t.in(inQueue).NextSequence()
	if err != nil {
		return err
	}
	w.Status, w.Place = jobs.Queued, place
	return t.enqueueAt(place, id)
}

// enqueueAt puts work at a place of the queue.
func (t tx) enqueueAt(place uint64, id string) error {
	queue, key := t.in(inQueue), big(place)
	if queue.Get(key) == nil {
		if err := t.setNumber(queuedKey, t.number(queuedKey)+1); err != nil {
			return err
		}
	}
	return queue.Put(key, []byte(id))
}

// dequeue takes the work at a place out of the queue, if there is any.
func (t tx) dequeue(place uint64) error {
	queue, key := t.in(inQueue), big(place)
	if queue.Get(key) == nil {
		return nil
	}
	if err := t.setNumber(queuedKey, t.number(queuedKey)-1); err != nil {
		return err
	}
	return queue.Delete(key)
}

// queued returns how much work waits. Bucket.Stats would not do: it counts committed pages, and so misses what the other
// functions of the same batch have added.
func (t tx) queued() int { return int(t.number(queuedKey)) }

// countQueue sets the number of queued to what is in the queue.
func (t tx) countQueue() error {
	n := uint64(0)
	err := t.in(inQueue).ForEach(func(_, _ []byte) error {
		n++
		return nil
	})
	return errors.Join(err, t.setNumber(queuedKey, n))
}

// begin turns work that is in no queue into work under way.
func (t tx) begin(id string, w *work, now time.Time) error {
	w.Status, w.Started = jobs.Running, now.UnixNano()
	w.Epoch++
	w.Attempts++
	return t.in(inRunning).Put([]byte(id), nil)
}

// finish makes work final, and lets its jobs expire.
func (t tx) finish(id string, w *work, status jobs.Status, now time.Time, retention time.Duration) error {
	w.Status, w.Finished = status, now.UnixNano()
	if err := t.in(inRunning).Delete([]byte(id)); err != nil {
		return err
	}
	if err := t.in(inTask).Delete([]byte(id)); err != nil { // nobody works on it any more
		return err
	}
	if shared := queuekit.Digest(sharedWork, w.Kind, w.Key); status != jobs.Succeeded && string(t.in(inShared).Get(shared)) == id {
		if err := t.in(inShared).Delete(shared); err != nil {
			return err
		}
	}
	for _, job := range t.viewsOf(id) {
		v, ok, err := t.view(job)
		if err != nil {
			return err
		}
		if ok && v.Cancelled == 0 {
			if err := t.expire(job, &v, w, now.Add(retention)); err != nil {
				return err
			}
		}
	}
	return nil
}

// expire says when a job that is final is forgotten, and writes it.
func (t tx) expire(id string, v *view, w *work, at time.Time) error {
	v.Expires = at.UnixNano()
	w.Until = max(w.Until, v.Expires)
	if err := t.in(inExpiry).Put(join(big(uint64(v.Expires)), []byte(id)), nil); err != nil {
		return err
	}
	if err := t.in(inLive).Delete(liveKey(v.Owner, id)); err != nil {
		return err
	}
	if err := t.keep(len(t.in(inPayload).Get([]byte(id)))); err != nil {
		return err
	}
	return t.put(inJobs, id, v)
}

func liveKey(owner, job string) []byte { return join(queuekit.Digest(ownerList, owner), []byte(job)) }

// liveOf counts the owner's jobs that are not final, up to so many.
func (t tx) liveOf(owner string, most int) (n int) {
	prefix := liveKey(owner, "")
	c := t.in(inLive).Cursor()
	for k, _ := c.Seek(prefix); n < most && bytes.HasPrefix(k, prefix); k, _ = c.Next() {
		n++
	}
	return n
}

func (t tx) viewsOf(work string) (ids []string) {
	c := t.in(inViews).Cursor()
	for k, _ := c.Seek([]byte(work)); bytes.HasPrefix(k, []byte(work)); k, _ = c.Next() {
		ids = append(ids, string(k[len(work):]))
	}
	return ids
}

// remove forgets a job, and its work with the last.
func (t tx) remove(id string) error {
	v, ok, err := t.view(id)
	if err != nil || !ok {
		return err
	}
	w, err := t.work(v.Work)
	if err != nil {
		return err
	}
	owned := queuekit.Digest(ownedJob, v.Owner, w.Kind, w.Key)
	freed := len(t.in(inPayload).Get([]byte(id)))
	errs := []error{
		t.in(inJobs).Delete([]byte(id)),
		t.in(inPayload).Delete([]byte(id)),
		t.in(inViews).Delete([]byte(v.Work + id)),
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
	if len(t.viewsOf(v.Work)) == 0 {
		shared := queuekit.Digest(sharedWork, w.Kind, w.Key)
		if string(t.in(inShared).Get(shared)) == v.Work {
			errs = append(errs, t.in(inShared).Delete(shared))
		}
		freed += len(t.in(inResult).Get([]byte(v.Work)))
		errs = append(errs, t.in(inWorks).Delete([]byte(v.Work)), t.in(inResult).Delete([]byte(v.Work)))
	}
	return errors.Join(append(errs, t.keep(-freed))...)
}
