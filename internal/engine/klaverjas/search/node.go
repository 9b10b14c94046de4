package search

import (
	"math/bits"

	"roem/internal/engine/klaverjas"
)

// state holds what the value of a position between two tricks depends on, apart from the cards left and the leader.
//
//	bit 0, 1  side 0, side 1 has won every trick so far, and the rules pay it for a pit
//	bit 2     the declarers' side, if any other bit is set; otherwise 0
//	bit 3..   meld points that the defenders still need, in tens (only in the search for the melds at a nat)
//
// If the state is 0, the value does not depend on which team declares.
type state uint32

const (
	pitMask   = 3
	sideShift = 2
	needShift = 3
)

// newState returns the state with the given pits possible and melds needed, in tens.
func newState(pits state, need int32, declarers uint8) state {
	if st := pits | state(need)<<needShift; st != 0 {
		return st | state(declarers)<<sideShift
	}
	return 0
}

func (st state) need() int32 { return int32(st >> needShift) }

// trick describes the trick on the table, apart from the set of its cards. It is packed into one word, to be passed in a register:
//
//	bit 31..24 suit led (the shift of its byte)  17..16 winning seat  12..8 winning card  7..0 points
type trick uint32

func (tr trick) points() int32  { return int32(tr & 0xff) }
func (tr trick) best() uint32   { return uint32(tr >> 8 & 31) }
func (tr trick) winner() uint8  { return uint8(tr >> 16 & 3) }
func (tr trick) led() uint32    { return trumpMask << (tr >> 24 & 24) }
func (tr trick) ledTrump() bool { return tr>>24 == 0 }

// newTrick returns the trick after its lead.
func newTrick(c uint32, seat uint8) trick {
	return trick(uint32(statics.points[c&31]) | c<<8 | uint32(seat)<<16 | c&24<<24)
}

// play returns the trick after one more card.
func (tr trick) play(c uint32, seat uint8) trick {
	next := tr + trick(statics.points[c&31])
	if beats(tr.best(), c) {
		next = next&^(31<<8|3<<16) | trick(c<<8|uint32(seat)<<16)
	}
	return next
}

// beats reports whether c beats best, the card that is winning the trick.
func beats(best, c uint32) bool { return statics.beats[best&31]>>c&1 != 0 }

// lead returns the value of a position between two tricks from the side of the leader: the points that the leader's side still makes,
// minus the points of the other side, under best play. It is a fail-soft alpha-beta search: a result between alpha and beta is exact, a
// result of at most alpha is an upper bound, and a result of at least beta is a lower bound. The driver mostly calls it with beta =
// alpha+1, which tests whether the value is at least beta.
func (s *searcher) lead(left uint32, leader uint8, st state, alpha, beta int32) int32 {
	s.nodes++
	if s.nodes >= s.checkAt && s.cancelled() || s.stop {
		return 0
	}
	d := &s.deal
	sum := pointsLeft(left) + lastTrick
	tricks := popcount(left) / 4
	if tricks == 1 {
		return s.lastTrick(left, leader, st, sum)
	}
	if useCounting {
		if v, ok := s.bound(left, leader, st, sum, alpha, beta); ok {
			return v
		}
	}

	hash := d.hash(left, leader, st)
	about := s.table.about(hash, leader, st)
	k := s.lookUp(hash, about, left, st, alpha, beta)
	if k.decided {
		return k.value
	}

	hand := d.hand[leader] & left
	live := d.liveCards(left)
	best := int32(-infinity)
	bestCard := uint32(0)
	order := newLeadOrder(k.lead, live, st)
	certain := uint32(0)
	if useThinLead {
		certain = certainLeads(hand, d.hand[(leader+1)&3]&left, d.hand[(leader+3)&3]&left)
	}
	for todo := thin(hand, left&^hand, live, certain, 0); todo != 0; {
		c := s.nextLead(&order, todo, left, leader)
		todo &^= 1 << c
		v := -s.follow(left&^(1<<c), 1<<c, newTrick(c, leader), (leader+1)&3, live, st, -beta, -max(alpha, best))
		if s.stop {
			s.notePartial(left, hand, todo, leader)
			return 0
		}
		if v > best {
			best, bestCard = v, c
			if v >= beta {
				break
			}
		}
		if todo != 0 {
			todo, best = s.prune(c, v, alpha, best, left, hand, todo, live, st)
		}
	}
	s.store(hash, about, left, best, alpha, beta, d.place[bestCard], tricks)
	return best
}

