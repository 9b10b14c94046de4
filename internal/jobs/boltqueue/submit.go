package boltqueue

import (
	"bytes"
	"context"
	"errors"
	"time"

	"roem/internal/jobs"
	"roem/internal/jobs/queuekit"
)

// Submit accepts a job.
func (q *Queue) Submit(ctx context.Context, spec jobs.Spec) (jobs.Job, bool, error) {
	if err := queuekit.CheckSpec(spec, q.options.MaxPayload); err != nil {
		return jobs.Job{}, false, err
	}
	if err := ctx.Err(); err != nil {
		return jobs.Job{}, false, err
	}
	s := submission{q: q, spec: spec, id: queuekit.NewID(), work: queuekit.NewID()}
	if spec.Local {
		if s.worker = q.join(); s.worker != nil {
			defer s.worker.runs.Done()
		}
	}
	// What changes nothing needs no writing: the answer to a repeated request, and to one too many.
	var changes bool
	err := q.view(func(t tx) (err error) {
		changes, err = s.find(t)
		return err
	})
	if err == nil && s.refusal == nil && changes {
		err = q.update(s.accept)
	}
	switch {
	case err != nil:
		return jobs.Job{}, false, err
	case s.refusal != nil:
		return jobs.Job{}, false, s.refusal
	}
	if s.begun != nil {
		q.start(s.worker, s.begun)
	}
	if s.created || s.begun != nil {
		q.ringWorkers()
		q.bell.Ring(s.found.workID)
	}
	job, err := q.Get(ctx, s.found.jobID)
	return job, s.created, err
}

// submission is one Submit. Its methods run in transactions, perhaps more than once, and set what they find.
type submission struct {
	q        *Queue
	spec     jobs.Spec
	id, work string   // for a new job and new work
	worker   *working // that takes local work; nil for none

	found   found
	refusal error
	created bool
	begun   *run // local work that has been begun
}

// found is what there is already for a submission.
type found struct {
	jobID, workID string // empty where there is none
	job           view
	work          work
	recordIdem    bool // the idempotency key is to be written down
}

// find looks for what there is, and reports whether anything is to be written.
func (s *submission) find(t tx) (changes bool, err error) {
	s.found, s.refusal, s.created, s.begun = found{}, nil, false, nil
	now := s.q.options.Now()
	owner, spec := s.spec.Owner, s.spec
	look := func(id string) (view, bool, error) {
		v, ok, err := t.view(id)
		return v, ok && !expired(v, now), err
	}
	if spec.IdempotencyKey != "" {
		if raw := t.in(inIdem).Get(queuekit.Digest(idemRecord, owner, spec.IdempotencyKey)); raw != nil {
			v, ok, err := look(string(raw[16:]))
			switch {
			case err != nil:
				return false, err
			case ok && !bytes.Equal(raw[:16], queuekit.Fingerprint(spec)):
				s.refusal = jobs.ErrIdempotencyMismatch
				return false, nil
			case ok:
				s.found = found{jobID: string(raw[16:]), workID: v.Work, job: v}
				s.found.work, err = t.work(v.Work)
				return s.takesOver(), err
			}
		}
		s.found.recordIdem = true
	}
	if spec.Key != "" {
		if id := t.in(inOwned).Get(queuekit.Digest(ownedJob, owner, spec.Kind, spec.Key)); id != nil {
			v, ok, err := look(string(id))
			if err != nil {
				return false, err
			}
			if ok && v.Cancelled == 0 {
				w, err := t.work(v.Work)
				if err != nil {
					return false, err
				}
				if w.Status == jobs.Succeeded || !w.Status.Final() {
					s.found.jobID, s.found.job, s.found.workID, s.found.work = string(id), v, v.Work, w
					return s.found.recordIdem || s.takesOver(), nil
				}
			}
		}
		if id := t.in(inShared).Get(queuekit.Digest(sharedWork, spec.Kind, spec.Key)); id != nil {
			w, err := t.work(string(id))
			if err != nil {
				return false, err
			}
			if !w.Status.Final() || w.Until > now.UnixNano() {
				s.found.workID, s.found.work = string(id), w
				return true, nil
			}
		}
	}
	if s.worker == nil {
		if most := s.q.options.MaxOwned; most > 0 {
			if unfinished := t.liveOf(owner, most); unfinished >= most {
				s.refusal = &jobs.TooManyError{Unfinished: unfinished, Max: most}
				return false, nil
			}
		}
		if waiting := t.queued(); waiting >= s.q.options.MaxQueued {
			s.refusal = &jobs.FullError{Queued: waiting, Max: s.q.options.MaxQueued}
			return false, nil
		}
	}
	return true, nil
}

