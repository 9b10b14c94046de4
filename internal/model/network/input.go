package network

import (
	"roem/internal/cards"
)

// Suits are the patterns of a deal's suits, the trump suit first. A pattern holds two bits for each of the eight cards, the
// 7 lowest, in the order of the faces 7 8 9 10 J Q K A: how many seats after the leader its holder sits.
type Suits [4]uint16

// SuitsOf returns the patterns of four hands. The suits stand in the order trump, then the others as C D H S.
func SuitsOf(hands *[4]cards.Set, trump cards.Suit, leader cards.Seat) Suits {
	second, third, fourth := hands[leader.Plus(1)], hands[leader.Plus(2)], hands[leader.Plus(3)]
	low, high := second|fourth, third|fourth // the two bits of each card
	var s Suits
	at := 1
	for _, suit := range [4]cards.Suit{cards.Clubs, cards.Diamonds, cards.Hearts, cards.Spades} {
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

// Sorted returns the patterns with the plain suits in ascending order: the same for all twins of a deal.
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

// groups are the cards whose holders choose a row of a table together: the highest, the lowest, and the highest with the lowest, which say
// how long a hand is that commands the suit. Every two cards of a suit are in a group together. By kind of suit: trump, plain.
func groups() [2][][]cards.Face {
	return [2][][]cards.Face{
		{
			{cards.Jack, cards.Nine, cards.Ace, cards.Ten, cards.King, cards.Queen},
			{cards.Ace, cards.Ten, cards.King, cards.Queen, cards.Eight, cards.Seven},
			{cards.Jack, cards.Nine, cards.Eight, cards.Seven},
		},
		{
			{cards.Ace, cards.Ten, cards.King, cards.Queen, cards.Jack, cards.Nine},
			{cards.King, cards.Queen, cards.Jack, cards.Nine, cards.Eight, cards.Seven},
			{cards.Ace, cards.Ten, cards.Eight, cards.Seven},
		},
	}
}

// Chooser says which row of a table a pattern chooses: the sum of what its two halves contribute.
type Chooser [2][256]uint16

// Row returns the row of the table that a pattern chooses.
func (c *Chooser) Row(pattern uint16) int { return int(c[0][pattern&0xff] + c[1][pattern>>8]) }

func newChooser(group []cards.Face) *Chooser {
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

// Choosers returns those of all groups, trump's first.
func Choosers() (out [2][]*Chooser) {
	for kind, all := range groups() {
		for _, group := range all {
			out[kind] = append(out[kind], newChooser(group))
		}
	}
	return out
}

// rowsOf returns how many rows the table of a group has.
func rowsOf(group []cards.Face) int { return 1 << (2 * len(group)) }
