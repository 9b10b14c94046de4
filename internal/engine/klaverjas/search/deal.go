package search

import (
	"math/bits"

	"roem/internal/engine/klaverjas"
	"roem/internal/engine/piquet"
)

// The search has its own numbering of cards, in which its most frequent operations are bit operations.
//
// Seats and sides are numbered as in package cards: side = seat&1. A set of cards is one bit per card. Trump is suit 0. Within
// the byte of a suit the cards are in order of strength, so a stronger card is a higher bit:
//
//	bit   31...24  23...16  15....8  7.....0
//	      plain 3  plain 2  plain 1  trump
//	      A 10 K Q J 9 8 7           J 9 A 10 K Q 8 7   the weakest card of a suit is the lowest bit of its byte
const (
	trumpMask = 0xff
	infinity  = 20000 // above every value; a value of at least half of it is a win or a loss of everything
)

// suitMask returns the byte of the card's suit.
func suitMask(c uint32) uint32 { return trumpMask << (c & 24) }

// static holds the tables that are the same for every deal.
type static struct {
	above   [32]uint32     // the cards of its suit that are stronger
	beats   [32]uint32     // the cards that beat it: the stronger ones, and every trump if it is plain
	points  [32]int32      // trick points of a card
	sum     [2][256]uint8  // points of a set of cards of one suit: [0] trump, [1] plain suit
	each    [2][256]uint64 // points of each card of such a set, one byte per card, the weakest card in the lowest byte
	natural [2][256]uint8  // a set of cards of one suit: by strength -> by natural order (7 8 9 10 J Q K A)
	byForce [2][256]uint8  // the inverse of natural
	face    [2][8]uint8    // strength -> natural order
	force   [2][8]uint8    // natural order -> strength
}

// statics is computed once at the start and never changed.
var statics = newStatic()

