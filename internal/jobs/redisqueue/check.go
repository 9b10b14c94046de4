package redisqueue

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/redis/go-redis/v9"

	"roem/internal/jobs"
)

// Try tries in the Redis of the options all that a queue does there, with keys of its own, so that it changes nothing of a queue that
// others use. It fails where Open or Check would.
func Try(ctx context.Context, options Options) error {
	q, err := connect(ctx, options)
	if err != nil {
		return err
	}
	defer func() { _ = q.Close() }()
	if _, err := q.ask(ctx); err != nil { // it says most of what can be wrong
		return wrapError(err)
	}
	found, err := q.client.HGet(ctx, q.prefix+"meta", "schema").Result()
	switch {
	case err != nil && !errors.Is(err, redis.Nil):
		return wrapError(err)
	case err == nil && found != schema:
		return &jobs.SchemaError{Found: found, Supported: schema}
	}
	q.prefix += "try:"
	if err := q.prepare(ctx); err != nil {
		return wrapError(err)
	}
	err = q.Check(ctx)
	return errors.Join(err, wrapError(q.client.Del(ctx, q.prefix+"meta", q.prefix+"mark").Err()))
}

// Check tries every command that the queue uses, with keys of its own.
func (q *Queue) Check(ctx context.Context) error {
	if err := q.open(ctx); err != nil {
		return err
	}
	if _, err := q.run(ctx, q.scripts.try); err != nil {
		return err
	}
	// A Redis that has lost the scripts, for example by a restart, needs EVAL.
	if err := q.client.Eval(ctx, "return 1", []string{q.prefix + "try:text"}).Err(); err != nil {
		return wrapError(err)
	}
	server, err := q.ask(ctx)
	if err := errors.Join(err, server.Full()); err != nil {
		return wrapError(err)
	}
	if err := q.client.Wait(ctx, 0, time.Millisecond).Err(); err != nil {
		return wrapError(err)
	}
	if _, err := q.sure(ctx, q.scripts.check); err != nil {
		return err
	}
	sub := q.subscribe(ctx)
	defer func() { _ = sub.Close() }()
	for range channels {
		if _, err := sub.Receive(ctx); err != nil {
			return fmt.Errorf("%w: %w", jobs.ErrUnavailable, err)
		}
	}
	return nil
}
