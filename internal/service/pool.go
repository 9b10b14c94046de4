package service

import (
	"container/list"
	"context"
	"fmt"
	"sync"
	"time"

	"go.opentelemetry.io/otel/attribute"

	"roem/internal/engine/klaverjas/search"
)

// Searcher solves positions, one at a time. *search.Solver is one.
type Searcher interface {
	Solve(ctx context.Context, q search.Query) (search.Result, error)
}

// pool lends out a fixed number of searchers. Those who find none free wait: in a queue of bounded length where somebody
// waits for the answer, and behind those, in a queue without a bound, where nobody does.
type pool struct {
	make    func() Searcher
	size    int
	queue   int
	limits  *limiter
	observe Observer

	mu      sync.Mutex
	free    []Searcher // those not lent out, the one used last at the end; nil until first needed, for tables are large
	urgent  list.List  // of *ticket, the oldest in front: somebody waits for the answer
	patient list.List  // of *ticket: nobody does
	passed  int        // how many urgent ones were served in a row while patient ones waited
	mean    time.Duration
}

// ticket is a place in the queue of the pool. It belongs to one wait at a time.
type ticket struct {
	urgent bool          // guarded by pool.mu once the ticket is used
	place  *list.Element // nil where it does not wait; guarded by pool.mu
	since  time.Time
	ready  chan Searcher
}

// Observer is told what searchers do. Its functions may be called from many goroutines at once.
type Observer struct {
	// Waited is how long somebody waited for a searcher, and got one.
	Waited func(took time.Duration)
	// Searched is a search that has ended: in its context's error when nobody wanted it any more.
	Searched func(goal search.Goal, nodes uint64, took time.Duration, err error)
	// Limited is a search, or a job, refused to a client.
	Limited func(limit Limit)
}

// withDefaults fills in functions that do nothing.
func (o Observer) withDefaults() Observer {
	if o.Waited == nil {
		o.Waited = func(time.Duration) {}
	}
	if o.Searched == nil {
		o.Searched = func(search.Goal, uint64, time.Duration, error) {}
	}
	if o.Limited == nil {
		o.Limited = func(Limit) {}
	}
	return o
}

// Load says how busy the searchers are.
type Load struct {
	Searchers int           // how many searches may run at a time
	Busy      int           // how many do
	Queue     int           // how many requests may wait
	Waiting   int           // how many do; searches of jobs, which let them go first, do not count
	Oldest    time.Duration // how long the oldest of these has waited; 0 if none waits
}

// The moving mean of how long a searcher is kept starts at firstMean, a guess for a full deal, and moves by a fraction of
// 1/meanWeight each time.
const (
	firstMean  = 50 * time.Millisecond
	meanWeight = 16
)

// maxPassed is how many urgent requests go before a patient one that waits: it comes last, but it comes.
const maxPassed = 16

func newPool(size, queue int, mk func() Searcher, limits Limits, observe Observer) *pool {
	return &pool{
		make: mk, free: make([]Searcher, size), size: size, queue: queue, mean: firstMean,
		limits: newLimiter(limits), observe: observe.withDefaults(),
	}
}

// share is how many searches a client may have at a time.
func (p *pool) share() int {
	if p.limits != nil && p.limits.Searches > 0 {
		return min(p.size, p.limits.Searches)
	}
	return p.size
}

// with lends a searcher to work, once one is free. It returns an *Error of kind Limited at once when the client of ctx has too
// many searches, one of kind Busy when the ticket is urgent and the queue is full, the error of ctx when that ends before a
// searcher is free, and otherwise the error of work.
func (p *pool) with(ctx context.Context, t *ticket, work func(Searcher) error) error {
	leave, err := p.limits.enter(clientOf(ctx), p.retryAfter)
	if err != nil {
		p.observe.Limited(limitOf(err))
		return err
	}
	var took time.Duration
	defer func() { leave(took) }()
	s, err := p.take(ctx, t)
	if err != nil {
		return err
	}
	whole := false
	began := time.Now()
	defer func() {
		if !whole {
			s = nil // work panicked: who knows what state the searcher is in
		}
		took = time.Since(began)
		p.give(s, took)
	}()
	if s == nil {
		s = p.make()
	}
	err = work(metered{s, effortOf(ctx), p.observe})
	whole = true
	return err
}

// metered notes what the searches of a searcher took.
type metered struct {
	Searcher
	effort  *Effort
	observe Observer
}

