package klaverjas

import (
	"time"

	"roem/internal/engine/klaverjas/advice"
	"roem/internal/service"
)

// Advice in a stream begins with firstWorlds worlds, and then has twice as many each time. Without a budget it becomes better for refining.
const (
	firstWorlds = roundWorlds
	refining    = 2 * time.Second
)

// Begin returns the query of the first advice of a stream, and for how long better advice is wanted.
func (q *AdviseQuery) Begin() (first service.Refining[*advice.Tally], during time.Duration) {
	return q.with(min(firstWorlds, q.asked)), service.Or(q.budget, refining)
}

// Better returns the query of advice with twice as many worlds.
func (q *AdviseQuery) Better() (next service.Refining[*advice.Tally], end service.RefinedEnd) {
	switch {
	case q.question.Forced() || q.all || q.worlds >= q.asked:
		return nil, service.RefinedWorlds
	case q.question.Separated(q.tally, q.objective, budgetErrors, q.distinct()):
		return nil, service.RefinedClear
	}
	return q.with(min(2*q.worlds, q.asked)), ""
}

// with returns the query of the same request with a number of worlds and without a budget.
func (q *AdviseQuery) with(worlds int) *AdviseQuery {
	next := *q
	next.worlds, next.all, next.budget, next.tally, next.from = worlds, false, nil, nil, q
	next.bound(false)
	return &next
}

// before returns the tally of the rounds of playouts that the stream has done, and the first world after them. Equal worlds would follow
// from equal numbers, so that they need not be played out again.
func (q *AdviseQuery) before() (t advice.Tally, first int) {
	if p := q.from; p != nil && q.method == playoutMethod && !q.all && p.tally != nil && p.worlds%roundWorlds == 0 {
		return *p.tally, p.worlds
	}
	return advice.Tally{}, 0
}
