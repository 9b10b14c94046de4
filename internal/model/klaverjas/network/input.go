package network

import (
	"roem/internal/engine/piquet"
)

// Suits are the patterns of a deal's suits, the trump suit first. A pattern has two bits for each of the eight cards, in the
// order of the faces 7 8 9 10 J Q K A with the 7 lowest: the number of seats from the leader to the holder in the order of play.
type Suits [4]uint16

// SuitsOf returns the patterns of four hands. The order of the suits is trump, then the others as C D H S.
func SuitsOf(hands *[4]piquet.Set, trump piquet.Suit, leader piquet.Seat) Suits {
	second, third, fourth := hands[leader.Plus(1)], hands[leader.Plus(2)], hands[leader.Plus(3)]
	low, high := second|fourth, third|fourth // the two bits of each card
	var s Suits
	at := 1
	for _, suit := range [4]piquet.Suit{piquet.Clubs, piquet.Diamonds, piquet.Hearts, piquet.Spades} {
		pattern := spread(uint8(low>>(8*suit))) | spread(uint8(high>>(8*suit)))<<1
		if suit == trump {
			s[0] = pattern
			continue
		}
		s[at&3] = pattern
		at++
	}
	return s
}

// spread moves bit i to bit 2i.
func spread(b uint8) uint16 {
	x := uint16(b)
	x = (x | x<<4) & 0x0f0f
	x = (x | x<<2) & 0x3333
	return (x | x<<1) & 0x5555
}

// Sorted returns the patterns with the plain suits in ascending order. They are the same for all twins of a deal.
func (s Suits) Sorted() Suits {
	if s[1] > s[2] {
		s[1], s[2] = s[2], s[1]
	}
	if s[2] > s[3] {
		s[2], s[3] = s[3], s[2]
	}
	if s[1] > s[2] {
		s[1], s[2] = s[2], s[1]
	}
	return s
}

// groups returns the groups of cards, by kind of suit: trump, plain. The holders of the cards of a group select a row of its table. The
// groups are the highest cards, the lowest cards, and the highest with the lowest, which show the length of the suit in a hand that holds
// its top cards. Every two cards of a suit are together in at least one group.
func groups() [2][][]piquet.Face {
	return [2][][]piquet.Face{
		{
			{piquet.Jack, piquet.Nine, piquet.Ace, piquet.Ten, piquet.King, piquet.Queen},
			{piquet.Ace, piquet.Ten, piquet.King, piquet.Queen, piquet.Eight, piquet.Seven},
			{piquet.Jack, piquet.Nine, piquet.Eight, piquet.Seven},
		},
		{
			{piquet.Ace, piquet.Ten, piquet.King, piquet.Queen, piquet.Jack, piquet.Nine},
			{piquet.King, piquet.Queen, piquet.Jack, piquet.Nine, piquet.Eight, piquet.Seven},
			{piquet.Ace, piquet.Ten, piquet.Eight, piquet.Seven},
		},
	}
}

// Chooser maps a pattern to a row of a table: the sum of the contributions of the two halves of the pattern.
type Chooser [2][256]uint16

// Row returns the row of the table for a pattern.
func (c *Chooser) Row(pattern uint16) int { return int(c[0][pattern&0xff] + c[1][pattern>>8]) }

func newChooser(group []piquet.Face) *Chooser {
	c := new(Chooser)
	for half := range c {
		for b := range c[half] {
			for i, face := range group {
				if int(face)/4 == half {
					c[half][b] |= uint16(b>>(2*(int(face)%4))&3) << (2 * i)
				}
			}
		}
	}
	return c
}

// Choosers returns the choosers of all groups, trump first.
func Choosers() (out [2][]*Chooser) {
	for kind, all := range groups() {
		for _, group := range all {
			out[kind] = append(out[kind], newChooser(group))
		}
	}
	return out
}

// rowsOf returns the number of rows of the table of a group.
func rowsOf(group []piquet.Face) int { return 1 << (2 * len(group)) }
