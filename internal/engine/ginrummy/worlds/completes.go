package worlds

import "roem/internal/engine/ginrummy"

// Completes returns the probability that a card makes a meld with cards of the hand, among the hands without the card: the probability of
// the hands which have two other cards of its rank, or two cards of its suit that make a run of three with it. The card must not be in
// Certain. The result is exact: a sum over which of the at most seven cards that matter are in the hand, each with the sum over all sets
// of the other cards.
func (d *Distribution) Completes(c ginrummy.Card) float64 {
	around := near(c)
	certain, open := d.Certain&around, d.Unknown.Without(c)&around
	// sums[j] is the sum, over the sets of j of the unknown cards that do not matter, of the products of the odds.
	sums := [ginrummy.HandSize + 1]float64{1}
	rest := d.Unknown.Without(c) &^ around
	for other := range rest.All() {
		for j := d.Size; j >= 1; j-- {
			sums[j] += float64(d.Odds[other] * sums[j-1])
		}
	}
	all, complete := 0.0, 0.0
	// held goes over the subsets of open, the empty one last.
	for held := open; ; held = (held - 1) & open {
		if n := held.Len(); n <= d.Size {
			weight := sums[d.Size-n]
			for other := range held.All() {
				weight *= d.Odds[other]
			}
			all += weight
			if (certain | held).Completes(c) {
				complete += weight
			}
		}
		if held == 0 {
			break
		}
	}
	if all == 0 {
		return 0
	}
	return min(1, complete/all)
}

// near returns the cards that can be in a meld of three with c: cards of its rank, and cards of its suit at most two ranks away.
func near(c ginrummy.Card) ginrummy.Set {
	out := ginrummy.OfRank(c.Rank())
	for r := max(int(c.Rank())-2, 0); r <= min(int(c.Rank())+2, ginrummy.Ranks-1); r++ {
		out = out.With(ginrummy.Of(c.Suit(), ginrummy.Rank(r)))
	}
	return out.Without(c)
}
