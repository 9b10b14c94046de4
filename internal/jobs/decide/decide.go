// Package decide holds what the engines of the queue decide: pure functions over a small state, without a clock and a store. The engines
// load the state, ask, and store what follows.
package decide

import (
	"slices"
	"time"

	"roem/internal/jobs"
)

// View returns a job as its owner sees it. It is given with the state of its task, and with the time when the owner cancelled it, or zero.
func View(job jobs.Job, cancelled time.Time) jobs.Job {
	if !cancelled.IsZero() {
		job.Status, job.FinishedAt = jobs.Cancelled, cancelled
		if job.StartedAt.After(cancelled) {
			job.StartedAt = time.Time{}
		}
	}
	if job.Status != jobs.Queued {
		job.PositionInQueue = 0
	}
	if job.Status != jobs.Succeeded {
		job.ResultSize = 0
	}
	if job.Status != jobs.Failed {
		job.Failure, job.Error = "", nil
	}
	if job.Status == jobs.Queued || job.Status == jobs.Cancelled {
		job.Progress = nil
	}
	for _, at := range []*time.Time{&job.StartedAt, &job.FinishedAt} {
		if !at.IsZero() && at.Before(job.CreatedAt) {
			*at = job.CreatedAt
		}
	}
	return job
}

// Charge returns what the turns of an owner change by when a task has had its attempt, or is left before one: its cost is replaced by the
// time that the attempt took, or by nothing. The waiting tasks behind a turn move, and the owner's next turn. All times are microseconds.
func Charge(status jobs.Status, turn, cost, took int64) (by, behind int64) {
	if status != jobs.Running {
		return -cost, turn
	}
	return max(0, took) - cost, -1
}

// Shift returns by how much the waiting tasks of an owner at the turns move, if they are to move by a time: none comes before the turn
// that the queue has reached, so that no time is saved up.
func Shift(turns []int64, by, reached int64) int64 {
	if len(turns) == 0 {
		return by
	}
	return max(by, min(0, reached-slices.Min(turns)))
}
