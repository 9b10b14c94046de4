package service

import (
	"container/list"
	"context"
	"fmt"
	"sync"
	"time"

	"roem/internal/engine/search"
)

// Searcher solves positions, one at a time. *search.Solver is one.
type Searcher interface {
	Solve(ctx context.Context, q search.Query) (search.Result, error)
}

// pool lends out a fixed number of searchers. Those who find none free wait in a queue of bounded length.
type pool struct {
	make    func() Searcher
	free    chan Searcher // a token for each searcher not lent out; nil until it is first needed, for tables are large
	size    int
	queue   int
	limits  *limiter
	observe Observer

	mu      sync.Mutex
	waiting list.List     // since when each of those who wait does, the oldest in front
	mean    time.Duration // moving mean of how long a searcher is kept
}

// Observer is told what searchers do. Its functions may be called from many goroutines at once.
type Observer struct {
	// Waited is how long somebody waited for a searcher, and got one.
	Waited func(took time.Duration)
	// Searched is a search that has ended: in its context's error when nobody wanted it any more.
	Searched func(goal search.Goal, nodes uint64, took time.Duration, err error)
	// Limited is a search refused to a client.
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
	Queue     int           // how many may wait
	Waiting   int           // how many do
	Oldest    time.Duration // how long the oldest of these has waited; 0 if none waits
}

// The moving mean starts at firstMean, a guess for a full deal, and moves by a fraction of 1/meanWeight each time.
const (
	firstMean  = 50 * time.Millisecond
	meanWeight = 16
)

func newPool(size, queue int, mk func() Searcher, limits Limits, observe Observer) *pool {
	p := &pool{
		make: mk, free: make(chan Searcher, size), size: size, queue: queue, mean: firstMean,
		limits: newLimiter(limits), observe: observe.withDefaults(),
	}
	for range size {
		p.free <- nil
	}
	return p
}

// with lends a searcher to work, once one is free. It returns an *Error of kind Limited or Busy at once when the client of
// ctx has too many searches or the queue is full, the error of ctx when that ends before a searcher is free, and otherwise
// the error of work.
func (p *pool) with(ctx context.Context, work func(Searcher) error) error {
	leave, err := p.limits.enter(clientOf(ctx), p.retryAfter)
	if err != nil {
		p.observe.Limited(limitOf(err))
		return err
	}
	var took time.Duration
	defer func() { leave(took) }()
	s, err := p.take(ctx)
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
		p.note(took)
		p.free <- s
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
	began, end := time.Now(), m.effort.beginSearch()
	result, err := m.Searcher.Solve(ctx, q)
	end(result.Nodes)
	m.observe.Searched(q.Goal, result.Nodes, time.Since(began), err)
	return result, err
}

func (p *pool) take(ctx context.Context) (Searcher, error) {
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	select {
	case s := <-p.free:
		p.observe.Waited(0)
		return s, nil
	default:
	}
	began := time.Now()
	p.mu.Lock()
	if p.waiting.Len() >= p.queue {
		p.mu.Unlock()
		return nil, &Error{
			Kind: Busy, RetryAfter: p.retryAfter(),
			Detail: fmt.Sprintf("No searcher is free, of %d, and the queue of %d requests is full.", p.size, p.queue),
		}
	}
	place := p.waiting.PushBack(began)
	p.mu.Unlock()
	endWait := effortOf(ctx).beginWait()
	defer func() {
		endWait()
		p.mu.Lock()
		p.waiting.Remove(place)
		p.mu.Unlock()
	}()
	select {
	case s := <-p.free:
		p.observe.Waited(time.Since(began))
		return s, nil
	case <-ctx.Done():
		return nil, ctx.Err()
	}
}

func (p *pool) note(took time.Duration) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.mean += (took - p.mean) / meanWeight
}

// load returns how busy the searchers are.
func (p *pool) load() Load {
	p.mu.Lock()
	defer p.mu.Unlock()
	l := Load{Searchers: p.size, Busy: p.size - len(p.free), Queue: p.queue, Waiting: p.waiting.Len()}
	if front := p.waiting.Front(); front != nil {
		if since, ok := front.Value.(time.Time); ok {
			l.Oldest = time.Since(since)
		}
	}
	return l
}

// retryAfter is how long those who wait now will take together, in whole seconds.
func (p *pool) retryAfter() time.Duration {
	p.mu.Lock()
	defer p.mu.Unlock()
	busy := p.size - len(p.free)
	return wholeSeconds(p.mean * time.Duration(p.waiting.Len()+busy) / time.Duration(p.size))
}
