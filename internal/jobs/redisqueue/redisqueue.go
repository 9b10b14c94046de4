// Package redisqueue is a jobs.Queue in Redis, for any number of processes. What it has accepted survives the death of
// every one of them, and that of the Redis server as far as its own persistence goes.
//
// Work is given out by a stream and its consumer group: an entry goes to one process, which holds it, pending, as its
// lease while it works, and the group's idle times show whose process is gone. What jobs are and where they stand lies
// beside it and is changed by scripts, in one step with the stream. scripts/lib.lua says what lies where.
package redisqueue

import (
	"context"
	"encoding/hex"
	"errors"
	"fmt"
	"strconv"
	"strings"
	"sync"
	"time"

	"github.com/redis/go-redis/v9"
	"go.uber.org/zap"

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

	dialTimeout = time.Second
	callTimeout = 2 * time.Second // of a command; scripts take far less
	retries     = 1               // of a command that failed on the way; scripts can be repeated
	lookAnyway  = time.Second     // how often watches look without having heard anything
	minVersion  = "6.2"           // has XAUTOCLAIM
)

// Queue is a jobs.Queue in Redis.
type Queue struct {
	client  *redis.Client
	scripts *scripts
	options Options
	prefix  string
	id      string // of this process, as a consumer of the streams
	bell    queuekit.Bell

	resting chan struct{} // closed by StopClaiming
	rest    func()

	life   context.Context // ends with Close
	end    context.CancelFunc
	done   <-chan struct{} // of life
	tasks  sync.WaitGroup
	atOnce sync.Once

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
		prefix: "{" + options.Name + "}:jobs:", resting: make(chan struct{}), runs: map[string]*run{},
	}
	q.rest = sync.OnceFunc(func() { close(q.resting) })
	q.life, q.end = context.WithCancel(context.WithoutCancel(ctx))
	q.done = q.life.Done()
	if err := q.prepare(ctx); err != nil {
		q.end()
		return nil, errors.Join(fmt.Errorf("opening the queue in Redis: %w", known(err)), q.client.Close())
	}
	q.tasks.Go(q.sweeping)
	q.tasks.Go(q.listening)
	return q, nil
}

// prepare makes the groups and looks at how the server is set up.
func (q *Queue) prepare(ctx context.Context) error {
	info, err := q.client.Info(ctx).Result()
	if err != nil {
		return err
	}
	fields := parseInfo(info)
	if version := fields["redis_version"]; older(version, minVersion) {
		return fmt.Errorf("the server is of version %s: expected %s or newer", version, minVersion)
	}
	if policy := fields["maxmemory_policy"]; policy != "noeviction" {
		q.options.Log.Error("REDIS WILL LOSE JOBS when its memory is full: set its maxmemory-policy to noeviction",
			zap.String("maxmemory_policy", policy))
	}
	if fields["aof_enabled"] == "0" {
		q.options.Log.Warn("jobs do not survive a restart of Redis: set appendonly yes")
	}
	return q.makeGroups(ctx)
}

func (q *Queue) makeGroups(ctx context.Context) error {
	for _, stream := range []string{tickets, localLease} {
		err := q.client.XGroupCreateMkStream(ctx, q.prefix+stream, group, "0").Err()
		if err != nil && !redis.HasErrorPrefix(err, "BUSYGROUP") { // it is there
			return err
		}
	}
	return nil
}

// parseInfo returns the fields of what Redis says of itself.
func parseInfo(text string) map[string]string {
	fields := map[string]string{}
	for line := range strings.Lines(text) {
		if name, value, ok := strings.Cut(strings.TrimSpace(line), ":"); ok {
			fields[name] = value
		}
	}
	return fields
}

// older reports whether a version is older than another; one that cannot be read is not.
func older(version, than string) bool {
	a, b := strings.Split(version, "."), strings.Split(than, ".")
	for i := range b {
		if i >= len(a) {
			return false
		}
		x, errX := strconv.Atoi(a[i])
		y, errY := strconv.Atoi(b[i])
		if errX != nil || errY != nil || x != y {
			return errX == nil && errY == nil && x < y
		}
	}
	return false
}

// run runs a script. A Redis that has lost everything has lost the groups as well; they are made again.
func (q *Queue) run(ctx context.Context, script *redis.Script, args ...any) (any, error) {
	all := append([]any{q.prefix, q.now(), q.options.Retention.Microseconds()}, args...)
	keys := []string{q.prefix + "meta"}
	answer, err := script.Run(ctx, q.client, keys, all...).Result()
	if err != nil && strings.Contains(err.Error(), "NOGROUP") {
		if err := q.makeGroups(ctx); err != nil {
			return nil, known(err)
		}
		answer, err = script.Run(ctx, q.client, keys, all...).Result()
	}
	if errors.Is(err, redis.Nil) {
		return nil, nil //nolint:nilnil // the script's answer is nothing
	}
	return answer, known(err)
}

func (q *Queue) now() int64 { return q.options.Now().UnixMicro() }

