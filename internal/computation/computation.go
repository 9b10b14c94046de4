// Package computation runs work on behalf of several callers at a time: equal work once, on a fixed number of slots.
//
// A computation is one object. The [Scheduler] owns all of them: who waits for each, whether it is in the queue or runs, the
// slot it has, its deadline, its progress and how it is cancelled. Everything that changes one of these is a transition under
// the Scheduler's one lock (transitions.go). Under the lock nothing is waited for: no channel is received from or sent to
// without a default, no caller's function is called.
//
// The life of a computation:
//
//	Join of a new key ──> queued ──> running ──> ended: every waiter has the result
//	                        │           │
//	                        └───────────┴──────> abandoned: the last waiter has left; it can no longer be joined
//
// A queued computation has no goroutine. A goroutine begins when a slot is assigned, and the slot is given to the next
// computation in the queue when the goroutine ends.
//
// A computation may wait for others: it is then their waiter, as a table of eight solutions waits for eight searches. It takes
// no slot itself, so that waiting never holds a slot.
package computation

import (
	"context"
	"time"
)

// Key names a computation. Equal keys stand for interchangeable results.
type Key string

// Spec describes a computation. What it returns is the result of every waiter.
type Spec struct {
	// Key is what equal computations have in common. A computation without a key is shared with no other caller.
	Key Key
	// Slot says whether it needs a slot. One that does not starts at once; it is for work that waits for other computations.
	Slot bool
	// Run does the work. Its context carries the values of the context of the first waiter. It ends when the last waiter leaves; Run
	// must return soon after. Its deadline is that of the waiter with the most time, which does not end the context: it is for work
	// that looks at the clock. What Run returns with an error is Result.Partial. A panic is a *PanicError.
	Run func(ctx context.Context, task *Task) (value any, err error)
}

// Priority says whether a client waits for the answer.
type Priority uint8

// The priorities.
const (
	Background Priority = iota // no client waits: urgent computations go first
	Urgent                     // a client waits
)

// Progress is how far a computation has come. Its JSON form is what the job queue keeps.
type Progress struct {
	Done  int    `json:"done"`            // parts that are done
	Of    int    `json:"of"`              // parts there are; 0 as long as nothing is known
	Nodes uint64 `json:"nodes"`           // nodes searched
	Lower *int   `json:"lower,omitempty"` // the outcome is at least this, once known
	Upper *int   `json:"upper,omitempty"` // the outcome is at most this, once known
}

// merge returns p, with bounds that only narrow and nodes that only grow.
func (p Progress) merge(before Progress) Progress {
	if before.Lower != nil && (p.Lower == nil || *p.Lower < *before.Lower) {
		p.Lower = before.Lower
	}
	if before.Upper != nil && (p.Upper == nil || *p.Upper > *before.Upper) {
		p.Upper = before.Upper
	}
	p.Nodes = max(p.Nodes, before.Nodes)
	return p
}

// Result is what came of a computation.
type Result struct {
	Value any
	// Shared is true where the computation had been started for another caller.
	Shared bool
	// Partial is what a computation that was stopped returned with its error.
	Partial any
}

// Load says how busy the slots are.
type Load struct {
	Slots    int
	Busy     int           // slots in use
	Queue    int           // how many urgent computations may wait for a slot
	Waiting  int           // how many do
	Oldest   time.Duration // how long the oldest of them has waited; 0 where none does
	Abandons int           // cancelled computations that have not returned yet
	// Overdue is how long the oldest cancelled computation has not returned; 0 where there is none.
	Overdue time.Duration
}
