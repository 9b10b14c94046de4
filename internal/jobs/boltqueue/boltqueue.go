// Package boltqueue is a jobs.Queue in one file, for one process at a time. What it has accepted survives the death of
// the process at any moment: every change is flushed to the disk before anybody is told of it, several at a time where
// they come together.
//
// The file is the only truth: each change is one transaction that reads what is there and decides. Memory holds no more
// than what a process that died has no use for: which handlers run, and how far they are.
package boltqueue

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"slices"
	"sync"
	"time"

	bolt "go.etcd.io/bbolt"
	bolterrors "go.etcd.io/bbolt/errors"
	"go.uber.org/zap"

	"roem/internal/jobs"
	"roem/internal/jobs/queuekit"
)

// lockTimeout is how long Open waits for a process that has the file, such as one that is just stopping.
const lockTimeout = 2 * time.Second

// Queue is a jobs.Queue in a file.
type Queue struct {
	db      *bolt.DB
	options jobs.Options
	bell    queuekit.Bell
	wake    chan struct{} // rung when there may be work to begin

	resting chan struct{} // closed by StopClaiming
	rest    func()

	done   chan struct{} // closed by Close
	tasks  sync.WaitGroup
	atOnce sync.Once

	mu      sync.Mutex
	runs    map[string]*run // by id of work
	working *working        // nil where no Work is under way
}

var _ jobs.Queue = (*Queue)(nil)

// Open opens the queue in the file, which is made if it is not there. What was under way when the process before died
// is queued again. Only one process can have a file open.
func Open(path string, options jobs.Options) (*Queue, error) {
	options, err := options.Complete()
	if err != nil {
		return nil, err
	}
	db, err := bolt.Open(path, 0o600, &bolt.Options{
		Timeout: lockTimeout, NoFreelistSync: true, FreelistType: bolt.FreelistMapType,
	})
	if errors.Is(err, bolterrors.ErrTimeout) {
		return nil, fmt.Errorf("the queue %s is in use by another process", path)
	}
	if err != nil {
		return nil, fmt.Errorf("opening the queue %s: %w", path, err)
	}
	db.MaxBatchDelay = time.Millisecond // a commit takes about as long, and what comes meanwhile waits for the next
	q := &Queue{
		db: db, options: options, wake: make(chan struct{}, 1), done: make(chan struct{}), resting: make(chan struct{}),
		runs: map[string]*run{},
	}
	q.rest = sync.OnceFunc(func() { close(q.resting) })
	if err := q.prepare(); err != nil {
		return nil, errors.Join(fmt.Errorf("opening the queue %s: %w", path, err), db.Close())
	}
	q.tasks.Go(q.sweeping)
	return q, nil
}

// prepare makes what a new file lacks and takes back what a process that died left under way.
func (q *Queue) prepare() error {
	return q.db.Update(func(b *bolt.Tx) error {
		t := tx{b}
		for _, name := range buckets() {
			if _, err := t.CreateBucketIfNotExists([]byte(name)); err != nil {
				return err
			}
		}
		switch found := t.in(inMeta).Get([]byte(schemaKey)); {
		case found == nil:
			if err := t.in(inMeta).Put([]byte(schemaKey), []byte(schema)); err != nil {
				return err
			}
		case string(found) != schema:
			return fmt.Errorf("it has the form %q, and this program knows %q alone", found, schema)
		}
		return q.recover(t)
	})
}

// recover queues again what was under way, at the end, so that what kills processes does not stand before all else.
func (q *Queue) recover(t tx) error {
	var left []string
	c := t.in(inRunning).Cursor()
	for k, _ := c.First(); k != nil; k, _ = c.Next() {
		left = append(left, string(k))
	}
	if len(left) == 0 {
		return nil
	}
	death := t.number(deathsKey) + 1
	if err := t.setNumber(deathsKey, death); err != nil {
		return err
	}
	works := make(map[string]work, len(left))
	for _, id := range left {
		w, err := t.work(id)
		if err != nil {
			return err
		}
		works[id] = w
	}
	slices.SortFunc(left, func(a, b string) int { return int(works[a].Started - works[b].Started) })
	for _, id := range left {
		w := works[id]
		if err := t.in(inRunning).Delete([]byte(id)); err != nil {
			return err
		}
		log := q.options.Log.With(zap.String("work", id), zap.String("kind", w.Kind))
		if w.Deaths.Add(death) {
			log.Error("job failed: the process died whenever it was worked", zap.Int("deaths", w.Deaths.Count))
			w.Failure = jobs.FailedWithProcess
			if err := t.finish(id, &w, jobs.Failed, q.options.Now(), q.options.Retention); err != nil {
				return err
			}
		} else {
			log.Warn("the process died over a job: it is queued again", zap.Int("deaths", w.Deaths.Count))
			if err := t.enqueue(id, &w); err != nil {
				return err
			}
		}
		if err := t.put(inWorks, id, w); err != nil {
			return err
		}
	}
	return nil
}

