package service

import (
	"context"
	"fmt"
	"math"
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
	make  func() Searcher
	free  chan Searcher // a token for each searcher not lent out; nil until it is first needed, for tables are large
	size  int
	queue int

	mu      sync.Mutex
	waiting int
	mean    time.Duration // moving mean of how long a searcher is kept
}

// The moving mean starts at firstMean, a guess for a full deal, and moves by a fraction of 1/meanWeight each time.
const (
	firstMean  = 50 * time.Millisecond
	meanWeight = 16
)

func newPool(size, queue int, mk func() Searcher) *pool {
	p := &pool{make: mk, free: make(chan Searcher, size), size: size, queue: queue, mean: firstMean}
	for range size {
		p.free <- nil
	}
	return p
}

// with lends a searcher to work, once one is free. It returns an *Error of kind Busy at once when the queue is full, the
// error of ctx when that ends before a searcher is free, and otherwise the error of work.
func (p *pool) with(ctx context.Context, work func(Searcher) error) error {
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
		p.note(time.Since(began))
		p.free <- s
	}()
	if s == nil {
		s = p.make()
	}
	err = work(s)
	whole = true
	return err
}

func (p *pool) take(ctx context.Context) (Searcher, error) {
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	select {
	case s := <-p.free:
		return s, nil
	default:
	}
	p.mu.Lock()
	if p.waiting >= p.queue {
		p.mu.Unlock()
		return nil, &Error{
			Kind: Busy, RetryAfter: p.retryAfter(),
			Detail: fmt.Sprintf("No searcher is free, of %d, and the queue of %d requests is full.", p.size, p.queue),
		}
	}
	p.waiting++
	p.mu.Unlock()
	defer func() {
		p.mu.Lock()
		p.waiting--
		p.mu.Unlock()
	}()
	select {
	case s := <-p.free:
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

// Bounds of the Retry-After that a client is given.
const (
	minRetry = time.Second
	maxRetry = time.Minute
)

// retryAfter is how long those who wait now will take together, in whole seconds.
func (p *pool) retryAfter() time.Duration {
	p.mu.Lock()
	defer p.mu.Unlock()
	busy := p.size - len(p.free)
	wait := p.mean * time.Duration(p.waiting+busy) / time.Duration(p.size)
	wait = time.Duration(math.Ceil(wait.Seconds())) * time.Second
	return min(max(wait, minRetry), maxRetry)
}
