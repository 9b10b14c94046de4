package redisqueue

import (
	"context"
	"encoding/hex"
	"time"

	"roem/internal/jobs"
	"roem/internal/jobs/queuekit"
)

// Submit accepts a job.
func (q *Queue) Submit(ctx context.Context, spec jobs.Spec) (jobs.Job, bool, error) {
	if err := queuekit.CheckSpec(spec, q.options.MaxPayload); err != nil {
		return jobs.Job{}, false, err
	}
	if err := q.open(ctx); err != nil {
		return jobs.Job{}, false, err
	}
	idem, shared, owned, inst := "", "", "", ""
	if spec.IdempotencyKey != "" {
		idem = digest(queuekit.IdempotencyScope(spec)...)
	}
	if spec.Key != "" {
		shared = digest(spec.Kind, spec.Key)
	}
	if queuekit.FindsEqual(spec) {
		owned = digest(spec.Owner, spec.Kind, spec.Key)
	}
	var worker *queuekit.Working
	if spec.Local {
		if worker = q.workers.Join(); worker != nil {
			defer worker.Leave()
			inst = q.id
		}
	}
	raw, err := q.sure(ctx, q.scripts.submit, spec.Kind, spec.Key, spec.Owner, spec.Payload, queuekit.NewID(), queuekit.NewID(),
		idem, hex.EncodeToString(queuekit.Fingerprint(spec)), shared, owned, digest(spec.Owner), q.options.MaxQueued, inst, q.options.MaxOwned,
		flag(spec.NoNewTask),
		queuekit.Cost(spec).Microseconds(), q.options.MaxCost.Microseconds(), flag(spec.Unlisted),
		spec.Network, digest(spec.Taker()), q.options.Reserved)
	if err != nil {
		return jobs.Job{}, false, err
	}
	a := answer{raw: raw}
	switch a.text(0) {
	case "mismatch":
		return jobs.Job{}, false, jobs.ErrIdempotencyMismatch
	case "new":
		return jobs.Job{}, false, jobs.ErrNewTask
	case "toomany":
		return jobs.Job{}, false, &jobs.TooManyError{Unfinished: int(a.number(1)), Max: q.options.MaxOwned}
	case "toocostly":
		waiting := time.Duration(a.number(1)) * time.Microsecond
		return jobs.Job{}, false, &jobs.TooCostlyError{Waiting: waiting, Cost: queuekit.Cost(spec), Max: q.options.MaxCost}
	case "full":
		return jobs.Job{}, false, &jobs.FullError{Queued: int(a.number(1)), Max: q.options.MaxQueued, Reserved: a.number(2) == 1}
	}
	job, task, created, begun := a.text(1), a.text(2), a.number(3) == 1, a.number(4) == 1
	if begun {
		r := newRun(jobs.Task{
			ID: task, Kind: spec.Kind, Key: spec.Key, Owner: a.text(11), Network: a.text(12), Payload: []byte(a.text(9)),
			Attempt: int(a.number(5)), State: a.bytes(13),
		})
		r.epoch, r.stream, r.entry, r.Failures, r.Local = a.text(6), localLease, a.text(7), int(a.number(8)), true
		q.workers.Start(worker, r)
	}
	if a.err != nil {
		return jobs.Job{}, false, a.err
	}
	found, err := q.Get(ctx, job)
	return found, created, err
}

func flag(is bool) int {
	if is {
		return 1
	}
	return 0
}
