package search

import (
	"math/bits"

	"roem/internal/cards"
	"roem/internal/engine/klaverjas"
)

// The search has its own numbering, in which what it asks most often is a bit operation.
//
// Seats and sides are numbered as in package cards: side = seat&1. Cards: trump is suit 0, and within each suit cards stand in
// order of strength, so "higher than" is "to the left of" in that suit's byte:
//
//	bit   31...24  23...16  15....8  7.....0
//	      plain 3  plain 2  plain 1  trump
//	      A 10 K Q J 9 8 7           J 9 A 10 K Q 8 7   in each byte, the lowest in the lowest bit
const (
	trumpMask = 0xff
	infinity  = 20000 // above every value; values of at least half of it mean "whatever happens"
)

// suitOf returns the byte that the card stands in.
func suitMask(c uint32) uint32 { return trumpMask << (c & 24) }

// static holds what never changes: the same for every deal.
type static struct {
	above   [32]uint32     // the cards of its suit that are stronger
	beats   [32]uint32     // the cards that take a trick from it: those, and trumps if it is none
	points  [32]int32      // trick points of a card
	sum     [2][256]uint8  // points of a set of cards of one suit: [0] trump, [1] plain
	each    [2][256]uint64 // points of the cards of such a set, one to a byte, the lowest card in the lowest byte
	natural [2][256]uint8  // a suit's byte by strength -> by natural order
	byForce [2][256]uint8  // and back
	face    [2][8]uint8    // strength -> natural order
	force   [2][8]uint8    // natural order -> strength
}

// statics is computed once; it is never written again.
var statics = newStatic()

func newStatic() (s static) {
	const trump = cards.Clubs
	for kind, suit := range [2]cards.Suit{cards.Clubs, cards.Diamonds} {
		for _, f := range cards.Faces() {
			c := cards.Of(suit, f)
			force := klaverjas.Strength(c, trump)
			s.force[kind][f] = uint8(force)
			s.face[kind][force] = uint8(f)
			for b := range 4 {
				if (b == 0) == (kind == 0) {
					s.points[8*b+force] = int32(klaverjas.Points(c, trump))
				}
			}
		}
		for m := range 256 {
			n := 0
			for i := range 8 {
				if m>>i&1 != 0 {
					s.each[kind][m] |= uint64(s.points[8*kind+i]) << (8 * n)
					n++
					s.natural[kind][m] |= 1 << s.face[kind][i]
					s.byForce[kind][m] |= 1 << s.force[kind][i]
					s.sum[kind][m] += uint8(s.points[8*kind+i])
				}
			}
		}
	}
	for c := range uint32(32) {
		s.above[c] = suitMask(c) &^ (2<<c - 1)
		s.beats[c] = s.above[c]
		if c >= 8 {
			s.beats[c] |= trumpMask
		}
	}
	return s
}

func kindOf(suit int) int { return min(suit, 1) }

// deal holds what is fixed while one deal is searched under one rule set: who holds what, and tables by suit that turn
// questions about melds and equivalent cards into one look-up a suit. Their index is a suit's byte of cards left.
type deal struct {
	rules klaverjas.Rules
	root  klaverjas.Deal
	suits [4]cards.Suit // search suit -> suit
	hand  [4]uint32     // as dealt
	list  [4][8]uint8   // the cards of a hand as dealt
	place [32]uint8     // a card's place in that list

	meld     [2][256]uint8  // points of the melds in a trick's cards of one suit: [0] trump, [1] plain
	meldMax  [4][256]sides  // the most meld points that the sides can still make in a suit
	live     [4][256]uint8  // those of a suit's cards left that can still be in a meld
	pattern  [4][256]uint32 // who holds a suit's cards left, in order of strength
	cardMeld [32]int32      // the most meld points of one trick that the card may be part of

	quads     [8]quad // the fours of a kind that four different hands hold
	numQuads  int
	quadCards uint32 // their cards

	natAll       bool
	declarers    uint8    // their side
	pitBonus     [2]int32 // by side
	underRuff    klaverjas.UnderRuff
	partnerFrees bool // amsterdam: no duty to ruff while the partner is winning
}

