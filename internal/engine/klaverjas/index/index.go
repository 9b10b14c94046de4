// Package index numbers the deals of Klaverjas.
//
// For a given trump and leader there are C(32,8) C(24,8) C(16,8) = 99,561,092,450,391,000 deals. [Rank] and [Unrank]
// go between a deal and its index (docs/rules.md, "Deal index"; the combinatorial number system of the paper,
// section 4.1). [Canonical] finds the twin of a deal that stands for all deals that differ from it only in the names of
// suits and seats, and the [Relabelling] that leads there and back. A [Class] is a suit distribution (the paper, section 4.3), of which there
// are 981,541.
package index

import (
	"fmt"

	"roem/internal/cards"
	"roem/internal/engine/klaverjas"
)

// Deals is the number of deals for a given trump and leader: C(32,8) C(24,8) C(16,8).
const Deals uint64 = 99_561_092_450_391_000

// The radices of an index: how many second and third hands there are, C(24,8) and C(16,8). The fourth hand is what is left.
const (
	secondHands uint64 = 735_471
	thirdHands  uint64 = 12_870
)

// Error is the error for an index at which no deal stands.
type Error struct {
	Index uint64 // what was asked for
	Count uint64 // how many there are: the last one is Count-1
}

// Error says which indices there are.
func (e *Error) Error() string {
	return fmt.Sprintf("index %d is out of range: expected 0 to %d", e.Index, e.Count-1)
}

// choose holds the binomial coefficients C(n,k) for n up to 32 and k up to 8.
var choose = func() (c [33][9]uint64) {
	for n := range c {
		c[n][0] = 1
		for k := 1; k < 9 && n > 0; k++ {
			c[n][k] = c[n-1][k-1] + c[n-1][k]
		}
	}
	return c
}()

// suitOrder returns the suits as an index counts them: trump, then the others in the order C D H S.
func suitOrder(trump cards.Suit) [4]cards.Suit {
	order := [4]cards.Suit{trump & 3}
	at := 1
	for _, s := range cards.Suits() {
		if s != order[0] {
			order[at] = s
			at++
		}
	}
	return order
}

// arrange renumbers a set of cards: the suit order[p] moves to position p, so that card 8p + face has bit 8p + face.
func arrange(s cards.Set, order [4]cards.Suit) uint32 {
	return uint32(s.Faces(order[0])) | uint32(s.Faces(order[1]))<<8 | uint32(s.Faces(order[2]))<<16 | uint32(s.Faces(order[3]))<<24
}

// restore undoes arrange.
func restore(bits uint32, order [4]cards.Suit) cards.Set {
	var s cards.Set
	for p, suit := range order {
		s |= cards.Set(bits>>(8*p)&0xff) << (8 * suit)
	}
	return s
}

// Rank returns the index of a deal, below [Deals]. The deal must be one that klaverjas.NewPosition takes: four hands of
// eight cards, each card once. Who declares has no part in it.
func Rank(d klaverjas.Deal) uint64 {
	order := suitOrder(d.Trump)
	return rank(arrange(d.Hands[d.Leader&3], order), arrange(d.Hands[d.Leader.Plus(1)], order), arrange(d.Hands[d.Leader.Plus(2)], order))
}

// rank numbers three arranged hands; the fourth follows from them.
func rank(h0, h1, h2 uint32) uint64 {
	left := ^uint32(0)
	r := rankSubset(h0, left)
	left &^= h0
	r = r*secondHands + rankSubset(h1, left)
	left &^= h1
	return r*thirdHands + rankSubset(h2, left)
}

// Unrank returns the hands, by seat, of the deal with the given index, for which [Rank] gives that index back. It
// returns an *[Error] when index is not below [Deals].
func Unrank(index uint64, trump cards.Suit, leader cards.Seat) ([4]cards.Set, error) {
	if index >= Deals {
		return [4]cards.Set{}, &Error{Index: index, Count: Deals}
	}
	left := ^uint32(0)
	h0 := unrankSubset(index/(secondHands*thirdHands), left, klaverjas.HandSize)
	left &^= h0
	h1 := unrankSubset(index/thirdHands%secondHands, left, klaverjas.HandSize)
	left &^= h1
	h2 := unrankSubset(index%thirdHands, left, klaverjas.HandSize)
	left &^= h2
	return seatHands([4]uint32{h0, h1, h2, left}, trump, leader), nil
}

// seatHands gives arranged hands in playing order to the seats, in the real suits.
func seatHands(arranged [4]uint32, trump cards.Suit, leader cards.Seat) [4]cards.Set {
	order := suitOrder(trump)
	var hands [4]cards.Set
	for i, h := range arranged {
		hands[leader.Plus(i)] = restore(h, order)
	}
	return hands
}

// The orders in which the suits at positions 1, 2 and 3 can stand. The first is the order as it is.
var plainOrders = [6][3]uint8{{1, 2, 3}, {1, 3, 2}, {2, 1, 3}, {2, 3, 1}, {3, 1, 2}, {3, 2, 1}}

// Canonical returns the canonical index of a deal, the least over the 3! orders of its plain suits, and the relabelling
// that leads from the deal to its canonical twin: the deal of that index with clubs as trump and north leading. Deals
// that differ only in the names of their suits and seats have the same twin, and with it the same value under any
// rules, once the declaring team is relabelled too.
//
// Where several orders give the least index, as in a deal that is the same in two suits, it takes the first of them in
// the order of the suits.
func Canonical(d klaverjas.Deal) (uint64, Relabelling) {
	order := suitOrder(d.Trump)
	var h [3]uint32
	for i := range h {
		h[i] = arrange(d.Hands[d.Leader.Plus(i)], order)
	}
	best, at := rank(h[0], h[1], h[2]), 0
	for i := 1; i < len(plainOrders); i++ {
		o := &plainOrders[i]
		if r := rank(permute(h[0], o), permute(h[1], o), permute(h[2], o)); r < best {
			best, at = r, i
		}
	}
	re := Relabelling{seats: uint8(cards.North.Minus(d.Leader & 3))}
	re.suits[order[0]] = cards.Clubs
	for p, from := range plainOrders[at] {
		re.suits[order[from]] = cards.Suit(p + 1)
	}
	return best, re
}

// permute moves the plain suits of an arranged hand: position p takes what stands at o[p-1].
func permute(h uint32, o *[3]uint8) uint32 {
	return h&0xff | h>>(8*o[0])&0xff<<8 | h>>(8*o[1])&0xff<<16 | h>>(8*o[2])&0xff<<24
}
