package queuekit

import (
	"time"

	"roem/internal/jobs"
)

// MaxDeaths is the number of process deaths after which a task fails in any case. A task that was running when its process
// died is not necessarily the cause, since a process may be killed at any moment for other reasons. But a task that kills
// its process is running at each death. So a task fails when it was running at each of the last MaxAttempts deaths. MaxDeaths
// also ends several such tasks that alternate.
const MaxDeaths = 2 * jobs.MaxAttempts

// Deaths counts the process deaths at which a task was running. All deaths of processes that work a queue are numbered.
type Deaths struct {
	Count  int    `json:"count,omitempty"`
	Streak int    `json:"streak,omitempty"` // how many in a row, without the death of a process that did not run it between
	Last   uint64 `json:"last,omitempty"`   // the number of the last
}

// AloneFrom is the number of deaths from which on a task runs alone in its process, so that no other task is counted at its
// next death.
const AloneFrom = jobs.MaxAttempts - 1

// aloneFor is how long such a task keeps others from its process. A task that has run for longer may have hours before it.
const aloneFor = time.Minute

// Add counts the death of that number and reports whether the task fails.
func (d *Deaths) Add(number uint64) bool {
	if d.Count > 0 && d.Last+1 == number {
		d.Streak++
	} else {
		d.Streak = 1
	}
	d.Count++
	d.Last = number
	return d.Streak >= jobs.MaxAttempts || d.Count >= MaxDeaths
}