// known gives the errors of Redis their names.
func known(err error) error {
	switch {
	case err == nil, errors.Is(err, context.Canceled), errors.Is(err, context.DeadlineExceeded):
		return err
	case errors.Is(err, redis.ErrClosed):
		return jobs.ErrClosed
	default:
		return fmt.Errorf("%w: %w", jobs.ErrUnavailable, err)
	}
}

func digest(parts ...string) string { return hex.EncodeToString(queuekit.Digest(parts...)) }

// Submit accepts a job.
func (q *Queue) Submit(ctx context.Context, spec jobs.Spec) (jobs.Job, bool, error) {
	if err := queuekit.CheckSpec(spec, q.options.MaxPayload); err != nil {
		return jobs.Job{}, false, err
	}
	if err := q.open(ctx); err != nil {
		return jobs.Job{}, false, err
	}
	idem, shared, owned, inst := "", "", "", ""
	if spec.IdempotencyKey != "" {
		idem = digest(spec.Owner, spec.IdempotencyKey)
	}
	if spec.Key != "" {
		shared, owned = digest(spec.Kind, spec.Key), digest(spec.Owner, spec.Kind, spec.Key)
	}
	var worker *working
	if spec.Local {
		if worker = q.join(); worker != nil {
			defer worker.runs.Done()
			inst = q.id
		}
	}
	raw, err := q.run(ctx, q.scripts.submit, spec.Kind, spec.Key, spec.Owner, spec.Payload, queuekit.NewID(), queuekit.NewID(),
		idem, hex.EncodeToString(queuekit.Fingerprint(spec)), shared, owned, digest(spec.Owner), q.options.MaxQueued, inst, q.options.MaxOwned)
	if err != nil {
		return jobs.Job{}, false, err
	}
	a := answer{raw: raw}
	switch a.text(0) {
	case "mismatch":
		return jobs.Job{}, false, jobs.ErrIdempotencyMismatch
	case "toomany":
		return jobs.Job{}, false, &jobs.TooManyError{Unfinished: int(a.number(1)), Max: q.options.MaxOwned}
	case "full":
		return jobs.Job{}, false, &jobs.FullError{Queued: int(a.number(1)), Max: q.options.MaxQueued}
	}
	job, work, created, begun := a.text(1), a.text(2), a.number(3) == 1, a.number(4) == 1
	if begun {
		q.start(worker, &run{ //nolint:contextcheck // it lives in the context of Work, not in that of Submit
			task:  jobs.Task{ID: work, Kind: spec.Kind, Key: spec.Key, Payload: []byte(a.text(9)), Attempt: int(a.number(5))},
			epoch: a.text(6), entry: a.text(7), failures: int(a.number(8)), stream: localLease, local: true,
		})
	}
	if a.err != nil {
		return jobs.Job{}, false, a.err
	}
	found, err := q.Get(ctx, job)
	return found, created, err
}

// open returns the error of a context that has ended or a queue that is closed.
func (q *Queue) open(ctx context.Context) error {
	if q.closed() {
		return jobs.ErrClosed
	}
	return ctx.Err()
}

func (q *Queue) closed() bool { return queuekit.Closed(q.done) }

// Get returns the job.
func (q *Queue) Get(ctx context.Context, id string) (jobs.Job, error) {
	job, _, err := q.get(ctx, id)
	return job, err
}

func (q *Queue) get(ctx context.Context, id string) (job jobs.Job, work string, err error) {
	if err := q.open(ctx); err != nil {
		return job, "", err
	}
	raw, err := q.run(ctx, q.scripts.get, id)
	if err != nil {
		return job, "", err
	}
	if raw == nil {
		return job, "", jobs.ErrNotFound
	}
	a := answer{raw: raw}
	job = a.job()
	job.Payload = []byte(a.text(15))
	switch progress := a.bytes(16); job.Status {
	case jobs.Running, jobs.Failed:
		job.Progress = progress
	case jobs.Succeeded:
		job.Progress, job.Result = progress, []byte(a.text(17))
	}
	return job, a.text(14), a.err
}

// answer reads what a script returned.
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

// bytes returns nil where there is nothing.
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

// moment returns the time of microseconds, and the zero time for none.
func (a *answer) moment(i int) time.Time {
	if n := a.number(i); n != 0 {
		return time.UnixMicro(n).UTC()
	}
	return time.Time{}
}

// job returns the job that a description of scripts/lib.lua is of.
func (a *answer) job() jobs.Job {
	created, cancelled := a.moment(2), a.moment(3)
	job := jobs.Job{
		ID: a.text(13), Owner: a.text(0), Kind: a.text(4), Key: a.text(5), Status: jobs.Status(a.text(6)),
		Attempts: int(a.number(7)), CreatedAt: created, StartedAt: a.moment(8), FinishedAt: a.moment(9),
		PositionInQueue: int(a.number(12)),
	}
	if !cancelled.IsZero() {
		job.Status, job.FinishedAt, job.PositionInQueue = jobs.Cancelled, cancelled, 0
		if job.StartedAt.After(cancelled) {
			job.StartedAt = time.Time{}
		}
	}
	if job.Status == jobs.Failed {
		job.Failure, job.Error = jobs.Failure(a.text(10)), a.bytes(11)
	}
	for _, t := range []*time.Time{&job.StartedAt, &job.FinishedAt} {
		if !t.IsZero() && t.Before(created) {
			*t = created
		}
	}
	return job
}