// bound bounds the value of a position by counting the points left. ok reports whether the bound is sufficient for lead to return it.
func (s *searcher) bound(left uint32, leader uint8, st state, sum, alpha, beta int32) (v int32, ok bool) {
	d := &s.deal
	// most: the most points that the leader's side [0] and the other side [1] can still make.
	side := leader & 1
	both := d.meldsLeft(left)
	melds := [2]int32{both.ours(side), both.theirs(side)}
	most := [2]int32{sum + melds[0], sum + melds[1]}
	if st != 0 {
		most[0] += d.pitLeft(st, side)
		most[1] += d.pitLeft(st, side^1)
		if need := st.need(); need > 0 {
			if need*10 > d.natMeldsLeft(left)+d.pitLeft(st, d.declarers^1) { // the defenders can no longer make the melds
				return infinity * d.sign(side), true
			}
		}
	}
	// Trumps higher than every trump of the other side are always won by the side that holds them.
	if trumps := left & trumpMask; trumps != 0 && useTopTrumps {
		loser := 1
		ours := trumps & (d.hand[leader] | d.hand[(leader+2)&3])
		theirs := trumps &^ ours
		if ours < theirs {
			ours, theirs = theirs, ours
			loser = 0
		}
		top := ours
		if theirs != 0 {
			top &= statics.above[highest(theirs)]
		}
		most[loser] = sum + melds[loser] - 2*int32(statics.sum[0][uint8(top)])
	}
	// While the defenders need melds, the declarers may gain more than the points, so only lower bounds for them are valid.
	needs := st.need() > 0
	if v = most[0]; v <= alpha && (!needs || side != d.declarers) {
		return v, true
	}
	if needs && side != d.declarers {
		return 0, false
	}
	if v = -most[1]; v >= beta {
		return v, true
	}
	return 0, false
}

// prune removes cards from todo that cannot raise the best result, because they are similar to c, whose value is at most v. It returns
// the cards left to try, and best, which includes the bounds on the removed cards.
//
// Take two cards of one hand with no card of another hand between them in strength. If they are exchanged in a line of play, the line
// stays legal and every trick keeps its winner. The difference at the end changes by at most twice the difference of their points, and
// by the melds that either card can be part of (quasi-symmetry: Kupferschmid and Helmert).
func (s *searcher) prune(c uint32, v, alpha, best int32, present, hand, todo, live uint32, st state) (uint32, int32) {
	d := &s.deal
	if !useQuasiSymmetry {
		return todo, best
	}
	alpha = max(alpha, best)
	suit := suitMask(c)
	others := present &^ hand & suit
	above := statics.above[c]
	low := uint32(1)<<c - 1
	// The block of c: the cards between the next lower and the next higher card of another hand.
	block := suit
	if o := others & above; o != 0 {
		block &= o&-o - 1
	}
	if o := others & low; o != 0 {
		block &^= 2<<(31-uint32(bits.LeadingZeros32(o))) - 1
	}
	for m := todo & block; m != 0; m &= m - 1 {
		b := uint32(bits.TrailingZeros32(m))
		diff := statics.points[c] - statics.points[b]
		if diff < 0 {
			diff = -diff
		}
		slack := 2 * diff
		if live&(1<<b|1<<c) != 0 {
			if st.need() > 0 {
				continue
			}
			slack += 2 * max(d.cardMeld[b], d.cardMeld[c])
		}
		if v+slack <= alpha {
			todo &^= 1 << b
			best = max(best, v+slack)
		}
	}
	return todo, best
}

