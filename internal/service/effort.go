package service

import (
	"context"
	"slices"
	"sync"
	"time"
)

// Effort is what it took to answer one request. It is gathered while the request is answered, by whoever works on it.
// Where equal requests share a search, its effort is that of the first of them.
type Effort struct {
	mu  sync.Mutex
	sum EffortSum
	// When the searches began that have not ended: a request whose time is over is answered before its search has ended.
	searches []time.Time
}

// EffortSum is an effort at one moment.
type EffortSum struct {
	Searches int           // searches that were made
	Nodes    uint64        // the nodes that they visited
	Search   time.Duration // the time that they took
	Wait     time.Duration // the time spent waiting for a searcher to be free
	Layer    string        // the cache layer that answered; "mixed" for several; empty where none did
	Shared   bool          // another request, under way already, made a search that this one waited for
}

// mixedLayers is the Layer of what came out of several.
const mixedLayers = "mixed"

type effortKey struct{}

// WithEffort returns a context under which the operations of a Service note what they take, and where they note it.
func WithEffort(ctx context.Context) (context.Context, *Effort) {
	e := &Effort{}
	return context.WithValue(ctx, effortKey{}, e), e
}

// EffortOf returns where to note what is done under the context, nil if nobody wants to know.
func EffortOf(ctx context.Context) *Effort {
	e, _ := ctx.Value(effortKey{}).(*Effort)
	return e
}

// Sum returns what has been noted so far, with what is under way up to now. Of a nil Effort it is zero.
func (e *Effort) Sum() EffortSum {
	if e == nil {
		return EffortSum{}
	}
	e.mu.Lock()
	defer e.mu.Unlock()
	sum, now := e.sum, time.Now()
	for _, since := range e.searches {
		sum.Searches++
		sum.Search += now.Sub(since)
	}
	return sum
}

// BeginSearch notes that a search begins. The caller calls end with the nodes that it has visited.
func (e *Effort) BeginSearch() (end func(nodes uint64)) {
	if e == nil {
		return func(uint64) {}
	}
	began := e.begin(&e.searches)
	return func(nodes uint64) {
		e.mu.Lock()
		defer e.mu.Unlock()
		e.sum.Searches++
		e.sum.Nodes += nodes
		e.sum.Search += over(&e.searches, began)
	}
}

// noteWait notes how long the request waited for a slot.
func (e *Effort) noteWait(wait time.Duration) {
	if e == nil {
		return
	}
	e.mu.Lock()
	defer e.mu.Unlock()
	e.sum.Wait += wait
}

func (e *Effort) begin(underWay *[]time.Time) time.Time {
	e.mu.Lock()
	defer e.mu.Unlock()
	now := time.Now()
	*underWay = append(*underWay, now)
	return now
}

// over takes what began at the time out of what is under way and returns how long it took.
func over(underWay *[]time.Time, began time.Time) time.Duration {
	if i := slices.Index(*underWay, began); i >= 0 {
		*underWay = slices.Delete(*underWay, i, i+1)
	}
	return time.Since(began)
}

// NoteValue notes where a value came from.
func (e *Effort) NoteValue(a Value) {
	if e == nil {
		return
	}
	e.mu.Lock()
	defer e.mu.Unlock()
	e.sum.Shared = e.sum.Shared || a.Shared
	switch {
	case a.Layer == "" || a.Layer == e.sum.Layer:
	case e.sum.Layer == "":
		e.sum.Layer = a.Layer
	default:
		e.sum.Layer = mixedLayers
	}
}
