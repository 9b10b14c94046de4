package search

import "math/bits"

func highest(m uint32) uint32 { return 31 - uint32(bits.LeadingZeros32(m)) }
func lowest(m uint32) uint32  { return uint32(bits.TrailingZeros32(m)) & 31 }

// canBeat returns the cards of a hand that may be played to a trick of the suit led and beat the card best.
func canBeat(hand, led, best uint32) uint32 {
	if follow := hand & led; follow != 0 {
		return follow & statics.above[best&31]
	}
	return hand & trumpMask & statics.beats[best&31]
}

// aim determines the order in which the cards of the second, third and fourth player are tried. It assumes that the opponents still
// to play reply with their strongest card.
//
// If the partner is expected to win the trick whatever is played now (won), the cards with the most points come first. Otherwise the
// cards in sure come first, of trumps the lowest and of plain cards the one with the most points. Then the trick is expected to be
// lost, and the cards with the fewest points come first.
type aim struct {
	sure         uint32 // cards that win the trick
	won          bool   // the partner is expected to win the trick
	ours, theirs uint32 // cards with which the player's side, the other side certainly wins the trick (thin)
	melds        uint32 // cards that complete a meld in the trick
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

// lastAim is like aim for the fourth card, with which the winner of the trick is known.
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

// completes returns the cards that would complete a meld in the trick.
func (s *searcher) completes(played, cards uint32) uint32 {
	var out uint32
	for m := cards; m != 0; m &= m - 1 {
		if s.deal.trickMeld(played|m&-m) > 0 {
			out |= m & -m
		}
	}
	return out
}

// spoils returns the cards that the declarers try first while the defenders need melds. cards are those that can still be in a meld:
// once they are played, the defenders can make fewer melds. Cards that complete a meld in this trick are excluded.
func (s *searcher) spoils(played, cards uint32, seat uint8, st state) uint32 {
	if !useMeldCards || st.need() == 0 || seat&1 != s.deal.declarers || cards == 0 {
		return 0
	}
	return cards &^ s.completes(played, cards)
}

// prefer returns the cards of todo that are in first, or todo if there are none.
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

// dearest returns the card with the most points. Within a suit this is the strongest card. With useMastersBack it returns a plain ace or
// a high trump only if there is no other card.
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

// cheapest returns the card with the fewest points. Within a suit this is the weakest card.
func cheapest(m uint32) uint32 {
	c := lowest(m)
	for rest := m &^ suitMask(c); rest != 0; rest &^= suitMask(lowest(rest)) {
		if x := lowest(rest); statics.points[x] < statics.points[c] {
			c = x
		}
	}
	return c
}

// leadOrder is the order in which leads are tried: first the best lead of the table entry, then in descending order of leadScore.
type leadOrder struct {
	first  uint32 // a bit, or 0
	melds  uint32 // while the defenders need melds: the cards that can be in one, which either side leads early
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

// meldLead is added to the score of a lead that can be in a meld while the defenders need melds.
const meldLead = 15

// leadScore estimates the result of the trick if c is led, assuming that each player beats the cards before with the strongest card. a
// and b are the hands of the opponents, p is the partner's.
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

// certainLeads returns the leads that no opponent can beat, so that the leader's side certainly wins the trick. a and b are the hands of
// the opponents.
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
