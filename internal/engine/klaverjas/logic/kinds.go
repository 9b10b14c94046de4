package logic

import (
	"cmp"
	"math"
	"slices"

	"roem/internal/engine/klaverjas/worlds"
	"roem/internal/engine/piquet"
)

// kind is cards left that neither a formula nor what all have seen tells apart: the same seats hold each of them in some world, and each is
// in the same of the sets of cards that the formula speaks of. Where two of them change places, a world stays a world, and the formula
// keeps its value.
type kind struct {
	cards piquet.Set
	may   worlds.SeatSet
	first [9]piquet.Set // by number: the first cards of the kind
}

// kinds counts the shapes of the worlds: how many cards of each kind each seat holds. A shape is written as a world in which a seat with x
// cards of a kind has the first x cards of it, so that several seats may have the same card.
type kinds struct {
	list []kind
	left [4]int
	rest []int      // by kind: the number of cards of it and of the kinds after it
	ways [][]uint32 // by kind, and by what the first three seats still need: the number of shapes of the rest, and 1; 0 if unknown
}

// enough is where the counting of shapes ends.
const enough = math.MaxUint32 - 1

// kindsOf returns the kinds of the cards of some owners, where some sets of cards are told apart from the other cards.
func kindsOf(o *worlds.Owners, apart []piquet.Set) *kinds {
	k := &kinds{left: o.Left()}
	for cards, may := range o.Alike {
		split := []piquet.Set{cards}
		for _, set := range apart {
			for i, in := range split {
				if both := in & set; both != 0 && both != in {
					split[i] = both
					split = append(split, in&^set)
				}
			}
		}
		for _, set := range split {
			k.list = append(k.list, newKind(set, may))
		}
	}
	// The last kind takes what is left, so its size costs nothing. Of the others the largest come first, where few shapes precede them.
	slices.SortStableFunc(k.list, func(a, b kind) int { return cmp.Compare(b.spread(), a.spread()) })
	if len(k.list) > 0 {
		k.list = append(k.list[1:], k.list[0])
	}
	k.rest = make([]int, len(k.list)+1)
	for i := len(k.list) - 1; i >= 0; i-- {
		k.rest[i] = k.rest[i+1] + k.list[i].cards.Len()
	}
	k.ways = make([][]uint32, len(k.list))
	return k
}

func newKind(cards piquet.Set, may worlds.SeatSet) kind {
	k := kind{cards: cards, may: may}
	n := 0
	for c := range cards.All() {
		if n++; n == len(k.first) {
			break
		}
		k.first[n] = k.first[n-1].With(c)
	}
	return k
}

// spread grows with the number of ways to divide the kind among its holders.
func (k *kind) spread() int { return k.may.Len()*32 + k.cards.Len() }

// splits yields the ways to divide the kind among the seats, none of which gets more than it needs.
func (k *kind) splits(need [4]int, yield func(given [4]int) bool) {
	size := k.cards.Len()
	var most [4]int
	for s := range k.may.Each {
		most[s] = min(need[s], size)
	}
	for a := range most[0] + 1 {
		for b := range min(most[1], size-a) + 1 {
			left := size - a - b
			for c := max(0, left-most[3]); c <= min(most[2], left); c++ {
				if !yield([4]int{a, b, c, left - c}) {
					return
				}
			}
		}
	}
}

// count returns the number of shapes of the kinds from i on, where the seats need as many cards.
func (k *kinds) count(i int, need [4]int) uint32 {
	if i == len(k.list) {
		return 1
	}
	if i == len(k.list)-1 {
		for s, n := range need {
			if n > 0 && !k.list[i].may.Has(piquet.Seat(s)) {
				return 0
			}
		}
		return 1
	}
	if k.ways[i] == nil {
		k.ways[i] = make([]uint32, (k.left[0]+1)*(k.left[1]+1)*(k.left[2]+1))
	}
	known := &k.ways[i][(need[0]*(k.left[1]+1)+need[1])*(k.left[2]+1)+need[2]]
	if *known == 0 {
		sum := uint64(0)
		for given := range func(yield func([4]int) bool) { k.list[i].splits(need, yield) } {
			sum += uint64(k.count(i+1, minus(need, given)))
		}
		*known = uint32(min(sum, enough)) + 1
	}
	return *known - 1
}

func minus(a, b [4]int) [4]int { return [4]int{a[0] - b[0], a[1] - b[1], a[2] - b[2], a[3] - b[3]} }

// shapes returns the number of shapes, or enough.
func (k *kinds) shapes() uint32 { return k.count(0, k.left) }

// each yields all shapes.
func (k *kinds) each(yield func(shape worlds.World)) { k.from(0, k.left, worlds.World{}, yield) }

func (k *kinds) from(i int, need [4]int, shape worlds.World, yield func(shape worlds.World)) {
	if i == len(k.list) {
		yield(shape)
		return
	}
	one := &k.list[i]
	one.splits(need, func(given [4]int) bool {
		left := minus(need, given)
		if k.count(i+1, left) > 0 {
			with := shape
			for s, n := range given {
				with[s] |= one.first[n]
			}
			k.from(i+1, left, with, yield)
		}
		return true
	})
}

// shape returns the shape of the hands of a world, or of one hand.
func (k *kinds) shape(hand piquet.Set) (shape piquet.Set) {
	for i := range k.list {
		one := &k.list[i]
		shape |= one.first[(hand & one.cards).Len()]
	}
	return shape
}

// holding returns the number of worlds of a shape in which a seat has a hand, whose shape must be the one of the seat.
func (k *kinds) holding(s piquet.Seat, hand piquet.Set, shape worlds.World) uint64 {
	n := uint64(1)
	for i := range k.list {
		one := &k.list[i]
		left := one.cards.Len() - (hand & one.cards).Len()
		for other := range worlds.Everyone.Without(s).Each {
			given := (shape[other] & one.cards).Len()
			n *= binomial[left][given]
			left -= given
		}
	}
	return n
}

// world returns a world of a shape in which a seat has a hand, whose shape must be the one of the seat.
func (k *kinds) world(s piquet.Seat, hand piquet.Set, shape worlds.World) worlds.World {
	w := worlds.World{}
	w[s] = hand
	for i := range k.list {
		one := &k.list[i]
		left := one.cards &^ hand
		for other := range worlds.Everyone.Without(s).Each {
			for range (shape[other] & one.cards).Len() {
				c := left.First()
				left = left.Without(c)
				w[other] = w[other].With(c)
			}
		}
	}
	return w
}

// binomial holds the binomial coefficients.
var binomial = func() (c [33][33]uint64) {
	for n := range c {
		c[n][0] = 1
		for k := 1; k <= n; k++ {
			c[n][k] = c[n-1][k-1] + c[n-1][k]
		}
	}
	return c
}()
