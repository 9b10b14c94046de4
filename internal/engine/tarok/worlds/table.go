package worlds

import (
	"slices"

	"roem/internal/engine/tarok"
)

// table counts the ways to divide hidden cards among three piles of given sizes, by dynamic programming over the cards in order. A state
// is how many cards the first two piles have so far, and whether each of them has a tarok that it needs.
type table struct {
	cards []tarok.Card
	sizes [3]int
	may   [3]tarok.Set // what each pile may hold
	needs [2]tarok.Set // of which the first two piles must hold one, unless it is empty
	ways  [][]uint64   // for each card and state: in how many ways it and the cards after it can be divided
	start int          // the state before the first card
}

func newTable(cards []tarok.Card, sizes [3]int, may [3]tarok.Set, needs [2]tarok.Set) table {
	t := table{cards: cards, sizes: sizes, may: may, needs: needs}
	for pile, set := range needs {
		if set == 0 {
			t.start |= 1 << pile
		}
	}
	width := t.state(sizes[0], sizes[1], 3) + 1
	all := make([]uint64, width*(len(cards)+1))
	for len(all) > 0 {
		t.ways, all = append(t.ways, all[:width]), all[width:]
	}
	t.ways[len(cards)][width-1] = 1
	for i := range slices.Backward(cards) {
		t.states(i, func(state int) {
			for _, next := range t.next(i, state) {
				if next >= 0 {
					t.ways[i][state] += t.ways[i+1][next]
				}
			}
		})
	}
	return t
}

// state numbers a state: a and b cards in the first two piles, and a bit for each that has what it needs.
func (t *table) state(a, b, has int) int { return (a*(t.sizes[1]+1)+b)*4 + has }

// states calls f for each state that there can be before card i.
func (t *table) states(i int, f func(state int)) {
	for a := max(0, i-t.sizes[1]-t.sizes[2]); a <= min(i, t.sizes[0]); a++ {
		for b := max(0, i-a-t.sizes[2]); b <= min(i-a, t.sizes[1]); b++ {
			for has := t.start; has < 4; has++ {
				if has&t.start == t.start {
					f(t.state(a, b, has))
				}
			}
		}
	}
}

// next returns the state after card i has come to each pile, or -1 if it may not.
func (t *table) next(i, state int) (out [3]int) {
	has, b, a := state&3, state/4%(t.sizes[1]+1), state/4/(t.sizes[1]+1)
	c := t.cards[i]
	out = [3]int{-1, -1, -1}
	if a < t.sizes[0] && t.may[0].Has(c) {
		out[0] = t.state(a+1, b, has|int(t.needs[0]>>c&1))
	}
	if b < t.sizes[1] && t.may[1].Has(c) {
		out[1] = t.state(a, b+1, has|int(t.needs[1]>>c&1)<<1)
	}
	if i-a-b < t.sizes[2] && t.may[2].Has(c) {
		out[2] = state
	}
	return out
}

// count returns the number of ways to divide all cards.
func (t *table) count() uint64 { return t.ways[0][t.start] }

// world returns the division with a number below count.
func (t *table) world(n uint64) (piles [3]tarok.Set) {
	state := t.start
	for i, c := range t.cards {
		for pile, next := range t.next(i, state) {
			if next < 0 {
				continue
			}
			if ways := t.ways[i+1][next]; n >= ways {
				n -= ways
				continue
			}
			piles[pile], state = piles[pile].With(c), next
			break
		}
	}
	return piles
}

// places returns for each card in how many divisions it is in each pile.
func (t *table) places() [][3]uint64 {
	out := make([][3]uint64, len(t.cards))
	before, after := make([]uint64, len(t.ways[0])), make([]uint64, len(t.ways[0])) // the ways to come to each state
	before[t.start] = 1
	for i := range t.cards {
		clear(after)
		t.states(i, func(state int) {
			for pile, next := range t.next(i, state) {
				if next >= 0 {
					after[next] += before[state]
					out[i][pile] += before[state] * t.ways[i+1][next]
				}
			}
		})
		before, after = after, before
	}
	return out
}
