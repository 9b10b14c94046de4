package redisqueue

import (
	"context"

	"go.uber.org/zap"

	"roem/internal/redisconn"
)

// keptShare is the part of the memory of Redis that final jobs have at most, so that there is room for those that are not.
const keptShare = 4

// prepare checks the settings of the server, and the schema of the data.
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
	_, err = q.run(ctx, q.scripts.check)
	return err
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
