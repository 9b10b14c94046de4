// Package redisqueue is a jobs.Queue in Redis, for any number of processes. What it has accepted survives the death of
// every one of them, and that of the Redis server as far as its own persistence goes.
//
// Work is given out by a stream and its consumer group: an entry goes to one process, which holds it, pending, as its
// lease while it works, and the group's idle times show whose process is gone. What jobs are and where they stand lies
// beside it and is changed by scripts, in one step with the stream. scripts/lib.lua says what lies where.
package redisqueue

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"sync"
	"time"

	"github.com/redis/go-redis/v9"

	"roem/internal/jobs"
	"roem/internal/jobs/queuekit"
)

// Options are what a queue in Redis can be told beside what every Queue can.
type Options struct {
	jobs.Options
	// URL says where Redis is: redis://[user:password@]host:port/db, or rediss:// for TLS.
	URL string
	// Name tells queues apart that lie in one Redis; "roem" by default.
	Name string
	// Lease is how long a process may not be heard of before its work is given to others; 15 s by default.
	Lease time.Duration
}

const (
	defaultName  = "roem"
	defaultLease = 15 * time.Second
	minLease     = 100 * time.Millisecond

	group      = "workers"
	tickets    = "tickets"
	localLease = "local"

	dialTimeout  = time.Second
	callTimeout  = 2 * time.Second // of a command; scripts take far less
	retries      = 1               // of a command that failed on the way; scripts can be repeated
	pollInterval = time.Second     // how often watches look without having heard anything
	minVersion   = "6.2"           // has XAUTOCLAIM
)

// Queue is a jobs.Queue in Redis.
type Queue struct {
	client   *redis.Client
	scripts  *scripts
	options  Options
	prefix   string
	id       string // of this process, as a consumer of the streams
	notifier queuekit.Notifier

	claimingStopped chan struct{} // closed by StopClaiming
	stopClaiming    func()

	ctx       context.Context // ends with Close
	cancel    context.CancelFunc
	done      <-chan struct{} // of life
	tasks     sync.WaitGroup
	closeOnce sync.Once

	mu      sync.Mutex
	runs    map[string]*run // by id of work
	working *working        // nil where no Work is under way
}

var _ jobs.Queue = (*Queue)(nil)

// Open connects to Redis and prepares the queue there. It warns where the server is set up to lose jobs, and fails where
// it cannot be reached or is older than 6.2.
func Open(ctx context.Context, options Options) (*Queue, error) {
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
	connection, err := redis.ParseURL(options.URL)
	if err != nil {
		return nil, errors.New("the URL of Redis cannot be read: expected redis://host:port/db") // never its text: it may hold a password
	}
	connection.ContextTimeoutEnabled = true
	connection.DialTimeout, connection.ReadTimeout, connection.WriteTimeout = dialTimeout, callTimeout, callTimeout
	connection.MaxRetries, connection.DialerRetries = retries, 1
	connection.ClientName = "roem-jobs"
	scripts, err := loadScripts()
	if err != nil {
		return nil, err
	}
	q := &Queue{
		client: redis.NewClient(connection), scripts: scripts, options: options, id: queuekit.NewID(),
		prefix: "{" + options.Name + "}:jobs:", claimingStopped: make(chan struct{}), runs: map[string]*run{},
	}
	q.stopClaiming = sync.OnceFunc(func() { close(q.claimingStopped) })
	q.ctx, q.cancel = context.WithCancel(context.WithoutCancel(ctx))
	q.done = q.ctx.Done()
	if err := q.prepare(ctx); err != nil {
		q.cancel()
		return nil, errors.Join(fmt.Errorf("opening the queue %q in Redis: %w", options.Name, wrapError(err)), q.client.Close())
	}
	q.tasks.Go(q.sweepLoop)
	q.tasks.Go(q.receiveEvents)
	return q, nil
}

// StopClaiming makes Work begin nothing more of what waits.
func (q *Queue) StopClaiming() { q.stopClaiming() }

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
