package redisqueue

import (
	"context"
	"errors"
	"fmt"
	"strconv"
	"sync"
	"time"

	"github.com/redis/go-redis/v9"
	"go.uber.org/zap"

	"roem/internal/jobs"
	"roem/internal/jobs/queuekit"
)

const (
	blockFor      = 250 * time.Millisecond // a wait for a ticket, and so the longest that a stop takes beside the handlers
	tryAgain      = 200 * time.Millisecond // after an error
	progressEvery = 100 * time.Millisecond // between two reports of a run
	beatsPerLease = 4
	leaveWithin   = 2 * time.Second // for what is written when the process stops
)

// working is a Work under way.
type working struct {
	ctx         context.Context
	handler     jobs.Handler
	concurrency int
	runs        sync.WaitGroup
	freed       chan struct{} // rung when a slot has become free

	// Guarded by Queue.mu.
	active int    // runs in slots
	alone  bool   // the one active run must have no other beside it
	ticket string // the entry that has been given to this process and not been used yet
}

// run is one attempt under way. It holds an entry of a stream as its lease.
type run struct {
	task          jobs.Task
	epoch         string
	stream, entry string
	failures      int
	local, alone  bool

	ctx    context.Context
	cancel context.CancelCauseFunc

	// Guarded by Queue.mu.
	progress []byte

	news chan struct{} // rung when there is progress that has not been written
}

// join returns the Work under way, which does not end before runs.Done is called, or nil.
func (q *Queue) join() *working {
	q.mu.Lock()
	defer q.mu.Unlock()
	if q.working != nil {
		q.working.runs.Add(1)
	}
	return q.working
}

// Work has tasks worked by the handler.
func (q *Queue) Work(ctx context.Context, handler jobs.Handler, concurrency int) error {
	w := &working{ctx: ctx, handler: handler, concurrency: max(0, concurrency), freed: make(chan struct{}, 1)}
	q.mu.Lock()
	switch {
	case q.closed():
		q.mu.Unlock()
		return jobs.ErrClosed
	case q.working != nil:
		q.mu.Unlock()
		return jobs.ErrWorking
	}
	q.working = w
	q.mu.Unlock()

	// Leases are held until the last handler has returned, not only until the context ends.
	upkeep, end := context.WithCancel(context.WithoutCancel(ctx))
	var kept sync.WaitGroup
	kept.Go(func() { q.keeping(upkeep, w) })

	err := q.claiming(w) //nolint:contextcheck // w has the context

	q.mu.Lock()
	q.working = nil // nobody joins any more
	q.mu.Unlock()
	w.runs.Wait()
	end()
	kept.Wait()
	q.leave(context.WithoutCancel(ctx), w)
	return err
}

// leave says that this process claims no more, and gives back a ticket that it has not used.
func (q *Queue) leave(ctx context.Context, w *working) {
	ctx, cancel := context.WithTimeout(ctx, leaveWithin)
	defer cancel()
	q.mu.Lock()
	ticket := w.ticket
	q.mu.Unlock()
	_, err := q.run(ctx, q.scripts.leave, q.id, ticket)
	switch {
	case err == nil:
		q.hold(w, "")
	case !q.closed():
		q.options.Log.Warn("leaving the queue", zap.Error(err))
	}
}

// claiming begins work whenever there is some and a slot for it, until the context ends.
func (q *Queue) claiming(w *working) error {
	for {
		switch {
		case q.closed():
			return jobs.ErrClosed
		case w.ctx.Err() != nil:
			return nil //nolint:nilerr // that is how Work ends
		case queuekit.Closed(q.resting):
			q.leave(context.WithoutCancel(w.ctx), w) // a ticket that it sat on would keep others from the work
			select {                                 // local work is still begun, by Submit
			case <-w.ctx.Done():
			case <-q.done:
			}
			continue
		}
		if !q.free(w) {
			select {
			case <-w.ctx.Done():
			case <-q.done:
			case <-q.resting:
			case <-w.freed:
			}
			continue
		}
		r, err := q.claim(w)
		switch {
		case r != nil:
			q.start(w, r)
		case err != nil && w.ctx.Err() == nil && !q.closed():
			q.options.Log.Warn("looking for work", zap.Error(err))
			q.pause(w, tryAgain)
		}
	}
}