// takesOver reports whether the work found waits and is to be begun here.
func (s *submission) takesOver() bool { return s.worker != nil && s.found.work.Status == jobs.Queued }

// accept writes down what find found to be necessary.
func (s *submission) accept(t tx) error {
	if changes, err := s.find(t); err != nil || !changes {
		return err
	}
	now := s.q.options.Now()
	f := &s.found
	if f.workID == "" {
		f.workID, f.work = s.work, work{Kind: s.spec.Kind, Key: s.spec.Key, Created: now.UnixNano()}
		if err := t.in(inTask).Put([]byte(f.workID), s.spec.Payload); err != nil {
			return err
		}
		if s.spec.Key != "" {
			if err := t.in(inShared).Put(queuekit.Digest(sharedWork, s.spec.Kind, s.spec.Key), []byte(f.workID)); err != nil {
				return err
			}
		}
		if s.worker == nil {
			if err := t.enqueue(f.workID, &f.work); err != nil {
				return err
			}
		} else {
			place, err := t.in(inQueue).NextSequence() // where it goes if it is given back
			if err != nil {
				return err
			}
			f.work.Status, f.work.Place = jobs.Queued, place
		}
	}
	if s.takesOver() {
		if err := t.dequeue(f.work.Place); err != nil {
			return err
		}
		if err := t.begin(f.workID, &f.work, now); err != nil {
			return err
		}
		s.begun = newRun(t, f.workID, f.work, true)
	}
	if f.jobID == "" {
		if err := s.addJob(t, now); err != nil {
			return err
		}
	}
	if f.recordIdem {
		key := queuekit.Digest(idemRecord, s.spec.Owner, s.spec.IdempotencyKey)
		f.job.Idem = append(f.job.Idem, key)
		if err := t.in(inIdem).Put(key, join(queuekit.Fingerprint(s.spec), []byte(f.jobID))); err != nil {
			return err
		}
	}
	return errors.Join(t.put(inJobs, f.jobID, f.job), t.put(inWorks, f.workID, f.work))
}

// addJob makes a job of the work found or made.
func (s *submission) addJob(t tx, now time.Time) error {
	f := &s.found
	number, err := t.in(inOwners).NextSequence()
	if err != nil {
		return err
	}
	f.jobID, s.created = s.id, true
	f.job = view{Work: f.workID, Owner: s.spec.Owner, Number: number, Created: now.UnixNano()}
	f.work.Live++
	errs := []error{
		t.in(inPayload).Put([]byte(f.jobID), s.spec.Payload),
		t.in(inViews).Put([]byte(f.workID+f.jobID), nil),
		t.in(inOwners).Put(join(queuekit.Digest(ownerList, s.spec.Owner), big(number)), []byte(f.jobID)),
	}
	if s.spec.Key != "" {
		errs = append(errs, t.in(inOwned).Put(queuekit.Digest(ownedJob, s.spec.Owner, s.spec.Kind, s.spec.Key), []byte(f.jobID)))
	}
	if f.work.Status.Final() {
		errs = append(errs, t.expire(f.jobID, &f.job, &f.work, now.Add(s.q.options.Retention)))
	} else {
		errs = append(errs, t.in(inLive).Put(liveKey(s.spec.Owner, f.jobID), nil))
	}
	return errors.Join(errs...)
}
