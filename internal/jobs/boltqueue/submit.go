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
		q.workers.Wake()
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
	for _, look := range []func(tx) (found bool, err error){s.findIdempotent, s.findOwned, s.findShared} {
		if found, err := look(t); found || err != nil {
			return s.refusal == nil && (s.existing.jobID == "" || s.takesOver()), err
		}
	}
	if s.worker == nil {
		s.refusal, err = s.refuse(t)
	}
	return s.refusal == nil && err == nil, err
}

// idemKey returns the key in inIdem of the idempotency key.
func (s *submission) idemKey() []byte {
	return queuekit.Digest(append([]string{idemRecord}, queuekit.IdempotencyScope(s.spec)...)...)
}

// findIdempotent looks for the job of the idempotency key.
func (s *submission) findIdempotent(t tx) (found bool, err error) {
	if s.spec.IdempotencyKey == "" {
		return false, nil
	}
	if raw := t.in(inIdem).Get(s.idemKey()); raw != nil {
		found, err := s.existing.find(s.q, t, string(raw[16:]))
		if found && !bytes.Equal(raw[:16], queuekit.Fingerprint(s.spec)) {
			s.refusal = jobs.ErrIdempotencyMismatch
		}
		if found || err != nil {
			return found, err
		}
	}
	s.existing.recordIdem = true
	return false, nil
}

// findOwned looks for a job of the owner with the key.
func (s *submission) findOwned(t tx) (found bool, err error) {
	id := t.in(inOwned).Get(queuekit.Digest(ownedJob, s.spec.Owner, s.spec.Kind, s.spec.Key))
	if !queuekit.FindsEqual(s.spec) || id == nil {
		return false, nil
	}
	var e existing
	found, err = e.find(s.q, t, string(id))
	if !found || e.job.Cancelled != 0 || e.task.Status != jobs.Succeeded && e.task.Status.Final() {
		return false, err
	}
	s.existing = e
	return true, nil
}

// find sets the job and its task, if the job is there.
func (e *existing) find(q *Queue, t tx, id string) (found bool, err error) {
	v, w, err := q.find(t, id)
	if errors.Is(err, jobs.ErrNotFound) {
		return false, nil
	}
	*e = existing{jobID: id, taskID: v.Task, job: v, task: w}
	return err == nil, err
}

// findShared looks for the task of the key.
func (s *submission) findShared(t tx) (found bool, err error) {
	id := t.in(inShared).Get(queuekit.Digest(sharedTask, s.spec.Kind, s.spec.Key))
	if s.spec.Key == "" || id == nil {
		return false, nil
	}
	w, err := t.task(string(id))
	if err != nil || w.Status.Final() && w.Until <= s.q.options.Now().UnixNano() {
		return false, err
	}
	if !queuekit.FindsEqual(s.spec) && !w.Status.Final() {
		s.refusal = decide.TooMany(&s.q.options, s.unfinished(t))
	}
	s.existing.taskID, s.existing.task = string(id), w
	return true, nil
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
	changes, err := s.find(t)
	if err != nil || !changes {
		return err
	}
	now := s.q.options.Now()
	e := &s.existing
	if e.taskID == "" {
		e.taskID, e.task = s.newTask, taskRecord{
			Kind: s.spec.Kind, Key: s.spec.Key, Owner: s.spec.Owner, Network: s.spec.Network,
			Cost: decide.Cost(&s.spec).Microseconds(), Created: now.UnixNano(),
		}
		err = errors.Join(t.in(inTaskPayload).Put([]byte(e.taskID), s.spec.Payload), t.enqueue(e.taskID, &e.task))
		if s.spec.Key != "" {
			err = errors.Join(err, t.in(inShared).Put(queuekit.Digest(sharedTask, s.spec.Kind, s.spec.Key), []byte(e.taskID)))
		}
	} else if e.jobID == "" {
		err = t.takeOver(e.taskID, &e.task, &s.spec)
	}
	if err == nil && s.takesOver() {
		s.begun, err = t.start(e.taskID, &e.task, now, true)
	}
	if err == nil && e.jobID == "" {
		err = s.addJob(t, now)
	}
	if err != nil {
		return err
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
