package redisqueue

import (
	"context"
	"encoding/hex"
	"errors"
	"fmt"
	"strconv"
	"strings"
	"time"

	"github.com/redis/go-redis/v9"

	"roem/internal/jobs"
	"roem/internal/jobs/decide"
	"roem/internal/jobs/queuekit"
	"roem/internal/redisconn"
)

// run runs a script with the arguments that all scripts have in common, followed by its own.
func (q *Queue) run(ctx context.Context, script *redis.Script, args ...any) (any, error) {
	return q.replicated(ctx, 0, script, args)
}

// sure is run for a change that a client is told of: the replicas have it.
func (q *Queue) sure(ctx context.Context, script *redis.Script, args ...any) (any, error) {
	return q.replicated(ctx, q.options.Replicas, script, args)
}

func (q *Queue) replicated(ctx context.Context, replicas int, script *redis.Script, args []any) (any, error) {
	clock := ""
	if q.options.Clock != nil {
		clock = strconv.FormatInt(q.options.Clock().UnixMicro(), 10)
	}
	all := append([]any{q.prefix, clock, q.options.Retention.Microseconds(), q.options.Lease.Microseconds()}, args...)
	on := redisconn.Replicas{Client: q.client, N: replicas, Mark: q.prefix + "mark"}
	answer, err := on.Run(ctx, script, []string{q.prefix + "meta"}, all...)
	if errors.Is(err, redis.Nil) {
		return nil, nil // the script's answer is nothing
	}
	return answer, wrapError(err)
}

// wrapError turns the errors of Redis into errors of package jobs.
func wrapError(err error) error {
	switch {
	case err == nil, errors.Is(err, context.Canceled), errors.Is(err, context.DeadlineExceeded):
		return err
	case errors.Is(err, redis.ErrClosed):
		return jobs.ErrClosed
	case redis.HasErrorPrefix(err, wrongSchema):
		return &jobs.SchemaError{Found: strings.TrimSpace(strings.TrimPrefix(err.Error(), wrongSchema)), Supported: schema}
	default:
		return fmt.Errorf("%w: %w", jobs.ErrUnavailable, redisconn.Explain(err))
	}
}

func digest(parts ...string) string { return hex.EncodeToString(queuekit.Digest(parts...)) }

// open returns the error of a context that has ended or a queue that is closed.
func (q *Queue) open(ctx context.Context) error {
	if q.closed() {
		return jobs.ErrClosed
	}
	return ctx.Err()
}

func (q *Queue) closed() bool { return queuekit.Closed(q.done) }

// answer reads the result of a script.
type answer struct {
	raw any
	err error
}

func (a *answer) at(i int) any {
	list, ok := a.raw.([]any)
	if !ok || i >= len(list) {
		a.err = fmt.Errorf("%w: a script answered %.100v", jobs.ErrUnavailable, a.raw)
		return nil
	}
	return list[i]
}

func (a *answer) text(i int) string {
	switch v := a.at(i).(type) {
	case string:
		return v
	case int64:
		return strconv.FormatInt(v, 10)
	default:
		return ""
	}
}

// bytes returns nil for an empty text.
func (a *answer) bytes(i int) []byte {
	if text := a.text(i); text != "" {
		return []byte(text)
	}
	return nil
}

func (a *answer) number(i int) int64 {
	n, err := strconv.ParseInt(a.text(i), 10, 64)
	if err != nil {
		return 0
	}
	return n
}

// moment returns the time of Unix microseconds, and the zero time for 0.
func (a *answer) moment(i int) time.Time {
	if n := a.number(i); n != 0 {
		return time.UnixMicro(n).UTC()
	}
	return time.Time{}
}

// job returns the job of an answer of describe in scripts/lib.lua.
func (a *answer) job() jobs.Job {
	job := jobs.Job{
		ID: a.text(13), Owner: a.text(0), Kind: a.text(4), Key: a.text(5), Status: jobs.Status(a.text(6)),
		Attempts: int(a.number(7)), CreatedAt: a.moment(2), StartedAt: a.moment(8), FinishedAt: a.moment(9),
		Failure: jobs.Failure(a.text(10)), Error: a.bytes(11), PositionInQueue: int(a.number(12)),
	}
	if list, _ := a.raw.([]any); len(list) > 15 { // it is no part of a list
		job.Progress, job.ResultSize = a.bytes(15), int(a.number(16))
	}
	return decide.View(job, a.moment(3))
}

// run returns the run of an answer of attempt in scripts/lib.lua.
func (a *answer) run() *run {
	r := &run{epoch: a.text(9), progressed: make(chan struct{}, 1)}
	r.Task = jobs.Task{
		ID: a.text(10), Kind: a.text(0), Key: a.text(1), Owner: a.text(2), Network: a.text(3), Payload: []byte(a.text(4)), State: a.bytes(5),
		Attempt: int(a.number(6)),
	}
	r.Failures, r.Alone = int(a.number(7)), a.number(8) >= decide.AloneFrom
	return r
}
