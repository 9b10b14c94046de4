package redisqueue

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"time"

	"github.com/redis/go-redis/v9"
	"go.uber.org/zap"

	"roem/internal/jobs"
	"roem/internal/jobs/queuekit"
)

const (
	claimBlock       = 250 * time.Millisecond // of one wait for a ticket, and so the longest that a stop takes without the handlers
	retryDelay       = 200 * time.Millisecond // after an error
	progressInterval = 100 * time.Millisecond // between two writes of a run's progress
	renewalsPerLease = 4
	leaveTimeout     = 2 * time.Second // for the last writes when the process stops
)

// working is a running call of Work.
type working struct {
	ctx         context.Context
	handler     jobs.Handler
	concurrency int
	runs        sync.WaitGroup
	slotFreed   chan struct{} // receives when a slot has become free

	// Guarded by Queue.mu.
	active int    // runs in slots
	alone  bool   // the active run must be the only one
	ticket string // an entry that this process has received and not used yet
}

// join returns the running Work, or nil. The Work does not return before the caller has called runs.Done.
func (q *Queue) join() *working {
	q.mu.Lock()
	defer q.mu.Unlock()
	if q.working != nil {
		q.working.runs.Add(1)
	}
	return q.working
}

// Work runs tasks with the handler.
func (q *Queue) Work(ctx context.Context, handler jobs.Handler, concurrency int) error {
	w := &working{ctx: ctx, handler: handler, concurrency: max(0, concurrency), slotFreed: make(chan struct{}, 1)}
	q.mu.Lock()
	switch {
	case q.closed():
		q.mu.Unlock()
		return jobs.ErrClosed
	case q.working != nil:
		q.mu.Unlock()
		return jobs.ErrWorking
	}
	q.working = w
	q.mu.Unlock()

	// Leases are renewed until the last handler has returned, not only until the context ends.
	upkeep, end := context.WithCancel(context.WithoutCancel(ctx))
	var kept sync.WaitGroup
	kept.Go(func() { q.keepLeases(upkeep, w) })

	err := q.claimLoop(w) //nolint:contextcheck // w has the context

	q.mu.Lock()
	q.working = nil // so that join returns nil
	q.mu.Unlock()
	w.runs.Wait()
	end()
	kept.Wait()
	q.leave(context.WithoutCancel(ctx), w)
	return err
}

// leave removes this process's slots from the stats and gives back its unused ticket.
func (q *Queue) leave(ctx context.Context, w *working) {
	ctx, cancel := context.WithTimeout(ctx, leaveTimeout)
	defer cancel()
	q.mu.Lock()
	ticket := w.ticket
	q.mu.Unlock()
	_, err := q.run(ctx, q.scripts.leave, q.id, ticket)
	switch {
	case err == nil:
		q.setTicket(w, "")
	case !q.closed():
		q.options.Log.Warn("leaving the queue", zap.Error(err))
	}
}

// claimLoop starts tasks whenever one waits and a slot is free, until the context ends.
func (q *Queue) claimLoop(w *working) error {
	for {
		switch {
		case q.closed():
			return jobs.ErrClosed
		case w.ctx.Err() != nil:
			return nil //nolint:nilerr // that is how Work ends
		case queuekit.Closed(q.claimingStopped):
			q.leave(context.WithoutCancel(w.ctx), w) // other processes need an unused ticket
			select {                                 // Submit still starts local tasks
			case <-w.ctx.Done():
			case <-q.done:
			}
			continue
		}
		if !q.hasFreeSlot(w) {
			select {
			case <-w.ctx.Done():
			case <-q.done:
			case <-q.claimingStopped:
			case <-w.slotFreed:
			}
			continue
		}
		r, err := q.claim(w)
		switch {
		case r != nil:
			q.start(w, r)
		case err != nil && w.ctx.Err() == nil && !q.closed():
			q.options.Log.Warn("looking for tasks", zap.Error(err))
			q.pause(w, retryDelay)
		}
	}
}

func (q *Queue) hasFreeSlot(w *working) bool {
	q.mu.Lock()
	defer q.mu.Unlock()
	return w.active < w.concurrency && !w.alone
}

// pause waits until a slot becomes free, or for a while.
func (q *Queue) pause(w *working, d time.Duration) {
	select {
	case <-w.ctx.Done():
	case <-q.done:
	case <-q.claimingStopped:
	case <-w.slotFreed:
	case <-time.After(d):
	}
}

// claim waits for a ticket and starts the oldest waiting task with it. It returns nil if it received no ticket, and if the
// task must run alone and other tasks run here.
func (q *Queue) claim(w *working) (*run, error) {
	q.mu.Lock()
	ticket, active := w.ticket, w.active
	q.mu.Unlock()
	if ticket == "" {
		given, err := q.client.XReadGroup(w.ctx, &redis.XReadGroupArgs{
			Group: group, Consumer: q.id, Streams: []string{q.prefix + tickets, ">"}, Count: 1, Block: claimBlock,
		}).Result()
		switch {
		case errors.Is(err, redis.Nil):
			return nil, nil //nolint:nilnil // no run and no error: there is nothing to start
		case err != nil && redis.HasErrorPrefix(err, "NOGROUP"):
			return nil, wrapError(q.makeGroups(w.ctx))
		case err != nil:
			return nil, wrapError(err)
		case len(given) != 1 || len(given[0].Messages) != 1:
			return nil, fmt.Errorf("%w: XREADGROUP returned %d streams, want 1", jobs.ErrUnavailable, len(given))
		}
		ticket = given[0].Messages[0].ID
		q.setTicket(w, ticket)
	}
	if w.ctx.Err() != nil || queuekit.Closed(q.claimingStopped) {
		return nil, nil //nolint:nilnil,nilerr // it is given back by leave
	}
	raw, err := q.run(w.ctx, q.scripts.claim, q.id, ticket, active, queuekit.AloneFrom)
	if err != nil {
		return nil, err // the ticket is kept: the script can be repeated with it
	}
	if raw == nil {
		q.setTicket(w, "")
		return nil, nil //nolint:nilnil // the ticket was one too many
	}
	a := answer{raw: raw}
	if a.text(0) == "alone" {
		q.pause(w, q.options.Lease/renewalsPerLease)
		return nil, nil //nolint:nilnil // tried again later, when nothing else runs here
	}
	q.setTicket(w, "")
	r := &run{
		task:  jobs.Task{ID: a.text(1), Kind: a.text(2), Key: a.text(3), Owner: a.text(9), Attempt: int(a.number(4)), Payload: []byte(a.text(7))},
		epoch: a.text(5), failures: int(a.number(6)), alone: a.number(8) >= queuekit.AloneFrom, stream: tickets, entry: ticket,
	}
	return r, a.err
}

func (q *Queue) setTicket(w *working, ticket string) {
	q.mu.Lock()
	defer q.mu.Unlock()
	w.ticket = ticket
}
