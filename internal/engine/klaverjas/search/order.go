package search

import "math/bits"

func highest(m uint32) uint32 { return 31 - uint32(bits.LeadingZeros32(m)) }
func lowest(m uint32) uint32  { return uint32(bits.TrailingZeros32(m)) & 31 }

// canBeat returns the cards of a hand that could take a trick of the suit led from the card best.
func canBeat(hand, led, best uint32) uint32 {
	if follow := hand & led; follow != 0 {
		return follow & statics.above[best&31]
	}
	return hand & trumpMask & statics.beats[best&31]
}

// aim is what a player following to a trick should try first.
//
// Against the strongest reply of those still to play, the trick is either won by the partner whatever is played now
// (won: give points), or the cards that win it (sure) come first, the cheapest trump or the dearest plain card; a lost
// trick gets the fewest points.
type aim struct {
	sure         uint32
	won          bool
	ours, theirs uint32
	melds        uint32
}

func (s *searcher) aim(left uint32, seat uint8, third bool, legal uint32, tr trick) aim {
	d := &s.deal
	led, toBeat := tr.led(), tr.best()
	next := canBeat(d.hand[(seat+1)&3]&left, led, toBeat)
	if next != 0 {
		toBeat = highest(next)
	}
	if third {
		if (tr.winner()^seat)&1 == 0 {
			if next == 0 {
				return aim{won: true, ours: legal}
			}
			sure := legal & statics.beats[toBeat]
			return aim{sure: sure, ours: sure}
		}
		sure := legal & statics.beats[toBeat]
		return aim{sure: sure, ours: sure, theirs: legal &^ statics.beats[tr.best()]}
	}
	partner := d.hand[(seat+2)&3] & left
	won := canBeat(partner, led, toBeat) != 0
	sure := legal & statics.beats[toBeat]
	out := aim{won: won, sure: sure, ours: sure}
	if !won && (next == 0 || canBeat(partner, led, tr.best()) == 0) {
		out.theirs = legal &^ statics.beats[tr.best()]
	}
	return out
}

// lastAim is aim for the fourth card, when nothing is left to guess.
func (s *searcher) lastAim(played, legal, live uint32, seat uint8, tr trick) aim {
	out := aim{won: true, ours: legal}
	if (tr.winner()^seat)&1 != 0 {
		sure := legal & statics.beats[tr.best()]
		out = aim{sure: sure, ours: sure, theirs: legal &^ sure}
	}
	if live&played != 0 && useMeldsFirst {
		out.melds = s.completes(played, legal&live)
	}
	return out
}

// completes returns those of the cards that would complete a meld in a trick.
func (s *searcher) completes(played, cards uint32) uint32 {
	var out uint32
	for m := cards; m != 0; m &= m - 1 {
		if s.deal.trickMeld(played|m&-m) > 0 {
			out |= m & -m
		}
	}
	return out
}

// spoils returns those of some cards, each of which could still be in a meld, that the declarers should try first when the
// defenders need melds: without them there are fewer to be made. A card that completes a meld now is not one of them.
func (s *searcher) spoils(played, cards uint32, seat uint8, st state) uint32 {
	if !useMeldCards || st.need() == 0 || seat&1 != s.deal.declarers || cards == 0 {
		return 0
	}
	return cards &^ s.completes(played, cards)
}

// prefer returns the cards of todo that are among those to try first, or all if none is.
func prefer(first, todo uint32) uint32 {
	if m := first & todo; m != 0 {
		return m
	}
	return todo
}

// pick returns the next card to try.
func (a aim) pick(todo uint32) uint32 {
	if !useFollowOrder {
		return lowest(todo)
	}
	if a.won {
		if m := todo & a.melds; m != 0 {
			return dearest(m)
		}
		return dearest(todo)
	}
	if m := todo & a.sure; m != 0 {
		if n := m & a.melds; n != 0 {
			m = n
		}
		if m&trumpMask != 0 {
			return lowest(m)
		}
		return dearest(m)
	}
	if m := todo &^ a.melds; m != 0 {
		return cheapest(m)
	}
	return cheapest(todo)
}

