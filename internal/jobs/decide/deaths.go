package decide

import (
	"fmt"

	"roem/internal/jobs"
)

// MaxDeaths is the number of process deaths after which a task fails in any case. A task that was running when its process
// died is not necessarily the cause, since a process may be killed at any moment for other reasons. But a task that kills
// its process is running at each death. So a task fails when it was running at each of the last MaxAttempts deaths. MaxDeaths
// also ends several such tasks that alternate.
const MaxDeaths = 2 * jobs.MaxAttempts

// AloneFrom is the number of deaths from which on a task runs alone in its process, so that no other task is counted at its
// next death.
const AloneFrom = jobs.MaxAttempts - 1

// Deaths counts the process deaths at which a task was running. All deaths of processes that work a queue are numbered.
type Deaths struct {
	Count  int    `json:"count,omitempty"`
	Streak int    `json:"streak,omitempty"` // how many in a row, without the death of a process that did not run it between
	Last   uint64 `json:"last,omitempty"`   // the number of the last
}

// Died counts the death of that number, and returns the end of the attempt that was running. The time since the attempt began is not the
// time that it took: the task keeps its cost.
func (d *Deaths) Died(number uint64) End {
	if d.Count > 0 && d.Last+1 == number {
		d.Streak++
	} else {
		d.Streak = 1
	}
	d.Count++
	d.Last = number
	end := End{Status: jobs.Queued, Cause: fmt.Errorf("its process died, at %d attempts", d.Count)}
	if d.Streak >= jobs.MaxAttempts || d.Count >= MaxDeaths {
		end.Status, end.Failure = jobs.Failed, jobs.FailedWithProcess
	}
	return end
}
