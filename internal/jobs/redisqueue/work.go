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
	"roem/internal/jobs/decide"
	"roem/internal/jobs/queuekit"
)

const (
	claimBlock       = 250 * time.Millisecond // of one wait for a ticket, and so the longest that a stop takes without the handlers
	beyondInterval   = 250 * time.Millisecond // between two looks for tasks of other owners while no slot is free
	progressInterval = 100 * time.Millisecond // between two writes of a run's progress
	renewalsPerLease = 4
	leaveTimeout     = 2 * time.Second // for the last writes when the process stops
)

// working is a running call of Work.
type working struct {
	*queuekit.Working
	ticket string // an entry that this process has received and not used yet; guarded by Queue.mu
}

// Work runs tasks with the handler.
func (q *Queue) Work(ctx context.Context, handler jobs.Handler, concurrency int) error {
	// Leases are renewed until the last handler has returned, not only until the context ends.
	upkeep, end := context.WithCancel(context.WithoutCancel(ctx))
	defer end()
	var kept sync.WaitGroup
	var w *working
	err := q.workers.Work(ctx, handler, concurrency, q.closed, func(begun *queuekit.Working) error {
		w = &working{Working: begun}
		kept.Go(func() { q.keepLeases(upkeep, w) })
		return q.claimLoop(w)
	})
	if w != nil { // it has begun
		end()
		kept.Wait()
		q.leave(context.WithoutCancel(ctx), w)
	}
	return err
}

// leave removes this process's slots from the stats and gives back its unused ticket.
func (q *Queue) leave(ctx context.Context, w *working) {
	ctx, cancel := context.WithTimeout(ctx, leaveTimeout)
	defer cancel()
	_, err := q.run(ctx, q.scripts.leave, q.id, q.ticketOf(w))
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
		case w.Ctx.Err() != nil:
			return nil //nolint:nilerr // that is how Work ends
		case queuekit.Closed(q.workers.ClaimingStopped()):
			q.leave(context.WithoutCancel(w.Ctx), w) // other processes need an unused ticket
			select {                                 // Submit still starts local tasks
			case <-w.Ctx.Done():
			case <-q.done:
			}
			continue
		}
		if q.workers.Room(w.Working).Full() {
			q.pause(w, beyondInterval) // until an attempt has ended, or has had its turn
			continue
		}
		r, err := q.claim(w)
		switch {
		case r != nil:
			q.workers.Start(w.Working, r)
		case err != nil && w.Ctx.Err() == nil && !q.closed():
			q.options.Log.Warn("looking for tasks", zap.Error(err))
			q.pause(w, queuekit.RetryDelay)
		}
	}
}

// pause waits until a slot becomes free, or for a while.
func (q *Queue) pause(w *working, d time.Duration) {
	select {
	case <-w.Ctx.Done():
	case <-q.done:
	case <-q.workers.ClaimingStopped():
	case <-q.slotFreed:
	case <-time.After(d):
	}
}

// claim waits for a ticket and starts the oldest waiting task with it. It returns nil if it received no ticket, and if the
// task must run alone and other tasks run here.
func (q *Queue) claim(w *working) (*run, error) {
	ticket, room := q.ticketOf(w), q.workers.Room(w.Working)
	if !room.Free { // a ticket is taken from another process only if it is of use here
		if waits, err := q.waits(w.Ctx, room); err != nil || !waits {
			q.pause(w, beyondInterval)
			return nil, err
		}
	}
	if ticket == "" {
		given, err := q.client.XReadGroup(w.Ctx, &redis.XReadGroupArgs{
			Group: group, Consumer: q.id, Streams: []string{q.prefix + tickets, ">"}, Count: 1, Block: claimBlock,
		}).Result()
		switch {
		case errors.Is(err, redis.Nil):
			return nil, nil // no run and no error: there is nothing to start
		case err != nil && redis.HasErrorPrefix(err, "NOGROUP"):
			return nil, wrapError(q.makeGroups(w.Ctx))
		case err != nil:
			return nil, wrapError(err)
		case len(given) != 1 || len(given[0].Messages) != 1:
			return nil, fmt.Errorf("%w: XREADGROUP returned %d streams, want 1", jobs.ErrUnavailable, len(given))
		}
		ticket = given[0].Messages[0].ID
		q.setTicket(w, ticket)
	}
	if w.Ctx.Err() != nil || queuekit.Closed(q.workers.ClaimingStopped()) {
		return nil, nil //nolint:nilerr // it is given back by leave
	}
	raw, err := q.run(w.Ctx, q.scripts.claim, q.claimArgs(ticket, room)...)
	if err != nil {
		return nil, err // the ticket is kept: the script can be repeated with it
	}
	if raw == nil {
		q.setTicket(w, "")
		return nil, nil // the ticket was one too many
	}
	if raw == "alone" {
		q.pause(w, q.options.Lease/renewalsPerLease)
		return nil, nil // tried again later, when nothing else runs here
	}
	q.setTicket(w, "")
	a := answer{raw: raw}
	r := a.run(tickets)
	return r, a.err
}

// claimArgs returns the arguments of claim.lua.
func (q *Queue) claimArgs(ticket string, room queuekit.Room) []any {
	args := []any{q.id, ticket, room.Active, decide.AloneFrom, flag(!room.Free)}
	for taker := range room.Takers {
		args = append(args, digest(taker))
	}
	return args
}

// waits reports whether a task waits for which there is room.
func (q *Queue) waits(ctx context.Context, room queuekit.Room) (bool, error) {
	raw, err := q.run(ctx, q.scripts.claim, q.claimArgs("", room)...)
	n, _ := raw.(int64)
	return n == 1, err
}

func (q *Queue) ticketOf(w *working) string {
	q.mu.Lock()
	defer q.mu.Unlock()
	return w.ticket
}

func (q *Queue) setTicket(w *working, ticket string) {
	q.mu.Lock()
	defer q.mu.Unlock()
	w.ticket = ticket
}
