// Package redisqueue is a jobs.Queue in Redis, for any number of processes. Accepted jobs survive the death of all processes, and the
// death of the Redis server as far as its persistence allows.
//
// Scripts change the state of jobs and tasks, each in one step; scripts/lib.lua describes the keys. A process that runs a task has a lease,
// and renews it while the process is alive. What an end of an attempt, a death or a limit means is decided in Go.
package redisqueue

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"github.com/redis/go-redis/v9"

	"roem/internal/jobs"
	"roem/internal/jobs/queuekit"
	"roem/internal/redisconn"
)

// Options are the options of every Queue, and the options for Redis.
type Options struct {
	jobs.Options
	// URL is the address of Redis, in one of the forms of redisconn.Forms.
	URL string
	// Replicas is how many replicas of Redis must have a job, its cancellation or its end before it is confirmed; 0 for none.
	Replicas int
	// Name distinguishes the queues in one Redis; "roem" by default.
	Name string
	// Lease is the time without a renewal after which other processes take over a process's tasks; 15 s by default.
	Lease time.Duration
	// Clock is the time for tests. With nil it is the clock of Redis, and not the clock of the process (jobs.Options.Now): one process
	// with a wrong clock would remove the finished jobs of all.
	Clock func() time.Time
}

const (
	defaultName  = "roem"
	defaultLease = 15 * time.Second
	minLease     = 100 * time.Millisecond

	dialTimeout  = time.Second
	callTimeout  = 2 * time.Second // of a command; scripts take much less
	retries      = 1               // of a command after a network error; scripts can be repeated
	pollInterval = time.Second     // how often watches read a job without a notification
)

// Queue is a jobs.Queue in Redis.
type Queue struct {
	client   *redis.Client
	scripts  *scripts
	options  Options
	prefix   string
	id       string // of this process
	notifier queuekit.Notifier
	workers  *queuekit.Workers[*run]
	claims   int // how many claims were answered; only Work uses it

	ctx       context.Context // ends with Close
	cancel    context.CancelFunc
	done      <-chan struct{} // of ctx
	tasks     sync.WaitGroup
	closeOnce sync.Once

	keptBytes atomic.Int64 // the most bytes of final jobs: Options.MaxBytes, or less for a small Redis
}

var _ jobs.Queue = (*Queue)(nil)

// Open connects to Redis and prepares the queue. It logs a warning if the server's settings can lose jobs. It fails if the
// server cannot be reached or used, and with a *jobs.SchemaError for data of another schema.
func Open(ctx context.Context, options Options) (*Queue, error) {
	q, err := connect(ctx, options)
	if err != nil {
		return nil, err
	}
	if err := q.prepare(ctx); err != nil {
		q.cancel()
		return nil, errors.Join(fmt.Errorf("opening the queue %q in Redis: %w", q.options.Name, wrapError(err)), q.client.Close())
	}
	q.tasks.Go(q.sweepLoop)
	q.tasks.Go(q.receiveEvents)
	return q, nil
}

// connect returns a queue that does nothing yet.
func connect(ctx context.Context, options Options) (*Queue, error) {
	var err error
	if options.Options, err = options.Complete(); err != nil {
		return nil, err
	}
	if options.Name == "" {
		options.Name = defaultName
	}
	if options.Lease == 0 {
		options.Lease = defaultLease
	}
	if options.Lease < minLease || strings.ContainsAny(options.Name, "{}") {
		return nil, fmt.Errorf("the queue %q with a lease of %v: expected no braces and at least %v", options.Name, options.Lease, minLease)
	}
	address, err := redisconn.Parse(options.URL)
	if err != nil {
		return nil, fmt.Errorf("the URL of Redis cannot be read: %w", err)
	}
	scripts, err := loadScripts()
	if err != nil {
		return nil, err
	}
	q := &Queue{
		client:  address.Client(redisconn.Tuning{Name: "roem-jobs", Dial: dialTimeout, IO: callTimeout, Retries: retries}),
		scripts: scripts, options: options, id: queuekit.NewID(),
		prefix: "{" + options.Name + "}:jobs:",
	}
	q.ctx, q.cancel = context.WithCancel(context.WithoutCancel(ctx)) // runs outlive the request that opens the queue
	q.done = q.ctx.Done()
	q.workers = queuekit.NewWorkers(q.hooks())
	return q, nil
}

// StopClaiming makes Work start no more waiting tasks.
func (q *Queue) StopClaiming() { q.workers.StopClaiming() }

// Close closes the connections.
func (q *Queue) Close() error {
	var err error
	q.closeOnce.Do(func() {
		q.cancel()
		q.tasks.Wait()
		err = q.client.Close()
	})
	return err
}
