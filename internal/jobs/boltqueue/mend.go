package boltqueue

import (
	"bytes"
	"time"

	"roem/internal/jobs"
	"roem/internal/jobs/queuekit"
)

// mending is a file from which parts are missing.
type mending struct {
	tx
	tasks map[string]taskRecord
	jobs  map[string]jobRecord
	err   error // the first one; nothing is done after it
}

// mend makes the records of a file fit together of which a part was lost. It removes tasks without their payload or result, jobs without a
// task and what refers to either, and adds what follows from the others. Where a final job does not say when it expires, it does at a time.
func (t tx) mend(expires time.Time) error {
	m := &mending{tx: t, tasks: map[string]taskRecord{}, jobs: map[string]jobRecord{}}
	m.records()
	m.references()
	m.complete(expires)
	return m.err
}

// keep removes the entries of a bucket that a function does not want.
func (m *mending) keep(bucket string, wants func(k, v []byte) bool) {
	if m.err != nil {
		return
	}
	b := m.in(bucket)
	var others [][]byte
	m.err = b.ForEach(func(k, v []byte) error {
		if !wants(k, v) {
			others = append(others, bytes.Clone(k))
		}
		return nil
	})
	for _, k := range others {
		if m.err == nil {
			m.err = b.Delete(k)
		}
	}
}

// put adds an entry to a bucket if it is not there.
func (m *mending) put(bucket string, k, v []byte) {
	if b := m.in(bucket); m.err == nil && b.Get(k) == nil {
		m.err = b.Put(k, v)
	}
}

// records reads the tasks and jobs.
func (m *mending) records() {
	m.keep(inTasks, func(k, _ []byte) bool {
		w, _, err := m.lookUp(string(k))
		complete := w.Status == jobs.Failed || w.Status == jobs.Cancelled ||
			w.Status == jobs.Succeeded && m.in(inResult).Get(k) != nil || !w.Status.Final() && m.in(inTaskPayload).Get(k) != nil
		if err != nil || !complete {
			return false
		}
		w.Live = 0
		m.tasks[string(k)] = w
		return true
	})
	used := map[string]bool{}
	m.keep(inJobs, func(k, _ []byte) bool {
		v, _, err := m.job(string(k))
		w, ok := m.tasks[v.Task]
		if err != nil || !ok {
			return false
		}
		if used[v.Task] = true; v.Cancelled == 0 {
			w.Live++
			m.tasks[v.Task] = w
		}
		m.jobs[string(k)] = v
		return true
	})
	m.keep(inTasks, func(k, _ []byte) bool {
		if !used[string(k)] {
			delete(m.tasks, string(k))
		}
		return used[string(k)]
	})
}

// references removes what refers to tasks and jobs that are not there.
func (m *mending) references() {
	task := func(id []byte, fits func(w *taskRecord) bool) bool {
		w, ok := m.tasks[string(id)]
		return ok && fits(&w)
	}
	job := func(k []byte, idAt int, fits func(v *jobRecord) bool) bool {
		v, ok := m.jobs[string(k[min(max(idAt, 0), len(k)):])]
		return ok && fits(&v)
	}
	there := func(*jobRecord) bool { return true }
	m.keep(inTaskPayload, func(k, _ []byte) bool { return task(k, func(w *taskRecord) bool { return !w.Status.Final() }) })
	m.keep(inResult, func(k, _ []byte) bool { return task(k, func(w *taskRecord) bool { return w.Status == jobs.Succeeded }) })
	m.keep(inQueue, func(k, v []byte) bool {
		return task(v, func(w *taskRecord) bool { return w.Status == jobs.Queued && bytes.Equal(k, queueKey(w)) })
	})
	m.keep(inRunning, func(k, _ []byte) bool { return task(k, func(w *taskRecord) bool { return w.Status == jobs.Running }) })
	m.keep(inShared, func(_, v []byte) bool {
		return task(v, func(w *taskRecord) bool { return !w.Status.Final() || w.Status == jobs.Succeeded })
	})
	m.keep(inJobPayload, func(k, _ []byte) bool { return job(k, 0, there) })
	m.keep(inTaskJobs, func(k, _ []byte) bool {
		return job(k, len(k)-idLength, func(v *jobRecord) bool { return bytes.HasPrefix(k, []byte(v.Task)) })
	})
	m.keep(inOwners, func(k, v []byte) bool {
		return job(v, 0, func(v *jobRecord) bool { return bytes.HasSuffix(k, big(v.Number)) })
	})
	m.keep(inLive, func(k, _ []byte) bool {
		return job(k, len(k)-idLength, func(v *jobRecord) bool { return v.Expires == 0 })
	})
	m.keep(inExpiry, func(k, _ []byte) bool {
		return job(k, len(k)-idLength, func(v *jobRecord) bool { return bytes.HasPrefix(k, big(uint64(v.Expires))) })
	})
	m.keep(inOwned, func(_, v []byte) bool { return job(v, 0, there) })
	m.keep(inIdem, func(_, v []byte) bool { return job(v, len(v)-idLength, there) })
}

// complete adds what follows from the tasks and jobs.
func (m *mending) complete(expires time.Time) {
	bytes, place, number := 0, m.in(inQueue).Sequence(), m.in(inOwners).Sequence()
	for id, v := range m.jobs {
		w := m.tasks[v.Task]
		if v.Expires == 0 && (w.Status.Final() || v.Cancelled != 0) {
			v.Expires = expires.UnixNano()
		}
		if w.Status.Final() {
			w.Until = max(w.Until, v.Expires)
			m.tasks[v.Task] = w
		}
		number = max(number, v.Number)
		m.put(inTaskJobs, []byte(v.Task+id), nil)
		if v.Expires == 0 {
			if m.err == nil {
				m.err = m.setLive(v.Owner, v.Network, id, true)
			}
		} else {
			m.put(inExpiry, join(big(uint64(v.Expires)), []byte(id)), nil)
			bytes += len(m.in(inJobPayload).Get([]byte(id)))
		}
		if m.err == nil {
			m.err = m.tx.put(inJobs, id, v)
		}
	}
	for id, w := range m.tasks {
		place = max(place, w.Place)
		bytes += len(m.in(inResult).Get([]byte(id)))
		switch w.Status {
		case jobs.Queued:
			m.put(inQueue, queueKey(&w), []byte(id))
		case jobs.Running:
			m.put(inRunning, []byte(id), nil)
		case jobs.Succeeded, jobs.Failed, jobs.Cancelled:
		}
		if w.Key != "" && (!w.Status.Final() || w.Status == jobs.Succeeded) {
			m.put(inShared, queuekit.Digest(sharedTask, w.Kind, w.Key), []byte(id))
		}
		if m.err == nil {
			m.err = m.tx.put(inTasks, id, w)
		}
	}
	for _, set := range []func() error{
		func() error { return m.in(inQueue).SetSequence(place) }, func() error { return m.in(inOwners).SetSequence(number) },
		func() error { return m.setNumber(bytesKey, uint64(bytes)) },
	} {
		if m.err == nil {
			m.err = set()
		}
	}
}