// quad is a four of a kind that this deal allows.
type quad struct {
	cards uint32
	value int32
	side  int // who scores it
}

// card translates a card of the deck into the search's numbering.
func (d *deal) card(c cards.Card) uint32 {
	for i, s := range d.suits {
		if s == c.Suit() {
			return uint32(8*i) + uint32(statics.force[kindOf(i)][c.Face()])
		}
	}
	return 0
}

// cardBack translates a card of the search's numbering into the deck's.
func (d *deal) cardBack(c uint32) cards.Card {
	i := c >> 3 & 3
	return cards.Of(d.suits[i], cards.Face(statics.face[kindOf(int(i))][c&7]))
}

func (d *deal) set(s cards.Set) uint32 {
	var out uint32
	for i, suit := range d.suits {
		out |= uint32(statics.byForce[kindOf(i)][s.Faces(suit)]) << (8 * i)
	}
	return out
}

// run is a meld within one suit that this deal allows: cards by natural order, what it is worth, and which sides can
// win a trick that holds it.
type run struct {
	faces uint8
	value uint8
	side  [2]bool
}

// prepare sets the tables up for a deal.
func (d *deal) prepare(p klaverjas.Position) {
	root, rules := p.Deal(), p.Rules()
	sameRules := d.rules == rules // the zero value is no rule set
	d.root, d.rules = root, rules
	d.suits[0] = root.Trump
	n := 1
	for _, s := range cards.Suits() {
		if s != root.Trump {
			d.suits[n] = s
			n++
		}
	}
	for seat := range 4 {
		d.hand[seat] = d.set(root.Hands[seat])
		i := 0
		for h := d.hand[seat]; h != 0; h &= h - 1 {
			c := bits.TrailingZeros32(h)
			d.list[seat][i] = uint8(c)
			d.place[c] = uint8(i)
			i++
		}
	}
	d.natAll = rules.NatMelds == klaverjas.NatAll
	d.underRuff = rules.UnderRuff
	d.partnerFrees = rules.System == klaverjas.Amsterdam
	d.prepareMelds(rules, sameRules)
	d.declare(root)
}

// same reports whether the tables are those of the position's deal. They do not depend on who leads or declares.
func (d *deal) same(p klaverjas.Position) bool {
	root := p.Deal()
	return d.root.Trump == root.Trump && d.root.Hands == root.Hands && d.rules == p.Rules()
}

// declare sets what depends on who declares.
func (d *deal) declare(root klaverjas.Deal) {
	d.root = root
	d.declarers = uint8(root.Declarer)
	d.pitBonus[d.declarers&1] = int32(d.rules.Pit.Declarers)
	d.pitBonus[d.declarers&1^1] = int32(d.rules.Pit.Defenders)
}

// sign is 1 for the declarers' seats and -1 for the defenders'.
func (d *deal) sign(seat uint8) int32 { return 1 - 2*int32((seat^d.declarers)&1) }

func (d *deal) prepareMelds(rules klaverjas.Rules, sameRules bool) {
	for kind := 0; kind < 2 && !sameRules; kind++ {
		suit := cards.Clubs
		trump := cards.Suit(kind) // kind 0: clubs are trump
		for m := range 256 {
			faces := statics.natural[kind][m]
			d.meld[kind][m] = 0
			if bits.OnesCount8(faces) <= 4 {
				d.meld[kind][m] = uint8(rules.Meld(cards.Set(faces)<<(8*suit), trump))
			}
		}
	}
	d.cardMeld = [32]int32{}
	d.numQuads, d.quadCards = 0, 0
	if rules.Melds {
		for _, f := range cards.Faces() {
			d.addQuad(f, rules.FourOfAKind[f])
		}
	}
	for suit := range 4 {
		d.prepareSuit(suit)
	}
}