func (q *Queue) free(w *working) bool {
	q.mu.Lock()
	defer q.mu.Unlock()
	return w.active < w.concurrency && !w.alone
}

// pause waits until a slot becomes free, or for a while.
func (q *Queue) pause(w *working, d time.Duration) {
	select {
	case <-w.ctx.Done():
	case <-q.done:
	case <-q.resting:
	case <-w.freed:
	case <-time.After(d):
	}
}

// claim waits for a ticket and begins the oldest work with it. It returns nil where it was given none, and where what it
// may begin must run alone and other work runs here.
func (q *Queue) claim(w *working) (*run, error) {
	q.mu.Lock()
	ticket, active := w.ticket, w.active
	q.mu.Unlock()
	if ticket == "" {
		given, err := q.client.XReadGroup(w.ctx, &redis.XReadGroupArgs{
			Group: group, Consumer: q.id, Streams: []string{q.prefix + tickets, ">"}, Count: 1, Block: blockFor,
		}).Result()
		switch {
		case errors.Is(err, redis.Nil):
			return nil, nil //nolint:nilnil // no run and no error: there is nothing to begin
		case err != nil && redis.HasErrorPrefix(err, "NOGROUP"):
			return nil, known(q.makeGroups(w.ctx))
		case err != nil:
			return nil, known(err)
		case len(given) != 1 || len(given[0].Messages) != 1:
			return nil, fmt.Errorf("%w: it gave %d streams for one", jobs.ErrUnavailable, len(given))
		}
		ticket = given[0].Messages[0].ID
		q.hold(w, ticket)
	}
	if w.ctx.Err() != nil || queuekit.Closed(q.resting) {
		return nil, nil //nolint:nilnil,nilerr // it is given back by leave
	}
	raw, err := q.run(w.ctx, q.scripts.claim, q.id, ticket, active, queuekit.AloneFrom)
	if err != nil {
		return nil, err // the ticket is held on to: what it was used for will be told when it is tried again
	}
	if raw == nil {
		q.hold(w, "")
		return nil, nil //nolint:nilnil // the ticket was one too many
	}
	a := answer{raw: raw}
	if a.text(0) == "alone" {
		q.pause(w, q.options.Lease/beatsPerLease)
		return nil, nil //nolint:nilnil // later, when nothing else runs here
	}
	q.hold(w, "")
	r := &run{
		task:  jobs.Task{ID: a.text(1), Kind: a.text(2), Key: a.text(3), Attempt: int(a.number(4)), Payload: []byte(a.text(7))},
		epoch: a.text(5), failures: int(a.number(6)), alone: a.number(8) >= queuekit.AloneFrom, stream: tickets, entry: ticket,
	}
	return r, a.err
}

func (q *Queue) hold(w *working, ticket string) {
	q.mu.Lock()
	defer q.mu.Unlock()
	w.ticket = ticket
}

