package boltqueue

import (
	"bytes"
	"context"
	"errors"
	"time"

	"roem/internal/jobs"
	"roem/internal/jobs/decide"
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
	s := submission{q: q, spec: spec, newJob: queuekit.NewID(), newTask: queuekit.NewID()}
	if spec.Local {
		if s.worker = q.workers.Join(); s.worker != nil {
			defer s.worker.Leave()
		}
	}
	// A repeated request and a refused one change nothing, so they need no write.
	var changes bool
	err := q.read(func(t tx) (err error) {
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
		q.workers.Start(s.worker, s.begun)
	}
	if s.created || s.begun != nil {
		q.wakeWorkers()
		q.notifier.Notify(s.existing.taskID)
	}
	job, err := q.Get(ctx, s.existing.jobID)
	return job, s.created, err
}

// submission is one call of Submit. Its methods run in transactions, possibly more than once, and set its last fields.
type submission struct {
	q               *Queue
	spec            jobs.Spec
	newJob, newTask string            // IDs to be used
	worker          *queuekit.Working // runs a local task; nil for none

	existing existing
	refusal  error
	created  bool
	begun    *run // the attempt at a local task
}

// existing holds the records that a submission refers to.
type existing struct {
	jobID, taskID string // empty for none
	job           jobRecord
	task          taskRecord
	recordIdem    bool // the idempotency key is to be stored
}

// find looks for an existing job or task, and reports whether anything is to be written.
func (s *submission) find(t tx) (changes bool, err error) {
	s.existing, s.refusal, s.created, s.begun = existing{}, nil, false, nil
	for _, look := range []func(tx) (found, changes bool, err error){s.findIdempotent, s.findOwned, s.findShared} {
		if found, changes, err := look(t); found || err != nil {
			return changes, err
		}
	}
	if s.worker == nil {
		s.refusal, err = s.refuse(t)
	}
	return s.refusal == nil && err == nil, err
}

// job returns a job that has not expired.
func (s *submission) job(t tx, id string) (jobRecord, bool, error) {
	v, ok, err := t.job(id)
	return v, ok && !expired(v, s.q.options.Now()), err
}

// idemKey returns the key in inIdem of the idempotency key.
func (s *submission) idemKey() []byte {
	return queuekit.Digest(append([]string{idemRecord}, queuekit.IdempotencyScope(s.spec)...)...)
}

// findIdempotent looks for the job of the idempotency key.
func (s *submission) findIdempotent(t tx) (found, changes bool, err error) {
	if s.spec.IdempotencyKey == "" {
		return false, false, nil
	}
	if raw := t.in(inIdem).Get(s.idemKey()); raw != nil {
		v, ok, err := s.job(t, string(raw[16:]))
		switch {
		case err != nil:
			return false, false, err
		case ok && !bytes.Equal(raw[:16], queuekit.Fingerprint(s.spec)):
			s.refusal = jobs.ErrIdempotencyMismatch
			return true, false, nil
		case ok:
			s.existing = existing{jobID: string(raw[16:]), taskID: v.Task, job: v}
			s.existing.task, err = t.task(v.Task)
			return true, s.takesOver(), err
		}
	}
	s.existing.recordIdem = true
	return false, false, nil
}

// findOwned looks for a job of the owner with the key.
func (s *submission) findOwned(t tx) (found, changes bool, err error) {
	if !queuekit.FindsEqual(s.spec) {
		return false, false, nil
	}
	id := t.in(inOwned).Get(queuekit.Digest(ownedJob, s.spec.Owner, s.spec.Kind, s.spec.Key))
	if id == nil {
		return false, false, nil
	}
	v, ok, err := s.job(t, string(id))
	if err != nil || !ok || v.Cancelled != 0 {
		return false, false, err
	}
	w, err := t.task(v.Task)
	if err != nil || w.Status != jobs.Succeeded && w.Status.Final() {
		return false, false, err
	}
	s.existing.jobID, s.existing.job, s.existing.taskID, s.existing.task = string(id), v, v.Task, w
	return true, s.takesOver(), nil
}

// findShared looks for the task of the key.
func (s *submission) findShared(t tx) (found, changes bool, err error) {
	if s.spec.Key == "" {
		return false, false, nil
	}
	id := t.in(inShared).Get(queuekit.Digest(sharedTask, s.spec.Kind, s.spec.Key))
	if id == nil {
		return false, false, nil
	}
	w, err := t.task(string(id))
	if err != nil || w.Status.Final() && w.Until <= s.q.options.Now().UnixNano() {
		return false, false, err
	}
	if !queuekit.FindsEqual(s.spec) && !w.Status.Final() {
		s.refusal = decide.TooMany(&s.q.options, s.unfinished(t))
	}
	s.existing.taskID, s.existing.task = string(id), w
	return true, s.refusal == nil, nil
}

// unfinished counts the unfinished jobs of the owner, or of its network, which has more. It counts no further than to the bound.
func (s *submission) unfinished(t tx) int {
	most := s.q.options.MaxOwned
	return max(t.liveOf(s.spec.Owner, most), t.liveOf(s.spec.Taker(), most))
}

// refuse returns why no new task may wait, or nil.
func (s *submission) refuse(t tx) (refusal, err error) {
	load := decide.Load{Unfinished: s.unfinished(t), Waiting: t.queued()}
	if decide.Limits(&s.q.options, &s.spec).AsksOwn(load.Waiting) {
		tasks, err := t.waitingOf(s.spec.Taker())
		if err != nil {
			return nil, err
		}
		load.Own = len(tasks)
		for _, w := range tasks {
			load.Cost += time.Duration(w.Cost) * time.Microsecond
		}
	}
	return decide.Refuse(&s.q.options, &s.spec, load), nil
}

// takesOver reports whether the task is waiting and is to be run by this process.
func (s *submission) takesOver() bool {
	return s.worker != nil && s.existing.task.Status == jobs.Queued
}

// accept writes what the submission changes.
func (s *submission) accept(t tx) error {
	if changes, err := s.find(t); err != nil || !changes {
		return err
	}
	now := s.q.options.Now()
	e := &s.existing
	if e.taskID == "" {
		e.taskID, e.task = s.newTask, taskRecord{
			Kind: s.spec.Kind, Key: s.spec.Key, Owner: s.spec.Owner, Network: s.spec.Network,
			Cost: decide.Cost(&s.spec).Microseconds(), Created: now.UnixNano(),
		}
		if err := t.in(inTaskPayload).Put([]byte(e.taskID), s.spec.Payload); err != nil {
			return err
		}
		if s.spec.Key != "" {
			if err := t.in(inShared).Put(queuekit.Digest(sharedTask, s.spec.Kind, s.spec.Key), []byte(e.taskID)); err != nil {
				return err
			}
		}
		if s.worker == nil {
			if err := t.enqueue(e.taskID, &e.task); err != nil {
				return err
			}
		} else {
			e.task.Status = jobs.Queued
			if err := t.takeTurn(&e.task); err != nil {
				return err
			}
		}
	} else if e.jobID == "" {
		if err := t.takeOver(e.taskID, &e.task, &s.spec); err != nil {
			return err
		}
	}
	if s.takesOver() {
		if err := t.dequeue(&e.task); err != nil {
			return err
		}
		if err := t.begin(e.taskID, &e.task, now); err != nil {
			return err
		}
		s.begun = newRun(t, e.taskID, e.task, true)
	}
	if e.jobID == "" {
		if err := s.addJob(t, now); err != nil {
			return err
		}
	}
	if e.recordIdem {
		key := s.idemKey()
		e.job.Idem = append(e.job.Idem, key)
		if err := t.in(inIdem).Put(key, join(queuekit.Fingerprint(s.spec), []byte(e.jobID))); err != nil {
			return err
		}
	}
	return errors.Join(t.put(inJobs, e.jobID, e.job), t.put(inTasks, e.taskID, e.task))
}

// addJob creates a job of the task.
func (s *submission) addJob(t tx, now time.Time) error {
	e := &s.existing
	number, err := t.in(inOwners).NextSequence()
	if err != nil {
		return err
	}
	e.jobID, s.created = s.newJob, true
	e.job = jobRecord{Task: e.taskID, Owner: s.spec.Owner, Network: s.spec.Network, Number: number, Created: now.UnixNano()}
	e.task.Live++
	errs := []error{
		t.in(inJobPayload).Put([]byte(e.jobID), s.spec.Payload),
		t.in(inTaskJobs).Put([]byte(e.taskID+e.jobID), nil),
	}
	if !s.spec.Unlisted {
		errs = append(errs, t.in(inOwners).Put(join(queuekit.Digest(ownerList, s.spec.Owner), big(number)), []byte(e.jobID)))
	}
	if queuekit.FindsEqual(s.spec) {
		errs = append(errs, t.in(inOwned).Put(queuekit.Digest(ownedJob, s.spec.Owner, s.spec.Kind, s.spec.Key), []byte(e.jobID)))
	}
	if e.task.Status.Final() {
		errs = append(errs, t.expire(e.jobID, &e.job, &e.task, now.Add(s.q.options.Retention)))
	} else {
		errs = append(errs, t.setLive(s.spec.Owner, s.spec.Network, e.jobID, true))
	}
	return errors.Join(errs...)
}
