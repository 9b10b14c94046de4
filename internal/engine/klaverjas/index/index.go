// Package index numbers the deals of Klaverjas.
//
// For a given trump and leader there are C(32,8) C(24,8) C(16,8) = 99,561,092,450,391,000 deals. [Rank] and [Unrank]
// convert between a deal and its index (docs/reference/rules/klaverjas.md, "Deal index"; the combinatorial number system of the paper,
// section 4.1). [Canonical] returns the canonical form of a deal, which is the same for all deals that differ only in the names of
// suits and seats, and the [Relabelling] between the two. A [Class] is a suit distribution (the paper, section 4.3). There
// are 981,541 classes.
package index

import (
	"fmt"

	"roem/internal/engine/klaverjas"
	"roem/internal/engine/piquet"
)

// Deals is the number of deals for a given trump and leader: C(32,8) C(24,8) C(16,8).
const Deals uint64 = 99_561_092_450_391_000

// The radices of an index: the number of possible second hands, C(24,8), and of third hands, C(16,8). The fourth hand has the other cards.
const (
	secondHands uint64 = 735_471
	thirdHands  uint64 = 12_870
)

// Error is the error for an index that is out of range.
type Error struct {
	Index uint64 // the index
	Count uint64 // the number of valid indices: 0 to Count-1
}

// Error returns the valid range.
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

// suitOrder returns the suits in the order of the index: trump, then the others in the order C D H S.
func suitOrder(trump piquet.Suit) [4]piquet.Suit {
	order := [4]piquet.Suit{trump & 3}
	at := 1
	for _, s := range piquet.Suits() {
		if s != order[0] {
			order[at] = s
			at++
		}
	}
	return order
}

// arrange renumbers a set of cards: the suit order[p] moves to position p, so that card 8p + face has bit 8p + face.
func arrange(s piquet.Set, order [4]piquet.Suit) uint32 {
	return uint32(s.Faces(order[0])) | uint32(s.Faces(order[1]))<<8 | uint32(s.Faces(order[2]))<<16 | uint32(s.Faces(order[3]))<<24
}

// restore is the inverse of arrange.
func restore(bits uint32, order [4]piquet.Suit) piquet.Set {
	var s piquet.Set
	for p, suit := range order {
		s |= piquet.Set(bits>>(8*p)&0xff) << (8 * suit)
	}
	return s
}

// Rank returns the index of a deal, below [Deals]. The deal must be valid for klaverjas.NewPosition: four hands of
// eight cards, each card once. The index does not depend on the declaring team.
func Rank(d klaverjas.Deal) uint64 {
	order := suitOrder(d.Trump)
	return rank(arrange(d.Hands[d.Leader&3], order), arrange(d.Hands[d.Leader.Plus(1)], order), arrange(d.Hands[d.Leader.Plus(2)], order))
}

// rank returns the index of three arranged hands. The fourth hand follows from them.
func rank(h0, h1, h2 uint32) uint64 {
	left := ^uint32(0)
	r := rankSubset(h0, left)
	left &^= h0
	r = r*secondHands + rankSubset(h1, left)
	left &^= h1
	return r*thirdHands + rankSubset(h2, left)
}

// Unrank returns the hands, by seat, of the deal with the given index. It is the inverse of [Rank]. The error is an *[Error] if the index
// is not below [Deals].
func Unrank(index uint64, trump piquet.Suit, leader piquet.Seat) ([4]piquet.Set, error) {
	if index >= Deals {
		return [4]piquet.Set{}, &Error{Index: index, Count: Deals}
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

// seatHands converts arranged hands in playing order to hands by seat, with the real suits.
func seatHands(arranged [4]uint32, trump piquet.Suit, leader piquet.Seat) [4]piquet.Set {
	order := suitOrder(trump)
	var hands [4]piquet.Set
	for i, h := range arranged {
		hands[leader.Plus(i)] = restore(h, order)
	}
	return hands
}

// The permutations of the suits at positions 1, 2 and 3. The first is the identity.
var plainOrders = [6][3]uint8{{1, 2, 3}, {1, 3, 2}, {2, 1, 3}, {2, 3, 1}, {3, 1, 2}, {3, 2, 1}}

// Canonical returns the canonical index of a deal, which is the least index over the 3! orders of its plain suits, and the relabelling from
// the deal to its canonical form: the deal with that index, clubs as trump and north leading. Deals that differ only in the names of suits
// and seats have the same canonical form. They have the same outcome under any rules, if the declaring team is relabelled too.
//
// If several orders give the least index, because the deal is the same in two suits, the first of them is used.
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
	re := Relabelling{seats: uint8(piquet.North.Minus(d.Leader & 3))}
	re.suits[order[0]] = piquet.Clubs
	for p, from := range plainOrders[at] {
		re.suits[order[from]] = piquet.Suit(p + 1)
	}
	return best, re
}

// permute permutes the plain suits of an arranged hand: the suit at position o[p-1] moves to position p.
func permute(h uint32, o *[3]uint8) uint32 {
	return h&0xff | h>>(8*o[0])&0xff<<8 | h>>(8*o[1])&0xff<<16 | h>>(8*o[2])&0xff<<24
}
