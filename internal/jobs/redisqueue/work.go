package redisqueue

import (
	"context"
	"fmt"
	"sync"
	"time"

	"go.uber.org/zap"

	"roem/internal/jobs"
	"roem/internal/jobs/decide"
	"roem/internal/jobs/queuekit"
)

const (
	progressInterval = 100 * time.Millisecond // between two writes of a run's progress
	renewalsPerLease = 4
	leaveTimeout     = 2 * time.Second // for the last writes when the process stops
)

// Work runs tasks with the handler.
func (q *Queue) Work(ctx context.Context, handler jobs.Handler, concurrency int) error {
	return q.workers.Work(ctx, handler, concurrency)
}

// works keeps the leases until the last handler has returned, not only until the context ends.
func (q *Queue) works(ctx context.Context) (end func()) {
	upkeep, cancel := context.WithCancel(context.WithoutCancel(ctx))
	var kept sync.WaitGroup
	kept.Go(func() { q.keepLeases(upkeep) })
	return func() {
		cancel()
		kept.Wait()
		q.leave()
	}
}

// leave removes this process's slots from the stats, and gives a task back that it was given without learning of it.
func (q *Queue) leave() {
	ctx, cancel := context.WithTimeout(context.WithoutCancel(q.ctx), leaveTimeout)
	defer cancel()
	if _, err := q.run(ctx, q.scripts.leave, q.id, q.claimed()); err != nil && !q.closed() {
		q.options.Log.Warn("leaving the queue", zap.Error(err))
	}
}

// claimed names the last claim that was not answered, or the next one.
func (q *Queue) claimed() string { return fmt.Sprint(q.id, ":", q.claims) }

// claim starts the first waiting task for which there is room, and returns nil if there is none.
func (q *Queue) claim(ctx context.Context, room queuekit.Room) (*run, error) {
	raw, err := q.run(ctx, q.scripts.claim, q.claimArgs(q.claimed(), room)...)
	if err != nil {
		return nil, err // the claim can be repeated
	}
	q.claims++
	if raw == nil {
		return nil, nil // no run and no error: there is nothing to start
	}
	a := answer{raw: raw}
	r := a.run()
	return r, a.err
}

// claimArgs returns the arguments of claim.lua.
func (q *Queue) claimArgs(by string, room queuekit.Room) []any {
	args := []any{q.id, by, room.Active, flag(room.Free), decide.AloneFrom}
	for taker := range room.Takers {
		args = append(args, digest(taker))
	}
	return args
}

// waits reports whether a task waits for which there is room.
func (q *Queue) waits(ctx context.Context, room queuekit.Room) (bool, error) {
	raw, err := q.run(ctx, q.scripts.claim, q.claimArgs("", room)...)
	return raw != nil, err
}
