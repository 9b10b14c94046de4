// Package decisions replays hands to the decisions of their seats, for reviews and data sets.
package decisions

import (
	"iter"

	"roem/internal/engine/table"
)

// Decision is an act in a hand, with the hand before it. P is a seat, V what a seat has seen, A an act.
type Decision[H table.Hand[H, P, V, A], P ~uint8, V, A any] struct {
	Number int // of the act, from 0
	Seat   P
	Act    A
	Before H // with all cards
}

// View returns what the seat had seen. It is made when it is asked for: a decision without a choice needs none.
func (d *Decision[H, P, V, A]) View() V { return d.Before.View(d.Seat) }

// Of plays acts in a hand, and yields the decision of each. An act that is not allowed ends the list: its pair has the error. Acts after
// the end of the hand are not played.
func Of[H table.Hand[H, P, V, A], P ~uint8, V, A any](h H, acts []A) iter.Seq2[Decision[H, P, V, A], error] {
	return func(yield func(Decision[H, P, V, A], error) bool) {
		for i, a := range acts {
			turn, more := h.Turn()
			if !more {
				return
			}
			next, err := h.Act(a)
			if !yield(Decision[H, P, V, A]{i, turn, a, h}, err) || err != nil {
				return
			}
			h = next
		}
	}
}
