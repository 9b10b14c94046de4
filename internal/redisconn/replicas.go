package redisconn

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/redis/go-redis/v9"
)

// replicasWait is how long a change may take to reach the replicas.
const replicasWait = time.Second

// errBehind is the error of a change that too few replicas have. It is made, but a failover may lose it.
var errBehind = errors.New("too few replicas of Redis have a change within a second (jobs.replicas)")

// Replicas makes changes that a number of replicas have before they are confirmed, so that no failover loses them.
type Replicas struct {
	Client *redis.Client
	N      int    // how many; with 0 nothing is waited for
	Mark   string // a key that is written behind each change
}

// Run runs a script, and waits for its changes and for all before them.
func (r Replicas) Run(ctx context.Context, script *redis.Script, keys []string, args ...any) (any, error) {
	if r.N == 0 {
		return script.Run(ctx, r.Client, keys, args...).Result()
	}
	var answer *redis.Cmd
	err := r.Do(ctx, func(p redis.Pipeliner) { answer = p.EvalSha(ctx, script.Hash(), keys, args...) })
	if redis.HasErrorPrefix(answer.Err(), "NOSCRIPT") {
		err = r.Do(ctx, func(p redis.Pipeliner) { answer = script.Eval(ctx, p, keys, args...) })
	}
	if answer.Err() != nil {
		return nil, answer.Err()
	}
	return answer.Val(), err
}

// Do sends commands, and waits until the replicas have all changes up to them. The error is about the waiting.
func (r Replicas) Do(ctx context.Context, commands func(redis.Pipeliner)) error {
	var wait *redis.Cmd
	_, err := r.Client.Pipelined(ctx, func(p redis.Pipeliner) error {
		commands(p)
		if r.N > 0 {
			// A change of this connection, which WAIT then waits for, also if the commands have changed nothing. What another connection has
			// changed before is replicated before it.
			p.Set(ctx, r.Mark, "", 0)
			wait = p.Do(ctx, "WAIT", r.N, replicasWait.Milliseconds())
		}
		return nil
	})
	if wait == nil {
		return err
	}
	if n, err := wait.Int(); err != nil || n < r.N {
		return errors.Join(err, fmt.Errorf("%w: %d of %d", errBehind, n, r.N))
	}
	return nil
}
