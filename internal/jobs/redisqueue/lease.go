package redisqueue

import (
	"context"
	"strconv"
	"time"

	"go.uber.org/zap"

	"roem/internal/jobs"
	"roem/internal/jobs/queuekit"
)

// keeping holds on to the leases of this process, and takes over those of processes that have died.
func (q *Queue) keepLeases(ctx context.Context, w *working) {
	beat := q.options.Lease / renewalsPerLease
	tick := time.NewTicker(beat)
	defer tick.Stop()
	reapFrom := time.Now() // after trouble, others get the time of a lease to be heard of again
	for {
		start := time.Now()
		switch err := q.renew(ctx, w); {
		case ctx.Err() != nil:
			return
		case err != nil:
			q.options.Log.Warn("holding on to jobs", zap.Error(err))
			reapFrom = time.Now().Add(q.options.Lease)
		case time.Since(start) > beat: // so may others' have been
			reapFrom = time.Now().Add(q.options.Lease)
		case time.Now().After(reapFrom):
			if err := q.reap(ctx); err != nil && ctx.Err() == nil {
				q.options.Log.Warn("looking for jobs of processes that have died", zap.Error(err))
			}
		}
		select {
		case <-ctx.Done():
			return
		case <-tick.C:
		}
	}
}

// renewArgs returns the arguments of beat for the runs.
func (q *Queue) renewArgs(runs ...*run) []any {
	q.mu.Lock()
	defer q.mu.Unlock()
	slots := 0
	if q.working != nil && !queuekit.Closed(q.claimingStopped) {
		slots = q.working.concurrency
	}
	args := []any{q.id, slots, q.options.Lease.Milliseconds()}
	for _, r := range runs {
		args = append(args, r.stream, r.entry, r.task.ID, r.epoch)
	}
	return args
}

// beat says that this process lives and what it holds. The handlers of what it has lost are stopped.
func (q *Queue) renew(ctx context.Context, w *working) error {
	q.mu.Lock()
	ticket := w.ticket
	runs := make([]*run, 0, len(q.runs))
	for _, r := range q.runs {
		runs = append(runs, r)
	}
	q.mu.Unlock()
	args := q.renewArgs(runs...)
	if ticket != "" {
		args = append(args, tickets, ticket, "", "")
	}
	raw, err := q.run(ctx, q.scripts.renew, args...)
	if err != nil {
		return err
	}
	a := answer{raw: raw}
	for i, r := range runs {
		if a.text(i) == "0" {
			r.cancel(queuekit.ErrTaken)
		}
	}
	if ticket != "" && a.text(len(runs)) == "0" {
		q.mu.Lock()
		if w.ticket == ticket {
			w.ticket = ""
		}
		q.mu.Unlock()
	}
	return a.err
}

// reap takes over what processes that have died held. A server that has just started has heard of nobody yet.
func (q *Queue) reap(ctx context.Context) error {
	info, err := q.client.Info(ctx, "server").Result()
	if err != nil {
		return wrapError(err)
	}
	up, err := strconv.Atoi(parseInfo(info)["uptime_in_seconds"])
	if err == nil && time.Duration(up)*time.Second < q.options.Lease {
		return nil
	}
	raw, err := q.run(ctx, q.scripts.reap, q.id, q.options.Lease.Milliseconds(), jobs.MaxAttempts, queuekit.MaxDeaths)
	if err != nil {
		return err
	}
	a := answer{raw: raw}
	for _, id := range list(a.at(0)) {
		q.options.Log.Warn("a process died over a job: it is queued again", zap.String("task", id))
	}
	for _, id := range list(a.at(1)) {
		q.options.Log.Error("job failed: the process died whenever it was worked", zap.String("task", id))
	}
	return a.err
}

func list(raw any) (texts []string) {
	all, _ := raw.([]any)
	for _, one := range all {
		if text, ok := one.(string); ok {
			texts = append(texts, text)
		}
	}
	return texts
}
