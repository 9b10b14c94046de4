package service

import (
	"context"
	"sync"
	"time"

	"roem/internal/solvecache"
)

// Effort is what it took to answer one request. It is gathered while the request is answered, by whoever works on it.
// Where equal requests share a search, its effort is that of the first of them.
type Effort struct {
	mu  sync.Mutex
	sum EffortSum
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

// effortOf returns where to note what is done under the context, nil if nobody wants to know.
func effortOf(ctx context.Context) *Effort {
	e, _ := ctx.Value(effortKey{}).(*Effort)
	return e
}

// Sum returns what has been noted so far. Of a nil Effort it is zero.
func (e *Effort) Sum() EffortSum {
	if e == nil {
		return EffortSum{}
	}
	e.mu.Lock()
	defer e.mu.Unlock()
	return e.sum
}

func (e *Effort) noteSearch(nodes uint64, took time.Duration) {
	if e == nil {
		return
	}
	e.mu.Lock()
	defer e.mu.Unlock()
	e.sum.Searches++
	e.sum.Nodes += nodes
	e.sum.Search += took
}

func (e *Effort) noteWait(took time.Duration) {
	if e == nil {
		return
	}
	e.mu.Lock()
	defer e.mu.Unlock()
	e.sum.Wait += took
}

func (e *Effort) noteAnswer(a solvecache.Answer) {
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