// Cancel ends the job.
func (q *Queue) Cancel(ctx context.Context, id string) (jobs.Job, error) {
	if err := q.open(ctx); err != nil {
		return jobs.Job{}, err
	}
	raw, err := q.run(ctx, q.scripts.cancel, id)
	if err != nil {
		return jobs.Job{}, err
	}
	if n, _ := raw.(int64); n == 0 {
		return jobs.Job{}, jobs.ErrNotFound
	}
	return q.Get(ctx, id)
}

// List returns jobs of an owner.
func (q *Queue) List(ctx context.Context, o jobs.ListOptions) (page jobs.Page, err error) {
	if err := errors.Join(q.open(ctx), queuekit.CheckLimit(o.Limit)); err != nil {
		return page, err
	}
	before := "+inf"
	if o.Token != "" {
		n, err := queuekit.ParsePageToken(o.Owner, o.Token)
		if err != nil {
			return page, err
		}
		before = strconv.FormatUint(n, 10)
	}
	raw, err := q.run(ctx, q.scripts.list, digest(o.Owner), before, string(o.Status), o.Limit)
	if err != nil {
		return page, err
	}
	list, _ := raw.([]any)
	for i, one := range list {
		a := answer{raw: one}
		job := a.job()
		if a.err != nil {
			return jobs.Page{}, a.err
		}
		if i == o.Limit {
			last := answer{raw: list[i-1]}
			page.Next = queuekit.PageToken(o.Owner, uint64(last.number(1)))
			break
		}
		page.Jobs = append(page.Jobs, job)
	}
	return page, nil
}

// Watch follows a job.
func (q *Queue) Watch(ctx context.Context, id string) (<-chan jobs.Job, error) {
	_, work, err := q.get(ctx, id)
	if err != nil {
		return nil, err
	}
	rung, stop := q.bell.Listen(work)
	first, _, err := q.get(ctx, id) // once more: it may have changed before anybody listened
	if err != nil {
		stop()
		return nil, err
	}
	return queuekit.Follow(ctx, queuekit.Following{
		First: first, Rung: rung, Every: lookAnyway, Done: q.done, Stop: stop,
		Get: func(ctx context.Context) (jobs.Job, error) { return q.Get(ctx, id) },
	}), nil
}

// Stats returns how busy the queue is.
func (q *Queue) Stats(ctx context.Context) (s jobs.Stats, err error) {
	if err := q.open(ctx); err != nil {
		return s, err
	}
	raw, err := q.run(ctx, q.scripts.stats)
	if err != nil {
		return s, err
	}
	a := answer{raw: raw}
	s = jobs.Stats{
		Queued: int(a.number(0)), Running: int(a.number(1)), MaxQueued: q.options.MaxQueued,
		MeanRun: time.Duration(a.number(3)) * time.Microsecond, Slots: int(a.number(4)),
	}
	if oldest := a.moment(2); !oldest.IsZero() {
		s.Oldest = max(0, q.options.Now().Sub(oldest))
	}
	return s, a.err
}

// StopClaiming makes Work begin nothing more of what waits.
func (q *Queue) StopClaiming() { q.rest() }

// Close closes the connections.
func (q *Queue) Close() error {
	var err error
	q.atOnce.Do(func() {
		q.end()
		q.tasks.Wait()
		err = q.client.Close()
	})
	return err
}

// sweeping forgets what is kept no longer, now and then.
func (q *Queue) sweeping() {
	tick := time.NewTicker(min(max(q.options.Retention/20, 100*time.Millisecond), time.Minute))
	defer tick.Stop()
	for {
		select {
		case <-q.done:
			return
		case <-tick.C:
		}
		for {
			raw, err := q.run(q.life, q.scripts.sweep, q.options.MaxKept, q.options.MaxBytes)
			if err != nil {
				if !q.closed() {
					q.options.Log.Warn("forgetting old jobs", zap.Error(err))
				}
				break
			}
			if n, _ := raw.(int64); n == 0 {
				break
			}
		}
	}
}

// listening hears what other processes change.
func (q *Queue) listening() {
	events, stops := q.prefix+"events", q.prefix+"stops"
	sub := q.client.Subscribe(q.life, events, stops)
	defer func() { _ = sub.Close() }()
	heard := sub.Channel() // connects anew by itself
	for {
		select {
		case <-q.done:
			return
		case m, ok := <-heard:
			if !ok {
				return
			}
			if m.Channel == stops {
				q.stop(m.Payload)
			}
			q.bell.Ring(m.Payload)
		}
	}
}
