package redisqueue

import (
	"context"

	"github.com/redis/go-redis/v9"
	"go.uber.org/zap"

	"roem/internal/redisconn"
)

// keptShare is the part of the memory of Redis that final jobs have at most, so that there is room for those that are not.
const keptShare = 4

// prepare checks the version and the settings of the server, and creates the consumer groups.
func (q *Queue) prepare(ctx context.Context) error {
	server, err := q.ask(ctx)
	if err != nil {
		return err
	}
	if what := server.Evicts(); what != "" {
		q.options.Log.Error("Redis will lose "+what+" when its memory is full: set its maxmemory-policy to noeviction",
			zap.String("maxmemory_policy", server.Policy))
	}
	if server.Max == 0 {
		q.options.Log.Warn("Redis may take all memory of its machine: set its maxmemory")
	}
	if !server.AOF {
		q.options.Log.Warn("jobs do not survive a restart of Redis: set appendonly yes")
	}
	return q.makeGroups(ctx)
}

// ask asks the server what it is, and bounds the final jobs by its memory.
func (q *Queue) ask(ctx context.Context) (redisconn.Server, error) {
	server, err := redisconn.Ask(ctx, q.client)
	if err == nil {
		kept := int64(q.options.MaxBytes)
		if server.Max > 0 {
			kept = min(kept, server.Max/keptShare)
		}
		q.keptBytes.Store(kept)
	}
	return server, err
}

// makeGroups creates the streams and their consumer groups if they are missing.
func (q *Queue) makeGroups(ctx context.Context) error {
	if _, err := q.call(ctx, 0, q.scripts.check, nil); err != nil { // so that nothing is added to data of another schema
		return err
	}
	for _, stream := range []string{tickets, localLease} {
		err := q.client.XGroupCreateMkStream(ctx, q.prefix+stream, group, "0").Err()
		switch {
		case err == nil, redis.HasErrorPrefix(err, "BUSYGROUP"): // the group exists
		case redis.IsOOMError(err) && q.client.XInfoConsumers(ctx, q.prefix+stream, group).Err() == nil: // also in a full Redis
		default:
			return err
		}
	}
	return nil
}
