package worlds

import (
	"math"

	"roem/internal/engine/ginrummy"
)

// run computes the factors of the acts from a turn on, of the proposal in dealt and drawn. It stops and returns false as soon as their
// product with the factors before, divided by the product for the current history, is below the limit.
func (h *Chain) run(from int, limit float64) bool {
	hand := h.dealt
	ratio := 1.0
	for i := range h.acts {
		a := &h.acts[i]
		if a.kind == ginrummy.Pass {
			if i >= from {
				h.next[i], h.other[i] = 1, 0
				if hand.Completes(a.top) {
					h.next[i], h.other[i] = h.Penalty, 1
				}
			}
		} else {
			before := hand
			if a.kind == ginrummy.Take {
				hand = hand.With(a.top)
			} else {
				hand = hand.With(h.drawn[i])
			}
			if i >= from {
				h.next[i], h.other[i] = h.act(i, before, hand, limit/ratio)
			}
			hand = hand.Without(a.discard)
		}
		if i >= from && limit > 0 {
			// Factors to come are at most 1, and the limit includes the factors of the current history.
			if ratio *= h.next[i]; ratio < limit {
				return false
			}
		}
	}
	h.end = hand
	return true
}

// act returns the factor of a turn with a draw and a discard, and how far it is from one of the simple player. A factor below the limit is
// not exact: it may be too large.
func (h *Chain) act(i int, before, eleven ginrummy.Set, limit float64) (factor, fault float64) {
	a := &h.acts[i]
	factor = 1
	choice := eleven
	if a.kind == ginrummy.Take {
		if !before.Completes(a.top) {
			factor, fault = h.Penalty, 1
		}
		choice = h.choice(i, eleven.Without(a.top))
		if !choice.Has(a.discard) {
			return factor * h.Penalty / ginrummy.HandSize, fault + 1
		}
	} else if a.top != ginrummy.NoCard && before.Completes(a.top) {
		factor, fault = h.Penalty, 1
	}
	mine := eleven.Without(a.discard).Deadwood()
	if a.ended && mine <= ginrummy.MaxDeadwood {
		factor, fault = factor*h.Penalty, fault+1
	}
	if factor < limit {
		return factor, fault
	}
	// Without a card c, the deadwood is at least the deadwood of all eleven minus the points of c. So cards with few points need no look.
	few := eleven.Deadwood() - mine
	count, least := 1, mine
	for r := ginrummy.King; int(r) < ginrummy.Ranks && r.Points() >= few; r-- { // below the ace the rank is 255
		for s := choice.Without(a.discard) & ginrummy.OfRank(r); s != 0; s &= s - 1 {
			switch d := eleven.Without(s.First()).Deadwood(); {
			case d < least:
				if least = d; factor*h.Penalty/ginrummy.HandSize < limit {
					return factor * h.Penalty / ginrummy.HandSize, fault + 1
				}
			case d == mine:
				count++
			}
		}
	}
	if least < mine {
		// The more points the discard leaves beyond the least, the farther the history is from a possible one.
		more := 1 + float64(mine-least-1)/6
		return factor * math.Pow(h.Penalty, more) / ginrummy.HandSize, fault + more
	}
	return factor / float64(count), fault
}

// choice leaves out the cards that the simple player does not discard after a draw from the discards, since it has drawn and discarded the
// two in one turn before.
func (h *Chain) choice(i int, all ginrummy.Set) ginrummy.Set {
	choice := all
	top := h.acts[i].top
	for k := range h.acts[:i] {
		b := &h.acts[k]
		if b.kind == ginrummy.Pass {
			continue
		}
		drew := b.top
		if b.kind == ginrummy.Stock {
			drew = h.drawn[k]
		}
		switch top {
		case drew:
			choice = choice.Without(b.discard)
		case b.discard:
			choice = choice.Without(drew)
		default:
		}
	}
	if choice.Empty() {
		return all
	}
	return choice
}
