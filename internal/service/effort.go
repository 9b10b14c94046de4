package service

import (
	"context"
	"slices"
	"sync"
	"time"
)

// Effort sums the work for one request while it is answered. It is safe for concurrent use. If equal requests share a search, the first
// of them has its effort.
type Effort struct {
	began time.Time
	mu    sync.Mutex
	sum   EffortSum
	notes []Note
	// The start times of the searches that have not ended: a request whose time is over is answered before its search ends.
	searches []time.Time
}

// EffortSum is an effort at one moment.
type EffortSum struct {
	Searches int           // searches that were made
	Nodes    uint64        // the nodes of these searches
	Search   time.Duration // the time of these searches
	Wait     time.Duration // the time spent waiting for a slot
	Layer    string        // the cache layer that had the values; "mixed" for several; empty for none
	Shared   bool          // the request joined a computation of another request
}

// mixedLayers is the Layer of values from several layers.
const mixedLayers = "mixed"

type effortKey struct{}

// WithEffort returns a context under which the operations of a Service record their effort, and the Effort.
func WithEffort(ctx context.Context) (context.Context, *Effort) {
	e := &Effort{began: time.Now()}
	return context.WithValue(ctx, effortKey{}, e), e
}

// EffortOf returns the Effort of the context, nil if it has none. The methods of a nil Effort do nothing.
func EffortOf(ctx context.Context) *Effort {
	e, _ := ctx.Value(effortKey{}).(*Effort)
	return e
}

// Note is something about an answer that is logged with its request. The value is a text or a number.
type Note struct {
	Name  string
	Value any
}

// Note records notes.
func (e *Effort) Note(notes ...Note) {
	if e != nil {
		e.mu.Lock()
		defer e.mu.Unlock()
		e.notes = append(e.notes, notes...)
	}
}

// Notes returns the notes in order.
func (e *Effort) Notes() []Note {
	if e == nil {
		return nil
	}
	e.mu.Lock()
	defer e.mu.Unlock()
	return slices.Clone(e.notes)
}

// Began returns when the request began, before its body was read. For a nil Effort it is now.
func (e *Effort) Began() time.Time {
	if e == nil {
		return time.Now()
	}
	return e.began
}

// Sum returns the effort so far, including the searches that still run. For a nil Effort it is zero.
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

// BeginSearch records the start of a search. The caller calls end with the nodes of the search.
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

// noteWait records how long the request waited for a slot.
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

// over removes the start time began from underWay and returns the time since then.
func over(underWay *[]time.Time, began time.Time) time.Duration {
	if i := slices.Index(*underWay, began); i >= 0 {
		*underWay = slices.Delete(*underWay, i, i+1)
	}
	return time.Since(began)
}

// NoteValue records where a value came from.
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
