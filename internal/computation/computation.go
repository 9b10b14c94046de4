// Package computation runs work for several concurrent callers: equal work only once, on a fixed number of slots.
//
// A computation is one object. The [Scheduler] owns all of them. It records, for each computation, the waiters, whether it is queued or
// running, its slot, its deadline, its progress, and how to cancel it. Every change is a transition under the one lock of the Scheduler
// (transitions.go). No goroutine blocks while it holds the lock: channel operations have a default case, and no function of a caller is
// called.
//
// The states of a computation:
//
//	Join of a new key ──> queued ──> running ──> ended: every waiter has the result
//	                        │           │
//	                        └───────────┴──────> abandoned: the last waiter has left; it can no longer be joined
//
// A queued computation has no goroutine. A goroutine is started when a slot is assigned. When it ends, the slot is assigned to the next
// computation in the queue.
//
// A computation may wait for others, as their waiter. A table, for example, waits for eight searches. Such a computation has no slot,
// so that no slot is held while waiting.
package computation

import (
	"context"
	"time"
)

// Key identifies a computation. Results with equal keys are interchangeable.
type Key string

// Spec describes a computation. The value that Run returns is the result of every waiter.
type Spec struct {
	// Key is the same for equal computations. A computation without a key is not shared.
	Key Key
	// Slot says whether the computation needs a slot. A computation without a slot starts immediately. It is for work that waits for
	// other computations.
	Slot bool
	// Run does the work. Its context has the values of the first waiter's context. It ends when the last waiter leaves, and Run must
	// return soon afterwards. The context's deadline is the latest of all waiters' deadlines. The context does not end at its deadline,
	// so Run must check the time. A value that Run returns with an error is Result.Partial. A panic becomes a *PanicError.
	Run func(ctx context.Context, task *Task) (value any, err error)
}

// Priority says whether a client waits for the result.
type Priority uint8

// The priorities.
const (
	Background Priority = iota // no client waits; urgent computations start first
	Urgent                     // a client waits
)

// Progress is the progress of a computation. The job queue stores its JSON form.
type Progress struct {
	Done  int    `json:"done"`            // completed parts
	Of    int    `json:"of"`              // number of parts; 0 if it is not known yet
	Nodes uint64 `json:"nodes"`           // nodes searched
	Lower *int   `json:"lower,omitempty"` // lower bound of the outcome, if known
	Upper *int   `json:"upper,omitempty"` // upper bound of the outcome, if known
}

// merge returns p with bounds at least as narrow and at least as many nodes as before.
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

// Result is the result of a computation.
type Result struct {
	Value any
	// Shared reports whether the computation was started for another caller.
	Shared bool
	// Partial is the value that a stopped computation returned with its error.
	Partial any
}

// Load is the state of the slots and queues.
type Load struct {
	Slots    int
	Busy     int           // slots in use
	Queue    int           // maximum number of urgent computations in the queue
	Waiting  int           // number of urgent computations in the queue
	Oldest   time.Duration // time since the oldest of them was queued; 0 if there is none
	Abandons int           // cancelled computations that have not returned yet
	// Overdue is the time since the cancellation of the oldest cancelled computation that has not returned; 0 if there is none.
	Overdue time.Duration
}