// start runs the handler of work that has been begun. The caller keeps Work from ending meanwhile.
func (q *Queue) start(w *working, r *run) {
	r.ctx, r.cancel = context.WithCancelCause(w.ctx)
	r.news = make(chan struct{}, 1)
	q.mu.Lock()
	q.runs[r.task.ID] = r
	if !r.local {
		w.active++
		w.alone = r.alone
	}
	q.mu.Unlock()
	w.runs.Go(func() {
		defer r.cancel(nil)
		ended := make(chan struct{})
		var reports sync.WaitGroup
		reports.Go(func() { q.reporting(r, ended) })
		if !q.has(r) { // cancelled before there was anything to stop
			r.cancel(queuekit.ErrTaken)
		}
		var result []byte
		err := context.Cause(r.ctx)
		if err == nil {
			result, err = queuekit.Perform(r.ctx, w.handler, r.task, func(p []byte) { q.report(r, p) })
		}
		close(ended)
		reports.Wait()
		q.settle(w, r, result, err)
		q.mu.Lock()
		if q.runs[r.task.ID] == r {
			delete(q.runs, r.task.ID)
		}
		if !r.local {
			w.active--
			w.alone = false
		}
		q.mu.Unlock()
		select {
		case w.freed <- struct{}{}:
		default:
		}
	})
}

// has reports whether the run's work is still its own, as far as can be known.
func (q *Queue) has(r *run) bool {
	raw, err := q.run(r.ctx, q.scripts.beat, q.beatArgs(r)...)
	if err != nil {
		return true
	}
	a := answer{raw: raw}
	return a.text(0) != "0"
}

// report keeps what a handler says of its progress.
func (q *Queue) report(r *run, progress []byte) {
	if len(progress) > queuekit.MaxDetail {
		return
	}
	q.mu.Lock()
	r.progress = progress
	q.mu.Unlock()
	select {
	case r.news <- struct{}{}:
	default:
	}
}

// reporting writes the progress of a run, not too often.
func (q *Queue) reporting(r *run, ended <-chan struct{}) {
	for {
		select {
		case <-ended:
			return
		case <-r.news:
		}
		q.mu.Lock()
		progress := r.progress
		q.mu.Unlock()
		if _, err := q.run(r.ctx, q.scripts.progress, r.task.ID, r.epoch, progress); err != nil && r.ctx.Err() == nil {
			q.options.Log.Warn("writing the progress of a job", zap.String("work", r.task.ID), zap.Error(err))
		}
		select {
		case <-ended:
			return
		case <-time.After(progressEvery):
		}
	}
}

// stop ends the handler of work that nobody wants any more.
func (q *Queue) stop(work string) {
	q.mu.Lock()
	defer q.mu.Unlock()
	if r := q.runs[work]; r != nil {
		r.cancel(queuekit.ErrTaken)
	}
}

// settle writes down how an attempt ended. A Redis that cannot be reached is tried again: the result is worth keeping,
// and its lease is too, for as long as nobody else has taken it. When the process stops, it tries for a little while;
// what it does not get rid of comes back when its lease runs out.
func (q *Queue) settle(w *working, r *run, result []byte, failure error) {
	log := q.options.Log.With(zap.String("work", r.task.ID), zap.String("kind", r.task.Kind), zap.Int("attempt", r.task.Attempt))
	q.mu.Lock()
	progress := r.progress
	q.mu.Unlock()
	verdict := queuekit.Judge(result, failure, r.failures, q.options.MaxResult)
	what := string(verdict.Status)
	switch {
	case errors.Is(context.Cause(r.ctx), queuekit.ErrTaken) && failure != nil:
		return
	case w.ctx.Err() != nil && failure != nil:
		what = "back"
	case verdict.Status == jobs.Queued:
		log.Warn("a job's attempt failed", zap.Error(failure))
	case verdict.Status == jobs.Failed:
		if failure == nil {
			failure = fmt.Errorf("a result of %d bytes, at most %d", len(result), q.options.MaxResult)
		}
		log.Error("job failed", zap.String("failure", string(verdict.Failure)), zap.Error(failure))
	}
	var leaving <-chan time.Time
	stopping := w.ctx.Done()
	for {
		ctx, cancel := context.WithTimeout(context.WithoutCancel(w.ctx), callTimeout)
		_, err := q.run(ctx, q.scripts.settle, r.task.ID, r.epoch, what, verdict.Result, string(verdict.Failure), verdict.Error, progress)
		cancel()
		if err == nil {
			return
		}
		log.Error("writing down the end of a job", zap.Error(err))
		select {
		case <-q.done:
			return
		case <-stopping:
			stopping, leaving = nil, time.After(leaveWithin)
		case <-leaving:
			return
		case <-time.After(tryAgain):
		}
	}
}

