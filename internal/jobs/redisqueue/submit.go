package redisqueue

import (
	"context"
	"encoding/hex"
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
	o, limits := &q.options.Options, decide.Limits(&q.options.Options, &spec)
	raw, err := q.sure(ctx, q.scripts.submit, spec.Kind, spec.Key, spec.Owner, spec.Network, spec.Payload, queuekit.NewID(), queuekit.NewID(),
		idem, hex.EncodeToString(queuekit.Fingerprint(spec)), shared, owned, digest(spec.Owner), digest(spec.Taker()), inst,
		decide.Cost(&spec).Microseconds(), flag(spec.Unlisted),
		limits.Unfinished, limits.Waiting, limits.Behind, limits.Cost.Microseconds(), flag(limits.AsksOwn(0)))
	if err != nil {
		return jobs.Job{}, false, err
	}
	a := answer{raw: raw}
	switch a.text(0) {
	case "mismatch":
		return jobs.Job{}, false, jobs.ErrIdempotencyMismatch
	case "toomany":
		return jobs.Job{}, false, decide.TooMany(o, int(a.number(1)))
	case "refused":
		return jobs.Job{}, false, decide.Refuse(o, &spec, decide.Load{
			Unfinished: int(a.number(1)), Waiting: int(a.number(2)), Own: int(a.number(3)), Cost: time.Duration(a.number(4)) * time.Microsecond,
		})
	}
	job, created := a.text(1), a.number(2) == 1
	if a.number(3) == 1 { // the task has begun here
		task := answer{raw: a.at(4)}
		r := task.run()
		r.Local = true
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