func (m metered) Solve(ctx context.Context, q search.Query) (search.Result, error) {
	ctx, endSpan := startSpan(ctx, "search")
	began, end := time.Now(), m.effort.beginSearch()
	result, err := m.Searcher.Solve(ctx, q)
	end(result.Nodes)
	endSpan(err, attribute.String("roem.goal", q.Goal.String()), attribute.Int64("roem.nodes", int64(result.Nodes)))
	m.observe.Searched(q.Goal, result.Nodes, time.Since(began), err)
	return result, err
}

func (p *pool) take(ctx context.Context, t *ticket) (Searcher, error) {
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	p.mu.Lock()
	if n := len(p.free); n > 0 {
		s := p.free[n-1]
		p.free = p.free[:n-1]
		p.mu.Unlock()
		p.observe.Waited(0)
		return s, nil
	}
	if t.urgent && p.urgent.Len() >= p.queue {
		retry := p.retryAfterLocked()
		p.mu.Unlock()
		return nil, &Error{
			Kind: Busy, RetryAfter: retry,
			Detail: fmt.Sprintf("No searcher is free, of %d, and the queue of %d requests is full.", p.size, p.queue),
		}
	}
	t.ready, t.since = make(chan Searcher, 1), time.Now()
	t.place = p.lineOf(t).PushBack(t)
	p.mu.Unlock()
	defer effortOf(ctx).beginWait()()
	_, endSpan := startSpan(ctx, "wait for a searcher")
	select {
	case s := <-t.ready:
		endSpan(nil)
		p.observe.Waited(time.Since(t.since))
		return s, nil
	case <-ctx.Done():
		endSpan(ctx.Err())
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	if t.place != nil {
		p.lineOf(t).Remove(t.place)
		t.place = nil
	} else { // it was served at the same moment
		p.giveLocked(<-t.ready)
	}
	return nil, ctx.Err()
}

func (p *pool) lineOf(t *ticket) *list.List {
	if t.urgent {
		return &p.urgent
	}
	return &p.patient
}

// hurry makes a ticket urgent, wherever it is: somebody has come to wait for what it is for. It goes behind those who are
// waiting, and is not refused where that makes them too many.
func (p *pool) hurry(t *ticket) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if t.urgent {
		return
	}
	if t.place != nil {
		p.patient.Remove(t.place)
		t.place = p.urgent.PushBack(t)
	}
	t.urgent = true
}

func (p *pool) give(s Searcher, kept time.Duration) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.mean += (kept - p.mean) / meanWeight
	p.giveLocked(s)
}

// giveLocked hands the searcher to the next in line, or keeps it.
func (p *pool) giveLocked(s Searcher) {
	line := &p.urgent
	if line.Len() == 0 || p.patient.Len() > 0 && p.passed >= maxPassed {
		line = &p.patient
	}
	first := line.Front()
	if first == nil {
		p.free = append(p.free, s)
		return
	}
	if line == &p.urgent && p.patient.Len() > 0 {
		p.passed++
	} else {
		p.passed = 0
	}
	if t, ok := line.Remove(first).(*ticket); ok {
		t.place = nil
		t.ready <- s
	}
}

// borrow lends a searcher that is free, without a place in a queue and without being noted; the caller gives it back.
func (p *pool) borrow() (s Searcher, ok bool) {
	p.mu.Lock()
	defer p.mu.Unlock()
	n := len(p.free)
	if n == 0 {
		return nil, false
	}
	if s = p.free[n-1]; s == nil {
		s = p.make()
	}
	p.free = p.free[:n-1]
	return s, true
}

// giveBack takes back what was borrowed; nil for a searcher that is not to be used again.
func (p *pool) giveBack(s Searcher) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.giveLocked(s)
}

// load returns how busy the searchers are.
func (p *pool) load() Load {
	p.mu.Lock()
	defer p.mu.Unlock()
	l := Load{Searchers: p.size, Busy: p.size - len(p.free), Queue: p.queue, Waiting: p.urgent.Len()}
	if front := p.urgent.Front(); front != nil {
		if t, ok := front.Value.(*ticket); ok {
			l.Oldest = time.Since(t.since)
		}
	}
	return l
}

// retryAfter is how long those who wait now will take together, in whole seconds. Those who let others go first do not
// count.
func (p *pool) retryAfter() time.Duration {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.retryAfterLocked()
}

func (p *pool) retryAfterLocked() time.Duration {
	ahead := p.urgent.Len() + p.size - len(p.free)
	return wholeSeconds(p.mean * time.Duration(ahead) / time.Duration(p.size))
}
