package ginrummy

import "math/bits"

// MeldCount is the number of melds: 264 runs of 3 to 13 cards and 65 sets of 3 or 4 cards.
const MeldCount = 329

// melds are all melds in ascending order as sets.
var melds = func() []Set {
	var all []Set
	for s := range Set(DeckSize) {
		c := Card(s)
		for n := 3; n <= Ranks-int(c.Rank()); n++ {
			all = append(all, (1<<n-1)<<c)
		}
	}
	for r := range Rank(Ranks) {
		four := OfRank(r)
		for c := range four.All() {
			all = append(all, four.Without(c))
		}
		all = append(all, four)
	}
	return all
}()

// Melds returns all melds, first the runs and then the sets.
func Melds() []Set { return append([]Set(nil), melds...) }

// IsMeld reports whether the cards are a meld: a run of three or more of a suit, or three or four of a rank.
func (s Set) IsMeld() bool {
	n := s.Len()
	if n < 3 || !Deck.Contains(s) {
		return false
	}
	first := s.First()
	if ranks := s.InSuit(first.Suit()); bits.OnesCount16(ranks) == n {
		return uint16(1<<n-1)<<first.Rank() == ranks
	}
	return OfRank(first.Rank()).Contains(s)
}

// Melds returns the melds that the hand contains, in the order of [Melds].
func (s Set) Melds() []Set {
	var in []Set
	for _, m := range melds {
		if s.Contains(m) {
			in = append(in, m)
		}
	}
	return in
}

// Completes reports whether c and cards of the hand are a meld. It does not matter whether the hand has c.
func (s Set) Completes(c Card) bool {
	if (s & OfRank(c.Rank())).Without(c).Len() >= 2 {
		return true
	}
	ranks := uint32(s.InSuit(c.Suit())|1<<c.Rank()) << 2
	around := ranks >> c.Rank() // bits 0 to 4: the ranks from two below c to two above it
	return around&0b00111 == 0b00111 || around&0b01110 == 0b01110 || around&0b11100 == 0b11100
}

// Of each set of ranks of one suit: the sum of the deadwood points, and the most points that disjoint runs take out of it.
var (
	pointsOf = func() (points [1 << Ranks]uint8) {
		for ranks := 1; ranks < len(points); ranks++ {
			low := bits.TrailingZeros(uint(ranks))
			points[ranks] = points[ranks&(ranks-1)] + uint8(Rank(low).Points())
		}
		return points
	}()
	runsOf = func() (best [1 << Ranks]uint8) {
		for ranks := 1; ranks < len(best); ranks++ {
			low := bits.TrailingZeros(uint(ranks))
			best[ranks] = best[ranks&(ranks-1)] // the lowest card stays outside
			for run := 0b111 << low; run < len(best) && ranks&run == run; run |= run << 1 {
				best[ranks] = max(best[ranks], best[ranks&^run]+pointsOf[run])
			}
		}
		return best
	}()
)

// suited is a hand by suits.
type suited [4]uint16

// melded returns the most points that disjoint melds take out of the hand. ranks are the ranks for which the hand still decides on a set.
func (h *suited) melded(ranks uint16) int {
	if ranks == 0 {
		return int(runsOf[h[0]]) + int(runsOf[h[1]]) + int(runsOf[h[2]]) + int(runsOf[h[3]])
	}
	bit, rest := ranks&-ranks, ranks&(ranks-1)
	best := h.melded(rest)
	points := Rank(bits.TrailingZeros16(bit)).Points()
	without := suited{h[0] &^ bit, h[1] &^ bit, h[2] &^ bit, h[3] &^ bit}
	held := 0
	for u := range h {
		if h[u]&bit != 0 {
			held++
		}
	}
	best = max(best, held*points+without.melded(rest))
	if held == 4 {
		for u := range h { // a set of the three others
			without[u] |= bit
			best = max(best, 3*points+without.melded(rest))
			without[u] &^= bit
		}
	}
	return best
}

// Deadwood returns the deadwood points of the hand in its best arrangement: the least sum of the points of its cards outside disjoint
// melds.
func (s Set) Deadwood() int {
	h := suited{s.InSuit(0), s.InSuit(1), s.InSuit(2), s.InSuit(3)}
	three := h[0]&h[1]&(h[2]|h[3]) | h[2]&h[3]&(h[0]|h[1])
	return s.Points() - h.melded(three)
}

// AfterDiscard returns the least deadwood of the hand without one of its cards, and the cards whose discard leaves it.
func (s Set) AfterDiscard() (deadwood int, cards Set) { return s.AfterDiscardOf(s) }

// AfterDiscardOf is like AfterDiscard, with a choice of the given cards only. The choice must not be empty.
func (s Set) AfterDiscardOf(choice Set) (deadwood int, cards Set) {
	deadwood = 1 << 30
	for c := range (s & choice).All() {
		switch d := s.Without(c).Deadwood(); {
		case d < deadwood:
			deadwood, cards = d, SetOf(c)
		case d == deadwood:
			cards = cards.With(c)
		}
	}
	return deadwood, cards
}
