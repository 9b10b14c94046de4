package worlds

import (
	"math"
	"math/rand/v2"

	"roem/internal/engine/ginrummy"
	"roem/internal/random"
)

// try decides about the proposal in dealt and drawn, which differs from the current history from a turn on. ratio is the probability of
// the opposite proposal, divided by the probability of this one.
func (h *Chain) try(from int, ratio float64, rng *rand.Rand) bool {
	from = max(from, 0)
	limit := random.Float64(rng) / ratio
	for _, f := range h.factor[from:] {
		limit *= f
	}
	if !h.run(from, max(limit, math.SmallestNonzeroFloat64)) {
		return false
	}
	copy(h.factor[from:], h.next[from:])
	copy(h.fault[from:], h.other[from:])
	h.hand = h.end
	return true
}

// put puts a card into a slot in place of another.
func (h *Chain) put(slot int, old, now ginrummy.Card) {
	if slot < 0 {
		h.dealt = h.dealt.Without(old).With(now)
	} else {
		h.drawn[slot] = now
	}
}

// Step makes a proposal, and reports whether the history has changed.
func (h *Chain) Step(rng *rand.Rand) bool {
	if len(h.free) > 0 && (len(h.hidden) == ginrummy.HandSize || rng.Uint64()&3 != 0) {
		return h.exchange(rng)
	}
	return h.swap(rng)
}

func below(rng *rand.Rand, n int) int { return int(random.Below(rng, uint64(n))) }

// Propose sets the odds with which cards of the stock are proposed for the hand. They change how fast the chain moves, but not its
// equilibrium. Set makes them equal.
func (h *Chain) Propose(odds *Odds) {
	h.odds = *odds
	h.upto = h.upto[:0]
	sum := 0.0
	for _, c := range h.list {
		sum += odds[c]
		h.upto = append(h.upto, sum)
	}
}

// pick draws a card with its odds.
func (h *Chain) pick(rng *rand.Rand) ginrummy.Card {
	at := random.Float64(rng) * h.upto[len(h.upto)-1]
	lo, hi := 0, len(h.upto)-1
	for lo < hi {
		if mid := (lo + hi) / 2; h.upto[mid] <= at {
			lo = mid + 1
		} else {
			hi = mid
		}
	}
	return h.list[lo]
}

// exchange proposes to exchange one to three hidden cards that the opponent holds for cards of the stock.
func (h *Chain) exchange(rng *rand.Rand) bool {
	n := 1
	switch rng.Uint64() & 7 {
	case 0, 1:
		n = 2
	case 2:
		n = 3
	}
	n = min(n, len(h.free))
	var old, now [3]ginrummy.Card
	held := h.hand
	for k := range n {
		if now[k] = h.pick(rng); held.Has(now[k]) {
			return false
		}
		held = held.With(now[k])
	}
	from, ratio := len(h.acts), 1.0
	for k := range n {
		i := k + below(rng, len(h.free)-k)
		h.free[k], h.free[i] = h.free[i], h.free[k]
		one := &h.hidden[h.free[k]]
		old[k] = one.card
		ratio *= h.odds[old[k]] / h.odds[now[k]]
		from = min(from, one.slot)
		h.put(one.slot, one.card, now[k])
		one.card = now[k]
	}
	if h.try(from, ratio, rng) {
		return true
	}
	for k := range n {
		one := &h.hidden[h.free[k]]
		h.put(one.slot, one.card, old[k])
		one.card = old[k]
	}
	return false
}

// swap proposes to exchange the times at which two hidden cards came.
func (h *Chain) swap(rng *rand.Rand) bool {
	i, j := below(rng, len(h.hidden)), below(rng, len(h.hidden))
	a, b := &h.hidden[i], &h.hidden[j]
	if a.slot == b.slot || a.slot > b.last || b.slot > a.last {
		return false
	}
	h.put(a.slot, a.card, b.card)
	h.put(b.slot, b.card, a.card)
	a.slot, b.slot = b.slot, a.slot
	if h.try(min(a.slot, b.slot), 1, rng) {
		return true
	}
	a.slot, b.slot = b.slot, a.slot
	h.put(a.slot, b.card, a.card)
	h.put(b.slot, a.card, b.card)
	return false
}
