package redisqueue

import (
	"cmp"
	"context"
	"time"

	"go.uber.org/zap"

	"roem/internal/jobs/decide"
	"roem/internal/jobs/queuekit"
)

// keepLeases renews the leases of this process, and queues the tasks of dead processes again.
func (q *Queue) keepLeases(ctx context.Context) {
	interval := q.options.Lease / renewalsPerLease
	tick := time.NewTicker(interval)
	defer tick.Stop()
	reapFrom := time.Now() // after an error, others get the time of a lease to renew theirs
	for {
		start := time.Now()
		switch err := q.renew(ctx); {
		case ctx.Err() != nil:
			return
		case err != nil:
			q.options.Log.Warn("renewing leases", zap.Error(err))
			reapFrom = time.Now().Add(q.options.Lease)
		case time.Since(start) > interval: // the renewals of others may have been late as well
			reapFrom = time.Now().Add(q.options.Lease)
		case time.Now().After(reapFrom):
			if err := q.reap(ctx); err != nil && ctx.Err() == nil {
				q.options.Log.Warn("looking for expired leases", zap.Error(err))
			}
		}
		select {
		case <-ctx.Done():
			return
		case <-tick.C:
		}
	}
}

// renewArgs returns the arguments of renew.lua for the runs.
func (q *Queue) renewArgs(runs ...*run) []any {
	args := []any{q.id, q.workers.Slots()}
	for _, r := range runs {
		args = append(args, r.Task.ID, r.epoch)
	}
	return args
}

// renew renews the leases of this process. It ends the handlers of runs that have lost their task.
func (q *Queue) renew(ctx context.Context) error {
	runs := q.workers.All()
	raw, err := q.run(ctx, q.scripts.renew, q.renewArgs(runs...)...)
	if err != nil {
		return err
	}
	a := answer{raw: raw}
	for i, r := range runs {
		if a.text(i) == "0" {
			r.Lose()
		}
	}
	return a.err
}

// reap ends the attempts whose leases have expired. It does nothing in the first lease time of a Redis server, in which
// the processes have not had time to renew.
func (q *Queue) reap(ctx context.Context) error {
	server, err := q.ask(ctx)
	if err != nil {
		return wrapError(err)
	}
	if server.Up < q.options.Lease {
		return nil
	}
	raw, err := q.run(ctx, q.scripts.reap)
	expired, _ := raw.([]any)
	for _, one := range expired {
		a := answer{raw: one}
		deaths := decide.Deaths{Count: int(a.number(1)), Streak: int(a.number(2)), Last: uint64(a.number(3))}
		end := deaths.Died(uint64(a.number(4)))
		held, failed := q.end(ctx, 0, a.text(5), a.text(0), end, []any{
			"dcount", deaths.Count, "dstreak", deaths.Streak, "dlast", deaths.Last, "failure", string(end.Failure), "progress", "",
		})
		if held {
			queuekit.LogEnd(q.options.Log.With(zap.String("task", a.text(5))), end)
		}
		err = cmp.Or(err, failed, a.err)
	}
	return err
}
