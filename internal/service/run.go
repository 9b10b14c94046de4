package service

import (
	"context"
	"errors"
	"sync"
	"sync/atomic"
	"time"

	"roem/internal/engine/klaverjas/search"
	"roem/internal/solvecache"
)

// progress is how far an operation has come. Its form as JSON is what the job queue carries.
type progress struct {
	Done  int    `json:"done"`            // parts that are done
	Of    int    `json:"of"`              // parts there are
	Nodes uint64 `json:"nodes"`           // positions searched
	Lower *int   `json:"lower,omitempty"` // the outcome is at least that; of a solve, once known
	Upper *int   `json:"upper,omitempty"` // the outcome is at most that
}

// run is what an operation's context knows about who it is done for. Without one, somebody waits for the answer, and
// nobody asks how far it is.
type run struct {
	*runState
	report func(progress) // called from any goroutine, one call at a time for each look-up; must not block; may be nil
}

// runState is what the parts of an operation share.
type runState struct {
	background atomic.Bool // nobody waits for the answer: others go first
	searching  atomic.Bool // a search for it has begun
	knownOnly  bool        // make no search: errNotKnown where one would be needed
}

// errNotKnown is the error of a look-up that must not search.
var errNotKnown = errors.New("not known without a search")

type runKey struct{}

func withRun(ctx context.Context, r run) context.Context { return context.WithValue(ctx, runKey{}, r) }

func runOf(ctx context.Context) run {
	if r, ok := ctx.Value(runKey{}).(run); ok {
		return r
	}
	return run{runState: &runState{}}
}

func (r run) tell(p progress) {
	if r.report != nil {
		r.report(p)
	}
}

// parts adds up the progress of an operation that has several parts, each of which may search.
type parts struct {
	whole run

	mu  sync.Mutex
	sum progress
}

func newParts(whole run, of int) *parts {
	p := &parts{whole: whole, sum: progress{Of: of}}
	whole.tell(p.sum)
	return p
}

// part returns the run of one part.
func (p *parts) part() run {
	var nodes uint64
	return run{runState: p.whole.runState, report: func(one progress) {
		p.add(0, one.Nodes-min(nodes, one.Nodes))
		nodes = max(nodes, one.Nodes)
	}}
}

// add counts parts that are done and nodes.
func (p *parts) add(done int, nodes uint64) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.sum.Done += done
	p.sum.Nodes += nodes
	p.whole.tell(p.sum)
}

// topics lets all who wait for the same computation see how far it is.
type topics struct {
	mu    sync.Mutex
	byKey map[solvecache.Key]*topic
}

// topic is a computation that is waited for.
type topic struct {
	ticket ticket // of its searcher, urgent as soon as one who waits is

	mu        sync.Mutex
	followers map[*run]struct{}
	begun     bool
	last      progress
	waiting   int // guarded by topics.mu
}

// follow enters the run among those who wait for the key. The caller leaves when it waits no more.
func (ts *topics) follow(p *pool, key solvecache.Key, r *run) (t *topic, leave func()) {
	urgent := !r.background.Load()
	ts.mu.Lock()
	t, found := ts.byKey[key]
	if !found {
		t = &topic{ticket: ticket{urgent: urgent}, followers: make(map[*run]struct{}, 1)}
		ts.byKey[key] = t
	}
	t.waiting++
	ts.mu.Unlock()
	if found && urgent {
		p.hurry(&t.ticket)
	}
	t.mu.Lock()
	t.followers[r] = struct{}{}
	if t.begun {
		r.searching.Store(true)
		if t.last.Of > 0 {
			r.tell(t.last)
		}
	}
	t.mu.Unlock()
	return t, func() {
		t.mu.Lock()
		delete(t.followers, r)
		t.mu.Unlock()
		ts.mu.Lock()
		defer ts.mu.Unlock()
		if t.waiting--; t.waiting == 0 {
			delete(ts.byKey, key)
		}
	}
}

// begin tells the followers that the search has begun.
func (t *topic) begin() {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.begun = true
	for r := range t.followers {
		r.searching.Store(true)
	}
}

// publish tells the followers how far the computation is. Bounds only ever narrow.
func (t *topic) publish(p progress) {
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.last.Lower != nil && (p.Lower == nil || *p.Lower < *t.last.Lower) {
		p.Lower = t.last.Lower
	}
	if t.last.Upper != nil && (p.Upper == nil || *p.Upper > *t.last.Upper) {
		p.Upper = t.last.Upper
	}
	p.Nodes = max(p.Nodes, t.last.Nodes)
	t.last = p
	for r := range t.followers {
		r.tell(p)
	}
}

// narrowed is a report of the search as progress of a solve.
func narrowed(p search.Progress) progress {
	return progress{Of: 1, Nodes: p.Nodes, Lower: &p.Lower, Upper: &p.Upper}
}

// lookUp answers from the cache, or by the computation, which is made once for all who wait for it. The computation gets a
// searcher, and publishes how far it is.
func (s *Service) lookUp(
	ctx context.Context, keys []solvecache.Key, valid func([]byte) bool,
	compute func(ctx context.Context, searcher Searcher, publish func(progress)) ([]byte, error),
) (solvecache.Answer, error) {
	r := runOf(ctx)
	if r.knownOnly {
		for _, a := range s.cache.Get(ctx, keys) {
			if a.Value != nil && valid(a.Value) {
				return a, nil
			}
		}
		return solvecache.Answer{}, errNotKnown
	}
	t, leave := s.topics.follow(s.pool, keys[0], &r)
	defer leave()
	return s.cache.GetOrCompute(ctx, solvecache.Request{
		Keys:  keys,
		Valid: valid,
		Compute: func(ctx context.Context) (value []byte, err error) {
			err = s.pool.with(ctx, &t.ticket, func(searcher Searcher) error {
				t.begin()
				value, err = compute(ctx, searcher, t.publish)
				return err
			})
			return value, err
		},
	})
}

// elapsed is how long something took that began and, perhaps, ended; never below zero, clocks of two machines may differ.
func elapsed(began, ended, now time.Time) time.Duration {
	switch {
	case began.IsZero():
		return 0
	case ended.IsZero():
		ended = now
	}
	return max(ended.Sub(began), 0)
}
