package index

import (
	"errors"
	"math"
	"slices"
	"sync"

	"roem/internal/engine/klaverjas"
	"roem/internal/engine/piquet"
)

// Classes is the number of suit-distribution classes: 4x4 matrices of non-negative integers whose rows and columns all
// sum to 8 (OEIS A001496). No symmetry is removed.
const Classes = 981_541

// Class is a suit distribution: how many cards of each suit each hand holds. Rows are hands in the order of play from
// the leader, columns are suits in the order of the index: trump, then the others in the order C D H S. All rows and
// columns sum to 8.
type Class [4][4]uint8

// ErrNotClass is the error for a matrix whose rows and columns do not all sum to 8.
var ErrNotClass = errors.New("not a suit distribution: every row and every column must sum to 8")

// ClassOf returns the suit distribution of a deal.
func ClassOf(d klaverjas.Deal) Class {
	var c Class
	order := suitOrder(d.Trump)
	for i := range c {
		hand := d.Hands[d.Leader.Plus(i)]
		for p, suit := range order {
			c[i][p] = uint8(hand.InSuit(suit).Len())
		}
	}
	return c
}

// Valid reports whether every row and every column sums to 8.
func (c Class) Valid() bool {
	for i := range c {
		row, column := 0, 0
		for j := range c {
			row += int(c[i][j])
			column += int(c[j][i])
		}
		if row != 8 || column != 8 {
			return false
		}
	}
	return true
}

// Size returns how many deals have this suit distribution: for every suit the multinomial coefficient of its eight
// cards over the hands, all multiplied. The sizes of all classes sum to [Deals]. It is 0 for a matrix that is no class.
func (c Class) Size() uint64 {
	if !c.Valid() {
		return 0
	}
	size := uint64(1)
	for suit := range c {
		left := 8
		for hand := range c {
			n := int(c[hand][suit])
			size *= choose[left][n]
			left -= n
		}
	}
	return size
}

// Spread returns the standard deviation of the 16 counts, whose mean is 2: the paper's "stdev (game)" (Table 2). It is 0 if each hand has
// two cards of each suit, and the square root of 12 if each hand has one suit.
func (c Class) Spread() float64 {
	sum := 0.0
	for _, hand := range c {
		for _, n := range hand {
			sum += (float64(n) - 2) * (float64(n) - 2)
		}
	}
	return math.Sqrt(sum / 16)
}

// Mirrors returns the other classes that differ only in the order of the plain suits, at most five, in the order of their numbers. The
// deals of a mirror are the deals of c under other names of suits.
func (c Class) Mirrors() []Class {
	var out []Class
	for _, order := range plainOrders[1:] {
		mirror := c
		for hand := range c {
			for p, from := range order {
				mirror[hand][p+1] = c[hand][from]
			}
		}
		if mirror != c && !slices.Contains(out, mirror) {
			out = append(out, mirror)
		}
	}
	slices.SortFunc(out, func(a, b Class) int {
		for hand := range a {
			if order := slices.Compare(a[hand][:], b[hand][:]); order != 0 {
				return order
			}
		}
		return 0
	})
	return out
}

// Hands returns the hands, by seat, of deal number k of the class. k is below Size. This numbering of the deals of a class is not related
// to their indices. It returns [ErrNotClass] or an *[Error].
func (c Class) Hands(k uint64, trump piquet.Suit, leader piquet.Seat) ([4]piquet.Set, error) {
	size := c.Size()
	if size == 0 {
		return [4]piquet.Set{}, ErrNotClass
	}
	if k >= size {
		return [4]piquet.Set{}, &Error{Index: k, Count: size}
	}
	// k is a number in mixed radix. Its digits say, for each suit and hand, which of the cards left of the suit the hand gets.
	var arranged [4]uint32
	for suit := range c {
		left := uint32(0xff)
		n := 8
		for hand := range c {
			count := int(c[hand][suit])
			ways := choose[n][count]
			got := unrankSubset(k%ways, left, count)
			k /= ways
			left &^= got
			n -= count
			arranged[hand] |= got << (8 * suit)
		}
	}
	return seatHands(arranged, trump, leader), nil
}

// A row is one hand's suit lengths; as a key for the tables below it is written in base 9.
type row = [4]uint8

func rowKey(r row) int { return ((int(r[0])*9+int(r[1]))*9+int(r[2]))*9 + int(r[3]) }

// under returns the cards left of each suit after the row is dealt, and whether there were enough.
func under(r, left row) (row, bool) {
	for i := range left {
		if r[i] > left[i] {
			return row{}, false
		}
		left[i] -= r[i]
	}
	return left, true
}

// counts holds the tables for numbering the classes.
type counts struct {
	rows []row // the 165 ways to make 8 cards of four suits, in lexicographic order
	// completions[n] holds, by rowKey of the cards left in each suit, the number of classes of n hands of these cards.
	completions [4][6561]uint32
}

// classCounts builds the tables once, at the first call. It takes a few milliseconds.
var classCounts = sync.OnceValue(func() *counts {
	t := new(counts)
	for a := range uint8(9) {
		for b := range 9 - a {
			for c := range 9 - a - b {
				t.rows = append(t.rows, row{a, b, c, 8 - a - b - c})
			}
		}
	}
	t.completions[0][0] = 1
	for n := 1; n <= 3; n++ {
		for key := range t.completions[n] {
			left := row{uint8(key / 729), uint8(key / 81 % 9), uint8(key / 9 % 9), uint8(key % 9)}
			if int(left[0])+int(left[1])+int(left[2])+int(left[3]) != 8*n {
				continue
			}
			for _, r := range t.rows {
				if rest, ok := under(r, left); ok {
					t.completions[n][key] += t.completions[n-1][rowKey(rest)]
				}
			}
		}
	}
	return t
})

// ClassNumber returns the number of a class, 0 to [Classes]-1, in the lexicographic order of all classes: by
// the first hand's trumps, then the first hand's length in the next suit, and so on, row by row. It returns
// [ErrNotClass] for a matrix that is no class.
func ClassNumber(c Class) (uint32, error) {
	if !c.Valid() {
		return 0, ErrNotClass
	}
	t := classCounts()
	left := row{8, 8, 8, 8}
	number := uint32(0)
	for i := range 3 {
		for _, r := range t.rows {
			rest, ok := under(r, left)
			if r == c[i] {
				left = rest
				break
			}
			if ok {
				number += t.completions[3-i][rowKey(rest)]
			}
		}
	}
	return number, nil
}

// ClassAt returns the class with the given number (see [ClassNumber]), or an *[Error].
func ClassAt(number uint32) (Class, error) {
	if number >= Classes {
		return Class{}, &Error{Index: uint64(number), Count: Classes}
	}
	t := classCounts()
	var c Class
	left := row{8, 8, 8, 8}
	for i := range 3 {
		for _, r := range t.rows {
			rest, ok := under(r, left)
			if !ok {
				continue
			}
			n := t.completions[3-i][rowKey(rest)]
			if number < n {
				c[i], left = r, rest
				break
			}
			number -= n
		}
	}
	c[3] = left
	return c, nil
}