func (d *deal) addQuad(f cards.Face, value int) {
	if value == 0 {
		return
	}
	var q uint32
	for suit := range 4 {
		q |= 1 << (8*suit + int(statics.force[kindOf(suit)][f]))
	}
	for _, h := range d.hand {
		if h&q == 0 {
			return // two of the four are in one hand
		}
	}
	if bits.OnesCount32(q&(d.hand[0]|d.hand[1]|d.hand[2]|d.hand[3])) != 4 {
		return
	}
	// One of the four is a trump: its player wins the trick.
	side := 1
	if q&trumpMask&(d.hand[0]|d.hand[2]) != 0 {
		side = 0
	}
	d.quads[d.numQuads] = quad{q, int32(value), side}
	d.numQuads++
	d.quadCards |= q
	for m := q; m != 0; m &= m - 1 {
		c := bits.TrailingZeros32(m)
		d.cardMeld[c] = max(d.cardMeld[c], int32(value))
	}
}

// prepareSuit fills the tables of one suit. A meld is live while all its cards are left and as many different hands as
// it has cards hold them: a trick takes one card of each hand.
func (d *deal) prepareSuit(suit int) {
	kind := kindOf(suit)
	owner := [8]int8{-1, -1, -1, -1, -1, -1, -1, -1} // by natural order
	for seat, h := range d.hand {
		for m := statics.natural[kind][uint8(h>>(8*suit))]; m != 0; m &= m - 1 {
			owner[bits.TrailingZeros8(m)] = int8(seat)
		}
	}
	var runs [16]run
	numRuns := 0
	add := func(faces uint8) {
		if value := d.meld[kind][statics.byForce[kind][faces]]; value != 0 {
			side, ok := d.winners(suit, faces, &owner)
			if !useMeldWinners {
				side = [2]bool{true, true}
			}
			if !useMeldHolders {
				side, ok = [2]bool{true, true}, true
			}
			if ok {
				runs[numRuns] = run{faces, value, side}
				numRuns++
			}
		}
	}
	for low := range 6 {
		add(uint8(7 << low))
	}
	for low := range 5 {
		add(uint8(15 << low))
	}
	if kind == 0 {
		add(1<<cards.Queen | 1<<cards.King)
	}
	live := &d.live[suit]
	*live = [256]uint8{}
	for _, r := range runs[:numRuns] {
		force := statics.byForce[kind][r.faces]
		for set := range supersets(force) {
			live[set] |= force
		}
		for m := force; m != 0; m &= m - 1 {
			c := 8*suit + bits.TrailingZeros8(m)
			d.cardMeld[c] = max(d.cardMeld[c], int32(r.value))
		}
	}
	d.meldMax[suit] = [256]sides{}
	for side := range 2 {
		d.prepareMeldMax(suit, side, runs[:numRuns], 0, 0)
	}
	d.preparePattern(suit)
}

// supersets yields every set of a suit's cards that holds the given ones.
func supersets(of uint8) func(yield func(uint8) bool) {
	return func(yield func(uint8) bool) {
		for rest := ^of; yield(rest|of) && rest != 0; {
			rest = (rest - 1) &^ of
		}
	}
}

// prepareMeldMax fills the table of the most points that a side can make with runs of a suit. Each card is played once:
// it goes through every choice of runs that share no card (at most three: eight cards hold no more).
func (d *deal) prepareMeldMax(suit, side int, runs []run, used uint8, sum int32) {
	table := &d.meldMax[suit]
	for i, r := range runs {
		force := statics.byForce[kindOf(suit)][r.faces]
		if !r.side[side] || used&force != 0 {
			continue
		}
		with := sum + int32(r.value)
		for set := range supersets(used | force) {
			if table[set].of(side) < with {
				table[set] += only(side, with-table[set].of(side))
			}
		}
		d.prepareMeldMax(suit, side, runs[i+1:], used|force, with)
	}
}

// winners says whether different hands hold the cards of a run, and which sides can win a trick with it. The strongest of
// its cards wins, unless a hand outside the run has better: any card in a trick of another suit, a ruff, or, if the run
// is of trumps, a higher trump.
func (d *deal) winners(suit int, faces uint8, owner *[8]int8) (side [2]bool, ok bool) {
	kind := kindOf(suit)
	var holders, strongest int
	top := -1
	for m := faces; m != 0; m &= m - 1 {
		f := bits.TrailingZeros8(m)
		o := int(owner[f])
		if o < 0 || holders>>o&1 != 0 {
			return side, false
		}
		holders |= 1 << o
		if force := int(statics.force[kind][f]); force > top {
			top, strongest = force, o
		}
	}
	side[strongest&1] = true
	for seat, h := range d.hand {
		if holders>>seat&1 == 0 && (suit != 0 || h&statics.above[top]&trumpMask != 0) {
			side[seat&1] = true
		}
	}
	return side, true
}

