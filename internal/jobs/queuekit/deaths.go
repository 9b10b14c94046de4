package queuekit

import (
	"roem/internal/jobs"
)

// MaxDeaths bounds how often processes may die over work. A death says little of the work that was under way, so it is not enough to have
// been there often: a process may be killed at any moment for reasons of its own, and then each time it is other work
// that is hit. Work that kills is there each time. So work is given up when it was under way at each of the last
// MaxAttempts deaths; and at MaxDeaths in any case, lest several such works that alternate go on for ever.
const MaxDeaths = 2 * jobs.MaxAttempts

// Deaths is what is known of the processes that died at a work. Its number of the last death counts all deaths of
// processes that worked the queue.
type Deaths struct {
	Count  int    `json:"count,omitempty"`  // how many
	Streak int    `json:"streak,omitempty"` // how many in a row, with none elsewhere between
	Last   uint64 `json:"last,omitempty"`   // the number of the last
}

// AloneFrom is how many deaths make work run alone: one may be anything's, but with one more of its own it would be given up.
const AloneFrom = jobs.MaxAttempts - 1

// Add counts the death of that number and reports whether the work is to be given up.
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