func newStatic() (s static) {
	const trump = piquet.Clubs
	for kind, suit := range [2]piquet.Suit{piquet.Clubs, piquet.Diamonds} {
		for _, f := range piquet.Faces() {
			c := piquet.Of(suit, f)
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

// deal holds what is constant while one deal is searched under one rule set: the hands, and one table per suit for melds and for
// equivalent cards. The tables are indexed by the byte of the suit's cards left, so each question takes one lookup per suit.
type deal struct {
	rules klaverjas.Rules
	root  klaverjas.Deal
	suits [4]piquet.Suit // search suit -> suit
	hand  [4]uint32      // as dealt
	list  [4][8]uint8    // the cards of a hand as dealt
	place [32]uint8      // the index of a card in its list

	meld     [2][256]uint8  // meld points of a trick's cards of one suit: [0] trump, [1] plain suit
	meldMax  [4][256]sides  // the most meld points that each side can still make in a suit
	live     [4][256]uint8  // the cards left of a suit that can still be in a meld
	pattern  [4][256]uint32 // the holders of a suit's cards left, in order of strength (preparePattern)
	cardMeld [32]int32      // the most points of one meld that the card can be part of

	quads     [8]quad // the fours of a kind whose cards are in four different hands
	numQuads  int
	quadCards uint32 // the cards of all quads

	natAll       bool
	declarers    uint8    // the declarers' side: 0 for north and south, 1 for east and west
	pitBonus     [2]int32 // by side
	underRuff    klaverjas.UnderRuff
	partnerFrees bool // Amsterdam: a player need not ruff while the partner is winning the trick
}

// quad is a four of a kind that is possible in this deal.
type quad struct {
	cards uint32
	value int32
	side  int // who scores it
}

// card translates a card of the deck into the search's numbering.
func (d *deal) card(c piquet.Card) uint32 {
	for i, s := range d.suits {
		if s == c.Suit() {
			return uint32(8*i) + uint32(statics.force[kindOf(i)][c.Face()])
		}
	}
	return 0
}

// cardBack translates a card of the search's numbering into the deck's.
func (d *deal) cardBack(c uint32) piquet.Card {
	i := c >> 3 & 3
	return piquet.Of(d.suits[i], piquet.Face(statics.face[kindOf(int(i))][c&7]))
}

func (d *deal) set(s piquet.Set) uint32 {
	var out uint32
	for i, suit := range d.suits {
		out |= uint32(statics.byForce[kindOf(i)][s.Faces(suit)]) << (8 * i)
	}
	return out
}

// run is a meld within one suit that is possible in this deal: its cards by natural order, its points, and which sides can win a
// trick with these cards.
type run struct {
	faces uint8
	value uint8
	side  [2]bool
}

// prepare fills the tables for a deal.
func (d *deal) prepare(p klaverjas.Position) {
	root, rules := p.Deal(), p.Rules()
	sameRules := d.rules == rules // false at first: the zero value is not a rule set
	d.root, d.rules = root, rules
	d.suits[0] = root.Trump
	n := 1
	for _, s := range piquet.Suits() {
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

// same reports whether the tables are valid for the position's deal. They do not depend on the leader or the declarers.
func (d *deal) same(p klaverjas.Position) bool {
	root := p.Deal()
	return d.root.Trump == root.Trump && d.root.Hands == root.Hands && d.rules == p.Rules()
}

// declare sets the fields that depend on the declarers.
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
		suit := piquet.Clubs
		trump := piquet.Suit(kind) // kind 0: clubs are trump
		for m := range 256 {
			faces := statics.natural[kind][m]
			d.meld[kind][m] = 0
			if bits.OnesCount8(faces) <= 4 {
				d.meld[kind][m] = uint8(rules.Meld(piquet.Set(faces)<<(8*suit), trump))
			}
		}
	}
	d.cardMeld = [32]int32{}
	d.numQuads, d.quadCards = 0, 0
	if rules.Melds {
		for _, f := range piquet.Faces() {
			d.addQuad(f, rules.FourOfAKind[f])
		}
	}
	for suit := range 4 {
		d.prepareSuit(suit)
	}
}

func (d *deal) addQuad(f piquet.Face, value int) {
	if value == 0 {
		return
	}
	var q uint32
	for suit := range 4 {
		q |= 1 << (8*suit + int(statics.force[kindOf(suit)][f]))
	}
	for _, h := range d.hand {
		if h&q == 0 {
			return // this hand holds none of the four
		}
	}
	if bits.OnesCount32(q&(d.hand[0]|d.hand[1]|d.hand[2]|d.hand[3])) != 4 {
		return
	}
	// One of the four is a trump, which wins the trick.
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

// prepareSuit fills the tables of one suit. A meld is live while all its cards are left and each is in a different hand, since a
// trick takes one card from each hand.
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
		add(1<<piquet.Queen | 1<<piquet.King)
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

// supersets yields every set of a suit's cards that contains the given cards.
func supersets(of uint8) func(yield func(uint8) bool) {
	return func(yield func(uint8) bool) {
		for rest := ^of; yield(rest|of) && rest != 0; {
			rest = (rest - 1) &^ of
		}
	}
}

// prepareMeldMax fills the table of the most points that a side can make with runs of a suit. Each card is played once, so it tries
// every combination of runs that share no card (at most three of them, since a suit has eight cards).
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

// winners reports whether the cards of a run are all in different hands, and which sides can win a trick that contains them. The
// strongest card of the run wins, unless a player whose card is not in the run wins. In a trump run that takes a higher trump. In a run
// of a plain suit the player may ruff or may have led another suit, so winners assumes that it is possible.
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

// preparePattern fills the table of patterns of one suit. A pattern is, from the highest bit down: a one, which marks the length; the
// holder of each card left from the strongest down, two bits each; and for each card one bit, which is set if it can be in a meld.
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

// pointsLeft returns the trick points of the cards left, without the ten points for the last trick.
func pointsLeft(left uint32) int32 {
	s := &statics
	return int32(s.sum[0][uint8(left)]) + int32(s.sum[1][uint8(left>>8)]) +
		int32(s.sum[1][uint8(left>>16)]) + int32(s.sum[1][uint8(left>>24)])
}

// sides packs a number for each side into one word, so that one addition adds both. North and south are in the low half.
type sides uint32

func only(side int, v int32) sides      { return sides(v) << (16 * (side & 1)) }
func (v sides) of(side int) int32       { return int32(v >> (16 * (side & 1)) & 0xffff) }
func (v sides) ours(seat uint8) int32   { return v.of(int(seat)) }
func (v sides) theirs(seat uint8) int32 { return v.of(int(seat) + 1) }

// meldsLeft returns the most meld points that each side can still make with the cards left.
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

// natMeldsLeft returns the most meld points that can still be made and that the defenders score if the declarers are nat.
func (d *deal) natMeldsLeft(left uint32) int32 {
	melds := d.meldsLeft(left)
	if d.natAll {
		return melds.of(0) + melds.of(1)
	}
	return melds.theirs(d.declarers)
}

// liveCards returns the cards left that can still be in a meld.
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