const plainAces = 0x808080e0

// dearest returns the card with the most points. Within a suit that is the strongest.
func dearest(m uint32) uint32 {
	if n := m &^ plainAces; n != 0 && useMastersBack {
		m = n
	}
	if m&^0xe0 == 0 {
		return lowest(m)
	}
	c := highest(m)
	for rest := m &^ suitMask(c); rest != 0; rest &^= suitMask(highest(rest)) {
		if x := highest(rest); statics.points[x] > statics.points[c] {
			c = x
		}
	}
	return c
}

// cheapest returns the card with the fewest points. Within a suit that is the weakest.
func cheapest(m uint32) uint32 {
	c := lowest(m)
	for rest := m &^ suitMask(c); rest != 0; rest &^= suitMask(lowest(rest)) {
		if x := lowest(rest); statics.points[x] < statics.points[c] {
			c = x
		}
	}
	return c
}

// leadOrder hands out leads, the best first: the one that the table knows, then by leadScore.
type leadOrder struct {
	first  uint32 // a bit, or 0
	melds  uint32 // cards that can be in melds, while the defenders need some: these are led early, by either side
	scored bool
	score  [32]int8
}

func newLeadOrder(first, live uint32, st state) leadOrder {
	o := leadOrder{first: first}
	if useMeldCards && st.need() > 0 {
		o.melds = live
	}
	return o
}

func (s *searcher) nextLead(o *leadOrder, todo, left uint32, leader uint8) uint32 {
	if m := o.first & todo; m != 0 {
		return lowest(m)
	}
	if todo&(todo-1) == 0 || !useLeadOrder {
		return lowest(todo)
	}
	if !o.scored {
		o.scored = true
		d := &s.deal
		a, p, b := d.hand[(leader+1)&3]&left, d.hand[(leader+2)&3]&left, d.hand[(leader+3)&3]&left
		for m := todo; m != 0; m &= m - 1 {
			c := lowest(m)
			o.score[c] = leadScore(c, a, p, b) + meldLead*int8(o.melds>>c&1)
		}
	}
	c := lowest(todo)
	for m := todo & (todo - 1); m != 0; m &= m - 1 {
		if x := lowest(m); o.score[x] > o.score[c] {
			c = x
		}
	}
	return c
}

// meldLead is what a card that can be in a meld counts more as a lead while the defenders need melds.
const meldLead = 15

// leadScore guesses what leading c brings the leader's side in this trick: its points if the side takes the trick when
// everyone beats what he can.
func leadScore(c, a, p, b uint32) int8 {
	led := suitMask(c)
	best := c
	ours := true
	if x := canBeat(a, led, best); x != 0 {
		best, ours = highest(x), false
	}
	if x := canBeat(p, led, best); x != 0 {
		best, ours = highest(x), true
	}
	if canBeat(b, led, best) != 0 {
		ours = false
	}
	points := int8(statics.points[c])
	if ours {
		if c < 8 && usePlainFirst {
			return 10 + int8(c)
		}
		return 20 + points/2
	}
	if c < 8 {
		return -40 - points
	}
	return int8(popcount(p&led)) - 2*points
}

// certainLeads returns the leads that no opponent can take, whatever is played: the trick goes to the leader's side.
func certainLeads(hand, a, b uint32) uint32 {
	trumps := hand & trumpMask
	if o := (a | b) & trumpMask; o != 0 {
		trumps &= statics.above[highest(o)]
	}
	certain := trumps
	for suit := uint32(8); suit < 32; suit += 8 {
		mask := uint32(0xff) << suit
		mine := hand & mask
		if mine == 0 || a&mask == 0 && a&trumpMask != 0 || b&mask == 0 && b&trumpMask != 0 {
			continue
		}
		if o := (a | b) & mask; o != 0 {
			mine &= statics.above[highest(o)]
		}
		certain |= mine
	}
	return certain
}