// keeping holds on to the leases of this process, and takes over those of processes that have died.
func (q *Queue) keeping(ctx context.Context, w *working) {
	beat := q.options.Lease / beatsPerLease
	tick := time.NewTicker(beat)
	defer tick.Stop()
	reapFrom := time.Now() // after trouble, others get the time of a lease to be heard of again
	for {
		start := time.Now()
		switch err := q.beat(ctx, w); {
		case ctx.Err() != nil:
			return
		case err != nil:
			q.options.Log.Warn("holding on to jobs", zap.Error(err))
			reapFrom = time.Now().Add(q.options.Lease)
		case time.Since(start) > beat: // so may others' have been
			reapFrom = time.Now().Add(q.options.Lease)
		case time.Now().After(reapFrom):
			if err := q.reap(ctx); err != nil && ctx.Err() == nil {
				q.options.Log.Warn("looking for jobs of processes that have died", zap.Error(err))
			}
		}
		select {
		case <-ctx.Done():
			return
		case <-tick.C:
		}
	}
}

// beatArgs returns the arguments of beat for the runs.
func (q *Queue) beatArgs(runs ...*run) []any {
	q.mu.Lock()
	defer q.mu.Unlock()
	slots := 0
	if q.working != nil && !queuekit.Closed(q.resting) {
		slots = q.working.concurrency
	}
	args := []any{q.id, slots, q.options.Lease.Milliseconds()}
	for _, r := range runs {
		args = append(args, r.stream, r.entry, r.task.ID, r.epoch)
	}
	return args
}

// beat says that this process lives and what it holds. The handlers of what it has lost are stopped.
func (q *Queue) beat(ctx context.Context, w *working) error {
	q.mu.Lock()
	ticket := w.ticket
	runs := make([]*run, 0, len(q.runs))
	for _, r := range q.runs {
		runs = append(runs, r)
	}
	q.mu.Unlock()
	args := q.beatArgs(runs...)
	if ticket != "" {
		args = append(args, tickets, ticket, "", "")
	}
	raw, err := q.run(ctx, q.scripts.beat, args...)
	if err != nil {
		return err
	}
	a := answer{raw: raw}
	for i, r := range runs {
		if a.text(i) == "0" {
			r.cancel(queuekit.ErrTaken)
		}
	}
	if ticket != "" && a.text(len(runs)) == "0" {
		q.mu.Lock()
		if w.ticket == ticket {
			w.ticket = ""
		}
		q.mu.Unlock()
	}
	return a.err
}

// reap takes over what processes that have died held. A server that has just started has heard of nobody yet.
func (q *Queue) reap(ctx context.Context) error {
	info, err := q.client.Info(ctx, "server").Result()
	if err != nil {
		return known(err)
	}
	up, err := strconv.Atoi(parseInfo(info)["uptime_in_seconds"])
	if err == nil && time.Duration(up)*time.Second < q.options.Lease {
		return nil
	}
	raw, err := q.run(ctx, q.scripts.reap, q.id, q.options.Lease.Milliseconds(), jobs.MaxAttempts, queuekit.MaxDeaths)
	if err != nil {
		return err
	}
	a := answer{raw: raw}
	for _, id := range list(a.at(0)) {
		q.options.Log.Warn("a process died over a job: it is queued again", zap.String("work", id))
	}
	for _, id := range list(a.at(1)) {
		q.options.Log.Error("job failed: the process died whenever it was worked", zap.String("work", id))
	}
	return a.err
}

func list(raw any) (texts []string) {
	all, _ := raw.([]any)
	for _, one := range all {
		if text, ok := one.(string); ok {
			texts = append(texts, text)
		}
	}
	return texts
}
