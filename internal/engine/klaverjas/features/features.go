// Package features describes a deal by numbers: the features of the paper's Table 2 and the sums over teams of section 5, in total 143
// columns. lab/docs/klaverjas/features.md lists them.
//
// Deals are in the canonical frame: clubs are trump, north leads, and north and south declare. (The paper likewise fixes diamonds and
// north.)
//
// # Codes
//
// Every column has few values, so a deal is a [Row] of bytes: the code of each column. A greater code means a greater value. For all
// columns except the standard deviations, the code is the value. [Value] returns the value of any code. Standard deviations are standard
// deviations of a population: the square root of the mean of the squares minus the square of the mean.
package features

import (
	"math"
	"math/bits"

	"roem/internal/engine/klaverjas"
	"roem/internal/engine/piquet"
)

// Trump is the trump suit of the canonical frame.
const Trump = piquet.Clubs

// The first columns of the groups. Within a group the seat (N E S W) or the team (NS EW) varies slowest, then the suit (C D H S) or the
// rank (1 to 8).
const (
	Owner      = 0                // 32: the seat that holds card n; N E S W are 0 to 3
	SuitCount  = Owner + 32       // 16: cards of a seat in a suit
	RankCount  = SuitCount + 16   // 32: cards of a seat of a rank
	Points     = RankCount + 32   // 4: points in a seat's hand
	StdevSeat  = Points + 4       // 4: standard deviation of a seat's four suit counts
	StdevSuit  = StdevSeat + 4    // 4: standard deviation of the four seats' counts in a suit
	StdevGame  = StdevSuit + 4    // 1: standard deviation of all sixteen suit counts
	TopCards   = StdevGame + 1    // 16: cards of a seat in a suit that are higher than all cards of the opponents in the suit
	TeamSuit   = TopCards + 16    // 8: suit counts summed over a team
	TeamRank   = TeamSuit + 8     // 16: rank counts summed over a team
	TeamPoints = TeamRank + 16    // 2: points summed over a team
	TeamTop    = TeamPoints + 2   // 8: top cards summed over a team
	Columns    = TeamTop + 8      // 143 columns
	Hand       = SuitCount        // the first handcrafted column; all later columns are handcrafted too
	Ownership  = SuitCount        // the number of ownership columns
	Crafted    = Columns - Hand   // the number of handcrafted columns, including the sums over teams
	TableTwo   = TeamSuit - Owner // the number of columns of Table 2
)

// Row holds the codes of a deal's columns.
type Row [Columns]uint8

// suitTable holds the ranks and the points of cards of one suit, by the set of their faces (bit f for piquet.Face(f)).
type suitTable struct {
	ranked [256]uint8 // the same cards by rank: bit r-1 for rank r
	points [256]uint8
}

// tables are for plain suits and for trump.
var tables = func() (t [2]suitTable) {
	for i, suit := range [2]piquet.Suit{piquet.Diamonds, piquet.Clubs} {
		for faces := range 256 {
			for c := range (piquet.Set(faces) << (8 * suit)).All() {
				t[i].ranked[faces] |= 1 << klaverjas.Strength(c, Trump)
				t[i].points[faces] += uint8(klaverjas.Points(c, Trump))
			}
		}
	}
	return t
}()

// Extract writes the codes of a deal. The hands must be disjoint and have eight cards each.
func Extract(to *Row, hands *[4]piquet.Set) {
	for c := range 32 {
		// Seat 0 has no bit of its own: all bits are 0.
		to[Owner+c] = uint8(hands[1]>>c&1 | hands[2]>>c&1<<1 | (hands[3]>>c&1)*3)
	}
	var (
		squaresOfSuit [4]int
		squares       int
		ranked        [4][4]uint8 // by seat and suit
	)
	for seat, hand := range hands {
		points := uint8(0)
		squaresOfSeat := 0
		all := uint32(0)
		for suit := range 4 {
			table := &tables[0]
			if suit == int(Trump) {
				table = &tables[1]
			}
			faces := uint8(hand >> (8 * suit))
			ranks := table.ranked[faces]
			ranked[seat][suit] = ranks
			all |= uint32(ranks) << (8 * suit)
			points += table.points[faces]
			count := bits.OnesCount8(faces)
			to[SuitCount+4*seat+suit] = uint8(count)
			squaresOfSeat += count * count
			squaresOfSuit[suit] += count * count
		}
		for rank := range 8 {
			to[RankCount+8*seat+rank] = uint8(bits.OnesCount32(all & (0x01010101 << rank)))
		}
		to[Points+seat] = points
		to[StdevSeat+seat] = fourCode(squaresOfSeat)
		squares += squaresOfSeat
	}
	for suit := range 4 {
		to[StdevSuit+suit] = fourCode(squaresOfSuit[suit])
		teams := [2]uint8{ranked[0][suit] | ranked[2][suit], ranked[1][suit] | ranked[3][suit]}
		for seat := range 4 {
			best := bits.Len8(teams[1-seat&1]) // the highest card of the opponents
			to[TopCards+4*seat+suit] = uint8(bits.OnesCount8(ranked[seat][suit] >> best))
		}
	}
	to[StdevGame] = uint8((squares - 64) / 2)
	for team := range 2 {
		one, other := team, team+2
		for i := range 4 {
			to[TeamSuit+4*team+i] = to[SuitCount+4*one+i] + to[SuitCount+4*other+i]
			to[TeamTop+4*team+i] = to[TopCards+4*one+i] + to[TopCards+4*other+i]
		}
		for i := range 8 {
			to[TeamRank+8*team+i] = to[RankCount+8*one+i] + to[RankCount+8*other+i]
		}
		to[TeamPoints+team] = to[Points+one] + to[Points+other]
	}
}

// fourCode is the code of the standard deviation of four counts whose sum is 8, from the sum of their squares. That sum is even, since
// the sum of the counts is even, and at least 16.
func fourCode(squares int) uint8 { return uint8((squares - 16) / 2) }

// Value returns the value of a code of a column.
func Value(column int, code uint8) float64 {
	switch {
	case column == StdevGame: // sixteen counts with mean 2
		return math.Sqrt(float64(2*int(code)+64)/16 - 4)
	case column >= StdevSeat && column < StdevGame: // four counts with mean 2
		return math.Sqrt(float64(2*int(code)+16)/4 - 4)
	}
	return float64(code)
}

// Codes returns the number of codes of a column. Every code is less than it.
func Codes(column int) int {
	switch {
	case column < SuitCount: // a seat
		return 4
	case column < RankCount: // 0 to 8 cards of a suit
		return 9
	case column < Points: // 0 to 4 cards of a rank
		return 5
	case column < StdevSeat: // J 9 A 10 of trump, the other aces, one ten: 98 points
		return 99
	case column < StdevGame:
		return 25
	case column == StdevGame:
		return 97
	case column < TeamSuit:
		return 9
	case column < TeamRank:
		return 9
	case column < TeamPoints:
		return 5
	case column < TeamTop:
		return 153
	}
	return 9
}

// Between returns the greatest code of a column whose value is at most halfway between the values of two codes, where below < above. It
// is where a threshold between the two values separates the codes.
func Between(column int, below, above uint8) uint8 {
	half := (Value(column, below) + Value(column, above)) / 2
	split := below
	for split+1 < above && Value(column, split+1) <= half {
		split++
	}
	return split
}
