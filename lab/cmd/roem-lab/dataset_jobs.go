package main

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"os"
	"strings"
	"sync"
	"time"

	"go.uber.org/zap"
	"go.uber.org/zap/zapcore"

	"roem/internal/cli"
	"roem/internal/jobs"
	"roem/internal/jobs/redisqueue"
	"roem/lab/klaverjas/dataset"
)

const (
	shardKind  = "dataset-shard"
	shardQueue = "roem-dataset"
	// ordersAhead is the number of shards that are ordered at a time: more than the workers have cores, and few enough that the results that
	// wait to be collected use little memory of Redis.
	ordersAhead    = 64
	shardRetention = 10 * time.Minute
	orderAgain     = time.Second // after an error of Redis
	cancelWithin   = 2 * time.Second
)

// openShardQueue opens the job queue for shards.
func openShardQueue(ctx context.Context, url string, log *zap.Logger) (*redisqueue.Queue, error) {
	return redisqueue.Open(ctx, redisqueue.Options{
		URL: url, Name: shardQueue,
		// Results must not be removed before they are collected. ordersAhead limits their number.
		Options: jobs.Options{MaxQueued: 1 << 20, MaxResult: 64 << 20, MaxBytes: 1 << 40, Retention: shardRetention, Log: log},
	})
}

// shardLog writes the warnings and errors of the queue as lines.
func shardLog(std cli.Stdio) *zap.Logger {
	form := zapcore.EncoderConfig{MessageKey: "msg", ConsoleSeparator: " ", EncodeDuration: zapcore.StringDurationEncoder}
	return zap.New(zapcore.NewCore(zapcore.NewConsoleEncoder(form), zapcore.Lock(zapcore.AddSync(std.Err)), zap.WarnLevel))
}

// workShard makes an ordered shard.
func workShard(ctx context.Context, task jobs.Task, _ func([]byte)) ([]byte, error) {
	var o dataset.Order
	if err := json.Unmarshal(task.Payload, &o); err != nil {
		return nil, jobs.Permanent(jobs.WithDetail(err, []byte(err.Error())))
	}
	shard, err := dataset.NewLabeller(o.Settings).Shard(ctx, o.Shard, func() {})
	if err != nil {
		return nil, err
	}
	return o.Pack(shard), nil
}

// work makes shards that other processes order, until it is stopped.
func (c *datasetFlags) work(ctx context.Context, std cli.Stdio, args []string, flags *flag.FlagSet) error {
	if len(args) > 0 {
		return cli.Usagef("work: unexpected argument %q", args[0])
	}
	var others []string
	flags.Visit(func(f *flag.Flag) {
		if f.Name != "redis" && f.Name != "workers" {
			others = append(others, "-"+f.Name)
		}
	})
	switch {
	case len(others) > 0:
		return cli.Usagef("work takes only the flags -redis and -workers, not %s: the orders say what to make", strings.Join(others, ", "))
	case c.redis == "":
		return cli.Usagef("-redis is missing: the Redis with the orders")
	case c.workers < 1 || c.workers > cli.MaxWorkers:
		return cli.Usagef("-workers %d: expected 1 to %d", c.workers, cli.MaxWorkers)
	}
	q, err := openShardQueue(ctx, c.redis, shardLog(std))
	if err != nil {
		return err
	}
	return errors.Join(q.Work(ctx, workShard, c.workers), q.Close(), context.Cause(ctx))
}

// orders makes the shards of a set through the queue.
type orders struct {
	queue    *redisqueue.Queue
	settings dataset.Settings
	owner    string
	std      cli.Stdio

	mu      sync.Mutex
	trouble bool // it has been reported
}

// order orders shards through the queue and adds them to the set. All processes that work on the queue make them, and this process with the
// given number of workers. done is called for each row.
func (c *datasetFlags) order(ctx context.Context, std cli.Stdio, b *dataset.Builder, shards []int, done func()) (err error) {
	q, err := openShardQueue(ctx, c.redis, shardLog(std))
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, q.Close()) }()
	host, _ := os.Hostname() // only to distinguish orders
	o := &orders{queue: q, settings: c.settings, owner: fmt.Sprintf("%s/%d/%d", host, os.Getpid(), time.Now().UnixNano()), std: std}

	ctx, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	var working, group sync.WaitGroup
	if c.workers > 0 {
		working.Go(func() {
			if err := q.Work(ctx, workShard, c.workers); err != nil {
				cancel(err)
			}
		})
	}
	todo := make(chan int, len(shards))
	for _, number := range shards {
		todo <- number
	}
	close(todo)
	for range min(ordersAhead, len(shards)) {
		group.Go(func() {
			for number := range todo {
				shard, err := o.shard(ctx, number)
				if err == nil {
					err = b.Add(shard)
				}
				if err != nil {
					cancel(err) // only the first error is used
					return
				}
				for range c.settings.RowsIn(number) {
					done()
				}
			}
		})
	}
	group.Wait()
	failure := context.Cause(ctx)
	cancel(nil)
	working.Wait()
	return errors.Join(failure, b.Finish())
}

// shard orders a shard and returns it. If Redis is not available, it tries again until the context ends.
func (o *orders) shard(ctx context.Context, number int) (dataset.Shard, error) {
	ordered := dataset.Order{Settings: o.settings, Shard: number}
	payload, err := json.Marshal(ordered)
	if err != nil {
		return dataset.Shard{}, err
	}
	for {
		job, result, err := o.await(ctx, payload)
		switch {
		case ctx.Err() != nil:
			o.cancel(ctx, job)
			return dataset.Shard{}, context.Cause(ctx)
		case err == nil && job.Status == jobs.Succeeded:
			o.told(false)
			return ordered.Unpack(result)
		case err == nil && job.Status == jobs.Failed:
			return dataset.Shard{}, fmt.Errorf("shard %d failed (%s): %s", number, job.Failure, job.Error)
		case errors.Is(err, jobs.ErrTooLarge), errors.Is(err, jobs.ErrClosed):
			return dataset.Shard{}, err
		case err != nil && o.told(true):
			cli.Say(o.std.Err, "roem-lab klaverjas dataset: %v; trying again\n", err)
		}
		select {
		case <-ctx.Done():
		case <-time.After(orderAgain):
		}
	}
}

// await orders a shard and waits for the end of its job. It returns the result of a job that has succeeded.
func (o *orders) await(ctx context.Context, payload []byte) (job jobs.Job, result []byte, err error) {
	key := sha256.Sum256(payload) // the payload contains everything on which the shard depends
	job, _, err = o.queue.Submit(ctx, jobs.Spec{Kind: shardKind, Key: hex.EncodeToString(key[:]), Owner: o.owner, Payload: payload})
	if err != nil {
		return job, nil, err
	}
	watch, err := o.queue.Watch(ctx, job.ID)
	if err != nil {
		return job, nil, err
	}
	for job = range watch {
	}
	if job.Status == jobs.Succeeded {
		result, err = o.queue.ReadResult(ctx, job.ID, 0, max(1, job.ResultSize))
	}
	return job, result, err
}

// cancel cancels an order whose result is not needed any more.
func (o *orders) cancel(ctx context.Context, job jobs.Job) {
	if job.ID == "" {
		return
	}
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), cancelWithin)
	defer cancel()
	_, _ = o.queue.Cancel(ctx, job.ID) // if it fails, the shard is made and not used
}

// told records whether there is a problem, and reports whether this has changed.
func (o *orders) told(trouble bool) bool {
	o.mu.Lock()
	defer o.mu.Unlock()
	news := trouble != o.trouble
	o.trouble = trouble
	return news
}
