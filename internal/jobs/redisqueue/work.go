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
	claimBlock       = 250 * time.Millisecond // a wait for a ticket, and so the longest that a stop takes beside the handlers
	retryDelay       = 200 * time.Millisecond // after an error
	progressInterval = 100 * time.Millisecond // between two reports of a run
	renewalsPerLease = 4
	leaveTimeout     = 2 * time.Second // for what is written when the process stops
)

// working is a Work under way.
type working struct {
	ctx         context.Context
	handler     jobs.Handler
	concurrency int
	runs        sync.WaitGroup
	slotFreed   chan struct{} // rung when a slot has become free

	// Guarded by Queue.mu.
	active int    // runs in slots
	alone  bool   // the one active run must have no other beside it
	ticket string // the entry that has been given to this process and not been used yet
}

// join returns the Work under way, which does not end before runs.Done is called, or nil.
func (q *Queue) join() *working {
	q.mu.Lock()
	defer q.mu.Unlock()
	if q.working != nil {
		q.working.runs.Add(1)
	}
	return q.working
}

// Work has tasks worked by the handler.
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

	// Leases are held until the last handler has returned, not only until the context ends.
	upkeep, end := context.WithCancel(context.WithoutCancel(ctx))
	var kept sync.WaitGroup
	kept.Go(func() { q.keepLeases(upkeep, w) })

	err := q.claimLoop(w) //nolint:contextcheck // w has the context

	q.mu.Lock()
	q.working = nil // nobody joins any more
	q.mu.Unlock()
	w.runs.Wait()
	end()
	kept.Wait()
	q.leave(context.WithoutCancel(ctx), w)
	return err
}

// leave says that this process claims no more, and gives back a ticket that it has not used.
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

// claiming begins work whenever there is some and a slot for it, until the context ends.
func (q *Queue) claimLoop(w *working) error {
	for {
		switch {
		case q.closed():
			return jobs.ErrClosed
		case w.ctx.Err() != nil:
			return nil //nolint:nilerr // that is how Work ends
		case queuekit.Closed(q.claimingStopped):
			q.leave(context.WithoutCancel(w.ctx), w) // a ticket that it sat on would keep others from the work
			select {                                 // local work is still begun, by Submit
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
			q.options.Log.Warn("looking for work", zap.Error(err))
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

// claim waits for a ticket and begins the oldest work with it. It returns nil where it was given none, and where what it
// may begin must run alone and other work runs here.
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
			return nil, nil //nolint:nilnil // no run and no error: there is nothing to begin
		case err != nil && redis.HasErrorPrefix(err, "NOGROUP"):
			return nil, wrapError(q.makeGroups(w.ctx))
		case err != nil:
			return nil, wrapError(err)
		case len(given) != 1 || len(given[0].Messages) != 1:
			return nil, fmt.Errorf("%w: it gave %d streams for one", jobs.ErrUnavailable, len(given))
		}
		ticket = given[0].Messages[0].ID
		q.setTicket(w, ticket)
	}
	if w.ctx.Err() != nil || queuekit.Closed(q.claimingStopped) {
		return nil, nil //nolint:nilnil,nilerr // it is given back by leave
	}
	raw, err := q.run(w.ctx, q.scripts.claim, q.id, ticket, active, queuekit.AloneFrom)
	if err != nil {
		return nil, err // the ticket is held on to: what it was used for will be told when it is tried again
	}
	if raw == nil {
		q.setTicket(w, "")
		return nil, nil //nolint:nilnil // the ticket was one too many
	}
	a := answer{raw: raw}
	if a.text(0) == "alone" {
		q.pause(w, q.options.Lease/renewalsPerLease)
		return nil, nil //nolint:nilnil // later, when nothing else runs here
	}
	q.setTicket(w, "")
	r := &run{
		task:  jobs.Task{ID: a.text(1), Kind: a.text(2), Key: a.text(3), Attempt: int(a.number(4)), Payload: []byte(a.text(7))},
		epoch: a.text(5), failures: int(a.number(6)), alone: a.number(8) >= queuekit.AloneFrom, stream: tickets, entry: ticket,
	}
	return r, a.err
}

func (q *Queue) setTicket(w *working, ticket string) {
	q.mu.Lock()
	defer q.mu.Unlock()
	w.ticket = ticket
}