// follow is like lead for the second and third card of a trick. Values are from the side of the seat to play. played holds the cards
// on the table.
func (s *searcher) follow(left, played uint32, tr trick, seat uint8, live uint32, st state, alpha, beta int32) int32 {
	s.nodes++
	d := &s.deal
	third := played&(played-1) != 0
	hand := d.hand[seat] & left
	todo := s.legal(hand, seat, tr)
	next := (seat + 1) & 3
	if todo&(todo-1) == 0 {
		c := lowest(todo)
		return -s.step(third, left&^todo, played|todo, tr.play(c, seat), next, live, st, -beta, -alpha)
	}
	aim := s.aim(left, seat, third, todo, tr)
	if useThinFollow {
		todo = thin(todo, (left|played)&^hand, live, aim.ours, aim.theirs)
	}
	early := s.spoils(played, todo&live, seat, st)
	best := int32(-infinity)
	for {
		c := aim.pick(prefer(early, todo))
		card := uint32(1) << c
		todo &^= card
		v := -s.step(third, left&^card, played|card, tr.play(c, seat), next, live, st, -beta, -max(alpha, best))
		if s.stop {
			s.notePartial(left, s.legal(hand, seat, tr), todo, seat)
			return 0
		}
		if v > best {
			best = v
			if v >= beta {
				return best
			}
		}
		if todo == 0 {
			return best
		}
		todo, best = s.prune(c, v, alpha, best, left|played, hand, todo, live, st)
		if todo == 0 {
			return best
		}
	}
}

// step searches the next card of a trick. third reports whether the card played last was the third of the trick.
func (s *searcher) step(third bool, left, played uint32, tr trick, seat uint8, live uint32, st state, alpha, beta int32) int32 {
	if third {
		return s.last(left, played, tr, seat, live, st, alpha, beta)
	}
	return s.follow(left, played, tr, seat, live, st, alpha, beta)
}

// last is like follow for the fourth card.
func (s *searcher) last(left, played uint32, tr trick, seat uint8, live uint32, st state, alpha, beta int32) int32 {
	s.nodes++
	d := &s.deal
	hand := d.hand[seat] & left
	todo := s.legal(hand, seat, tr)
	if todo&(todo-1) == 0 {
		return s.endTrick(left&^todo, played|todo, tr.play(lowest(todo), seat), seat, st, alpha, beta)
	}
	aim := s.lastAim(played, todo, live, seat, tr)
	if useThinLast {
		todo = thin(todo, (left|played)&^hand, live, aim.ours, aim.theirs)
	}
	early := s.spoils(played, todo&live, seat, st)
	best := int32(-infinity)
	for {
		c := aim.pick(prefer(early, todo))
		card := uint32(1) << c
		todo &^= card
		v := s.endTrick(left&^card, played|card, tr.play(c, seat), seat, st, max(alpha, best), beta)
		if s.stop {
			s.notePartial(left, s.legal(hand, seat, tr), todo, seat)
			return 0
		}
		if v > best {
			best = v
			if v >= beta {
				return best
			}
		}
		if todo == 0 {
			return best
		}
		todo, best = s.prune(c, v, alpha, best, left|played, hand, todo, live, st)
		if todo == 0 {
			return best
		}
	}
}