// preparePattern fills the table of patterns of one suit: a one that marks the length, then the holders of the cards
// left from the highest down, two bits each, then a bit for each card that says whether it can be in a meld.
func (d *deal) preparePattern(suit int) {
	var owner [8]uint32
	for seat, h := range d.hand {
		for m := uint8(h >> (8 * suit)); m != 0; m &= m - 1 {
			owner[bits.TrailingZeros8(m)] = uint32(seat)
		}
	}
	pattern, live := &d.pattern[suit], &d.live[suit]
	var holders [256]uint32
	holders[0], pattern[0] = 1, 1
	for m := 1; m < 256; m++ {
		holders[m] = holders[m&(m-1)]<<2 | owner[bits.TrailingZeros8(uint8(m))&7]
		pattern[m] = holders[m] << bits.OnesCount8(uint8(m))
		if l := live[m]; l != 0 {
			bit := uint32(1)
			for rest := uint8(m); rest != 0; rest &= rest - 1 {
				if l&rest&-rest != 0 {
					pattern[m] |= bit
				}
				bit <<= 1
			}
		}
	}
}

// pointsLeft returns the trick points of the cards left, without the last trick's.
func pointsLeft(left uint32) int32 {
	s := &statics
	return int32(s.sum[0][uint8(left)]) + int32(s.sum[1][uint8(left>>8)]) +
		int32(s.sum[1][uint8(left>>16)]) + int32(s.sum[1][uint8(left>>24)])
}

// sides is a number for each side, added in one word: north and south in the low half.
type sides uint32

func only(side int, v int32) sides      { return sides(v) << (16 * (side & 1)) }
func (v sides) of(side int) int32       { return int32(v >> (16 * (side & 1)) & 0xffff) }
func (v sides) ours(seat uint8) int32   { return v.of(int(seat)) }
func (v sides) theirs(seat uint8) int32 { return v.of(int(seat) + 1) }

// meldsLeft returns the most meld points that the sides can still make with the cards left.
func (d *deal) meldsLeft(left uint32) sides {
	table := &d.meldMax
	sum := table[0][uint8(left)] + table[1][uint8(left>>8)] + table[2][uint8(left>>16)] + table[3][uint8(left>>24)]
	for i := range d.numQuads {
		if q := &d.quads[i&7]; left&q.cards == q.cards {
			sum += only(q.side, q.value)
		}
	}
	return sum
}

// natMeldsLeft returns the most meld points still to be made that count at a nat.
func (d *deal) natMeldsLeft(left uint32) int32 {
	melds := d.meldsLeft(left)
	if d.natAll {
		return melds.of(0) + melds.of(1)
	}
	return melds.theirs(d.declarers)
}

// liveCards returns those of the cards left that can still be in a meld.
func (d *deal) liveCards(left uint32) uint32 {
	live := uint32(d.live[0][uint8(left)]) | uint32(d.live[1][uint8(left>>8)])<<8 |
		uint32(d.live[2][uint8(left>>16)])<<16 | uint32(d.live[3][uint8(left>>24)])<<24
	for _, q := range d.quads[:d.numQuads] {
		if left&q.cards == q.cards {
			live |= q.cards
		}
	}
	return live
}

// trickMeld returns the meld points of a full trick.
func (d *deal) trickMeld(trick uint32) int32 {
	sum := int32(d.meld[0][uint8(trick)]) + int32(d.meld[1][uint8(trick>>8)]) +
		int32(d.meld[1][uint8(trick>>16)]) + int32(d.meld[1][uint8(trick>>24)])
	if trick&d.quadCards == trick {
		for _, q := range d.quads[:d.numQuads] {
			if trick == q.cards {
				sum += q.value
			}
		}
	}
	return sum
}