// update runs the function in a transaction, together with others that come at the same time. It may run more than once.
func (q *Queue) update(f func(t tx) error) error {
	return known(q.db.Batch(func(b *bolt.Tx) error { return f(tx{b}) }))
}

func (q *Queue) view(f func(t tx) error) error {
	return known(q.db.View(func(b *bolt.Tx) error { return f(tx{b}) }))
}

// known gives the errors of the file their names.
func known(err error) error {
	switch {
	case err == nil:
		return nil
	case errors.Is(err, bolterrors.ErrDatabaseNotOpen):
		return jobs.ErrClosed
	case errors.Is(err, jobs.ErrNotFound), errors.Is(err, jobs.ErrClosed):
		return err
	default:
		return fmt.Errorf("%w: %w", jobs.ErrUnavailable, err)
	}
}

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
		if waiting := t.in(inQueue).Stats().KeyN; waiting >= s.q.options.MaxQueued {
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
		if err := t.in(inQueue).Delete(big(f.work.Place)); err != nil {
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

func expired(v view, now time.Time) bool { return v.Expires != 0 && v.Expires <= now.UnixNano() }

// find returns a job and its work, or ErrNotFound.
func (q *Queue) find(t tx, id string) (view, work, error) {
	v, ok, err := t.view(id)
	if err != nil {
		return v, work{}, err
	}
	if !ok || expired(v, q.options.Now()) {
		return v, work{}, jobs.ErrNotFound
	}
	w, err := t.work(v.Work)
	return v, w, err
}

// Get returns the job.
func (q *Queue) Get(ctx context.Context, id string) (jobs.Job, error) {
	if err := ctx.Err(); err != nil {
		return jobs.Job{}, err
	}
	job, _, err := q.get(id)
	return job, err
}

func (q *Queue) get(id string) (job jobs.Job, workID string, err error) {
	err = q.view(func(t tx) error {
		v, w, err := q.find(t, id)
		if err != nil {
			return err
		}
		job, workID = t.job(id, v, w), v.Work
		job.Payload = bytes.Clone(t.in(inPayload).Get([]byte(id)))
		switch job.Status {
		case jobs.Queued:
			job.PositionInQueue = t.position(w)
		case jobs.Running:
			job.Progress = q.progress(v.Work, w.Epoch)
		case jobs.Succeeded:
			job.Result = append([]byte{}, t.in(inResult).Get([]byte(v.Work))...)
			job.Progress = w.Progress
		case jobs.Failed:
			job.Progress = w.Progress
		}
		return nil
	})
	return job, workID, err
}

// Cancel ends the job.
func (q *Queue) Cancel(ctx context.Context, id string) (jobs.Job, error) {
	if err := ctx.Err(); err != nil {
		return jobs.Job{}, err
	}
	if job, _, err := q.get(id); err != nil || job.Status.Final() {
		return job, err
	}
	var workID string
	var stopped bool
	err := q.update(func(t tx) error {
		stopped = false
		v, w, err := q.find(t, id)
		if err != nil {
			return err
		}
		workID = v.Work
		if v.Cancelled != 0 || w.Status.Final() {
			return nil
		}
		now := q.options.Now()
		v.Cancelled = now.UnixNano()
		if err := t.expire(id, &v, &w, now.Add(q.options.Retention)); err != nil {
			return err
		}
		if w.Live--; w.Live == 0 {
			stopped = true
			if w.Status == jobs.Queued {
				if err := t.in(inQueue).Delete(big(w.Place)); err != nil {
					return err
				}
			}
			if err := t.finish(v.Work, &w, jobs.Cancelled, now, q.options.Retention); err != nil {
				return err
			}
		}
		return t.put(inWorks, v.Work, w)
	})
	if err != nil {
		return jobs.Job{}, err
	}
	if stopped {
		q.stop(workID)
	}
	q.bell.Ring(workID)
	return q.Get(ctx, id)
}

// List returns jobs of an owner.
func (q *Queue) List(ctx context.Context, o jobs.ListOptions) (page jobs.Page, err error) {
	if err := errors.Join(ctx.Err(), queuekit.CheckLimit(o.Limit)); err != nil {
		return page, err
	}
	owner := queuekit.Digest(ownerList, o.Owner)
	before := ^uint64(0) // the number that the page ends before
	if o.Token != "" {
		if before, err = queuekit.ParsePageToken(o.Owner, o.Token); err != nil {
			return page, err
		}
	}
	err = q.view(func(t tx) error {
		page = jobs.Page{}
		positions := t.positions()
		c := t.in(inOwners).Cursor()
		step := c.Prev
		if k, _ := c.Seek(join(owner, big(before))); k == nil { // past the end, which Prev does not come back from
			step = c.Last
		}
		var last uint64
		for {
			k, id := step()
			step = c.Prev
			if !bytes.HasPrefix(k, owner) {
				return nil
			}
			v, w, err := q.find(t, string(id))
			switch {
			case errors.Is(err, jobs.ErrNotFound):
				continue
			case err != nil:
				return err
			}
			job := t.job(string(id), v, w)
			if o.Status != "" && job.Status != o.Status {
				continue
			}
			if len(page.Jobs) == o.Limit {
				page.Next = queuekit.PageToken(o.Owner, last)
				return nil
			}
			if job.Status == jobs.Queued {
				job.PositionInQueue = positions[v.Work]
			}
			last = v.Number
			page.Jobs = append(page.Jobs, job)
		}
	})
	return page, err
}

// Watch follows a job.
func (q *Queue) Watch(ctx context.Context, id string) (<-chan jobs.Job, error) {
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	_, workID, err := q.get(id)
	if err != nil {
		return nil, err
	}
	rung, stop := q.bell.Listen(workID)
	first, _, err := q.get(id) // once more: it may have changed before anybody listened
	if err != nil {
		stop()
		return nil, err
	}
	return queuekit.Follow(ctx, queuekit.Following{
		First: first, Rung: rung, Every: time.Second, Done: q.done, Stop: stop,
		Get: func(ctx context.Context) (jobs.Job, error) { return q.Get(ctx, id) },
	}), nil
}

// Stats returns how busy the queue is.
func (q *Queue) Stats(ctx context.Context) (s jobs.Stats, err error) {
	if err := ctx.Err(); err != nil {
		return s, err
	}
	q.mu.Lock()
	if q.working != nil && !queuekit.Closed(q.resting) {
		s.Slots = q.working.concurrency
	}
	q.mu.Unlock()
	s.MaxQueued = q.options.MaxQueued
	err = q.view(func(t tx) error {
		s.Queued, s.Running = t.in(inQueue).Stats().KeyN, t.in(inRunning).Stats().KeyN
		s.MeanRun = time.Duration(t.number(meanKey))
		oldest := int64(0)
		c := t.in(inQueue).Cursor()
		for k, id := c.First(); k != nil; k, id = c.Next() {
			w, err := t.work(string(id))
			if err != nil {
				return err
			}
			if oldest == 0 || w.Created < oldest {
				oldest = w.Created
			}
			if w.Attempts == 0 { // those behind came later
				break
			}
		}
		if oldest != 0 {
			s.Oldest = max(0, q.options.Now().Sub(moment(oldest)))
		}
		return nil
	})
	return s, err
}

// StopClaiming makes Work begin nothing more of what waits.
func (q *Queue) StopClaiming() { q.rest() }

// Close closes the file.
func (q *Queue) Close() error {
	var err error
	q.atOnce.Do(func() {
		close(q.done)
		q.tasks.Wait()
		err = q.db.Close()
	})
	return err
}

// sweeping removes what is kept no longer, now and then.
func (q *Queue) sweeping() {
	tick := time.NewTicker(min(max(q.options.Retention/20, 10*time.Millisecond), time.Minute))
	defer tick.Stop()
	for {
		select {
		case <-q.done:
			return
		case <-tick.C:
			if err := q.sweep(); err != nil {
				q.options.Log.Warn("removing old jobs", zap.Error(err))
			}
		}
	}
}

// sweep removes all jobs that have expired or are too many, some at a time, so that nobody waits long.
func (q *Queue) sweep() error {
	for {
		due := false
		err := q.view(func(t tx) error {
			due = q.due(t, t.in(inExpiry).Stats().KeyN) != nil
			return nil
		})
		if err != nil || !due {
			return err
		}
		err = q.update(func(t tx) error {
			kept := t.in(inExpiry).Stats().KeyN // which does not see what this transaction removes
			for range sweepBatch {
				key := q.due(t, kept)
				if key == nil {
					break
				}
				kept--
				if err := errors.Join(t.remove(string(key[8:])), t.in(inExpiry).Delete(key)); err != nil {
					return err
				}
			}
			return nil
		})
		if err != nil {
			return err
		}
	}
}

// due returns the key in inExpiry of the oldest of so many jobs that are final if it is kept no longer, and nil otherwise:
// it has expired, or there are too many, or they are too large.
func (q *Queue) due(t tx, kept int) []byte {
	key, _ := t.in(inExpiry).Cursor().First()
	if key == nil {
		return nil
	}
	if bytes.Compare(key[:8], big(uint64(q.options.Now().UnixNano()))) <= 0 ||
		kept > q.options.MaxKept || t.number(bytesKey) > uint64(q.options.MaxBytes) {
		return bytes.Clone(key)
	}
	return nil
}