// endTrick scores a full trick and searches the next. Values are from the side of the seat that played last.
func (s *searcher) endTrick(left, played uint32, tr trick, seat uint8, st state, alpha, beta int32) int32 {
	d := &s.deal
	melds := d.trickMeld(played)
	winner := tr.winner()
	if left == 0 { // the search began in the middle of the last trick
		return s.finish(tr.points()+lastTrick, melds, winner, seat, st)
	}
	gain := tr.points() + melds
	if st != 0 {
		need := st.need()
		if need > 0 && melds > 0 && (d.natAll || winner&1 != d.declarers) {
			need = max(need-melds/10, 0)
		}
		st = newState(st&pitMask&^(2>>(winner&1)), need, d.declarers) // the other side can no longer make a pit
	}
	if (winner^seat)&1 == 0 {
		return gain + s.lead(left, winner, st, alpha-gain, beta-gain)
	}
	return -gain - s.lead(left, winner, st, -beta-gain, -alpha-gain)
}

// lastTrick returns the exact value of the last trick from the side of the leader. Every player has one card left. sum is the points.
func (s *searcher) lastTrick(left uint32, leader uint8, st state, sum int32) int32 {
	d := &s.deal
	tr := newTrick(lowest(d.hand[leader]&left), leader)
	for seat := (leader + 1) & 3; seat != leader; seat = (seat + 1) & 3 {
		tr = tr.play(lowest(d.hand[seat]&left), seat)
	}
	winner := tr.winner()
	return s.finish(sum, d.trickMeld(left), winner, leader, st)
}

// finish returns the exact value of the last trick from the side of seat. points includes the ten points for the last trick.
func (s *searcher) finish(points, melds int32, winner, seat uint8, st state) int32 {
	d := &s.deal
	side := winner & 1
	pit := d.pitLeft(st, side)
	if need := st.need(); need > 0 {
		if d.natAll || side != d.declarers {
			need -= melds / 10
		}
		if side != d.declarers {
			need -= pit / 10
		}
		if need > 0 { // the defenders have not made the melds: the declarers win everything
			return infinity * d.sign(seat)
		}
	}
	if (winner^seat)&1 == 0 {
		return points + melds + pit
	}
	return -(points + melds + pit)
}

// legal returns the cards that may be played to a trick (docs/reference/rules/klaverjas.md, Play).
func (s *searcher) legal(hand uint32, seat uint8, tr trick) uint32 {
	follow := hand & tr.led()
	if follow != 0 {
		if tr.ledTrump() {
			if over := follow & statics.above[tr.best()]; over != 0 {
				return over
			}
		}
		return follow
	}
	ruffs := hand & trumpMask
	if ruffs == 0 || ruffs == hand && ruffs&(ruffs-1) == 0 {
		return hand
	}
	d := &s.deal
	over := ruffs & statics.beats[tr.best()]
	if d.partnerFrees && (tr.winner()^seat)&1 == 0 {
		if d.underRuff == klaverjas.Forbidden {
			if others := hand &^ (ruffs &^ over); others != 0 {
				return others
			}
		}
		return hand
	}
	if over != 0 {
		return over
	}
	switch d.underRuff {
	case klaverjas.Forbidden:
		if others := hand &^ ruffs; others != 0 {
			return others
		}
	case klaverjas.Free:
		return hand
	}
	return ruffs
}

// thin removes cards from todo that are dominated by another card of the same hand. With a card in ours the player's side certainly wins
// the trick, and with a card in theirs the other side certainly wins it.
//
// Take two cards with no card of another hand between them in strength. Whichever of them is played now, the other can replace it later,
// and every trick keeps its winner. If the player's side wins this trick, the card with more points is at least as good; if the other
// side wins it, the card with fewer points is. This holds if neither card can be in a meld.
func thin(todo, others, live, ours, theirs uint32) uint32 {
	m := todo &^ live & (ours | theirs)
	if m == 0 {
		return todo
	}
	low := lowest(m)
	for m &= m - 1; m != 0; m &= m - 1 {
		c := lowest(m)
		if (low^c)&24 != 0 || others&(1<<c-2<<low) != 0 {
			low = c
			continue
		}
		if ours>>c&1 != 0 {
			todo &^= 1 << low
			low = c
		} else {
			todo &^= 1 << c
		}
	}
	return todo
}
