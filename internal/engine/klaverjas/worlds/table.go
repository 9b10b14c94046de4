package worlds

import (
	"math/bits"

	"roem/internal/engine/piquet"
)

// most is the largest number of unseen cards.
const most = 24

// choose holds the binomial coefficients: choose[n][k] is the number of sets of k of n cards.
var choose = func() (c [most + 1][most + 1]uint64) {
	for n := range c {
		c[n][0] = 1
		for k := 1; k <= n; k++ {
			c[n][k] = c[n-1][k-1] + c[n-1][k]
		}
	}
	return c
}()

// class is the unseen cards that the same seats may hold.
type class struct {
	cards piquet.Set
	size  int
	may   [3]bool // by the number of the other seat
}

// table counts worlds. The unseen cards fall into at most seven classes by the seats that may hold them. Within a class, only the number of
// cards that go to each seat matters, so the number of worlds is a sum over such numbers of products of multinomial coefficients.
type table struct {
	classes [7]class
	len     int
	need    [3]int
	worlds  uint64
	// ways[i][a][b] is the number of ways to deal the cards of the classes from i on, so that the first other seat gets a cards, the
	// second b, and the third the rest. It is 0 where a seat would get more than it needs. ways[0] is not used: worlds is the number that
	// is needed of it. Two or fewer seats may hold a card of the later classes, so no number exceeds 2^24.
	ways [8][9][9]uint32
	rest [8]int // the number of cards in the classes from i on
}

// order lists the sets of seats, as bits, by which classes are counted. The class with the most possibilities comes first, since only
// one number is needed of the first.
var order = [7]uint{7, 3, 5, 6, 1, 2, 4}

// fill counts the worlds. allowed are the cards that each other seat may hold, and need is how many it holds.
func (t *table) fill(unseen piquet.Set, allowed [3]piquet.Set, need [3]int) bool {
	t.need, t.len = need, 0
	for _, seats := range order {
		in := unseen
		c := class{}
		for o := range c.may {
			if c.may[o] = seats>>o&1 != 0; c.may[o] {
				in &= allowed[o]
			} else {
				in &^= allowed[o]
			}
		}
		if in.Empty() {
			continue
		}
		c.cards, c.size = in, in.Len()
		unseen &^= in
		t.classes[t.len] = c
		t.len++
	}
	if !unseen.Empty() || need[0] < 0 || need[1] < 0 || need[2] < 0 {
		return false // a card that no seat may hold
	}
	t.rest[t.len] = 0
	for i := t.len - 1; i >= 0; i-- {
		t.rest[i] = t.rest[i+1] + t.classes[i].size
	}
	if t.rest[0] != need[0]+need[1]+need[2] {
		return false
	}
	t.ways[t.len][0][0] = 1
	for i := t.len - 1; i > 0; i-- {
		for a := range need[0] + 1 {
			for b := range need[1] + 1 {
				if c := t.rest[i] - a - b; c >= 0 && c <= need[2] {
					t.ways[i][a][b] = uint32(t.sum(i, a, b))
				}
			}
		}
	}
	t.worlds = 1
	if t.len > 0 {
		t.worlds = t.sum(0, need[0], need[1])
	}
	return t.worlds > 0
}

// sum returns ways[i][a][b] from ways[i+1].
func (t *table) sum(i, a, b int) uint64 {
	var sum uint64
	for s := t.first(i, a, b); s.next(); {
		sum += s.ways
	}
	return sum
}

// split runs over the ways to divide the cards of a class among the three seats.
type split struct {
	t          *table
	i, a, b, c int // the class, and how many cards the seats still need
	x, y       int // how many cards of the class the first two seats get
	xs, ys     int // the largest x and y
	within     uint64
	later      uint64
	ways       uint64 // of these numbers: the arrangements within the class, times the arrangements of the later classes
}

// first returns the splits of class i where the first two seats need a and b cards. Call next before the first use.
func (t *table) first(i, a, b int) split {
	class := &t.classes[i]
	s := split{t: t, i: i, a: a, b: b, c: t.rest[i] - a - b, x: -1, y: 0, ys: -1}
	if class.may[0] {
		s.xs = min(a, class.size)
	}
	return s
}

// next moves to the next split with at least one world, and reports whether there is one.
func (s *split) next() bool {
	class := &s.t.classes[s.i]
	for {
		s.y++
		if s.y > s.ys {
			s.x++
			if s.x > s.xs {
				return false
			}
			left := class.size - s.x
			s.ys = 0
			if class.may[1] {
				s.ys = min(s.b, left)
			}
			s.y = 0
			if class.may[2] {
				s.y = max(0, left-s.c)
			} else {
				s.y = left
			}
			if s.y > s.ys {
				continue
			}
		}
		if s.later = uint64(s.t.ways[s.i+1][s.a-s.x][s.b-s.y]); s.later == 0 {
			continue
		}
		left := class.size - s.x
		s.within = choose[class.size][s.x] * choose[left][s.y]
		s.ways = s.within * s.later
		return true
	}
}

// shares returns, for each class and each other seat, the share of the worlds in which the seat holds a given card of the class: the mean
// number of cards of the class that it holds, divided by their number. Forward and backward counts give it exactly.
func (t *table) shares() (shares [7][3]float64) {
	var before, after [9][9]uint64 // the ways to have dealt the earlier classes, by what the first two seats still need
	before[t.need[0]][t.need[1]] = 1
	for i := range t.len {
		class := &t.classes[i]
		var held [3]uint64 // the sum over all worlds of the cards of the class held by each seat
		clear(after[:])
		for a := range t.need[0] + 1 {
			for b := range t.need[1] + 1 {
				ways := before[a][b]
				if ways == 0 {
					continue
				}
				for s := t.first(i, a, b); s.next(); {
					worlds := ways * s.ways
					held[0] += worlds * uint64(s.x)
					held[1] += worlds * uint64(s.y)
					held[2] += worlds * uint64(class.size-s.x-s.y)
					after[a-s.x][b-s.y] += ways * s.within
				}
			}
		}
		for o := range held {
			shares[i][o] = float64(held[o]) / (float64(class.size) * float64(t.worlds))
		}
		before = after
	}
	return shares
}

// world returns the cards of the three other seats in world n.
func (t *table) world(n uint64) (hands [3]piquet.Set) {
	a, b := t.need[0], t.need[1]
	for i := range t.len {
		s := t.first(i, a, b)
		for s.next() && n >= s.ways {
			n -= s.ways
		}
		class := &t.classes[i]
		left := class.size - s.x
		within := n / s.later
		n %= s.later
		first := subset(class.cards, class.size, s.x, within/choose[left][s.y])
		second := subset(class.cards&^first, left, s.y, within%choose[left][s.y])
		hands[0] |= first
		hands[1] |= second
		hands[2] |= class.cards &^ (first | second)
		a -= s.x
		b -= s.y
	}
	return hands
}

// number returns the number of the world with these hands of the three other seats, and false if it is not a world.
func (t *table) number(hands [3]piquet.Set) (uint64, bool) {
	a, b := t.need[0], t.need[1]
	var n uint64
	for i := range t.len {
		class := &t.classes[i]
		first, second := hands[0]&class.cards, hands[1]&class.cards
		x, y := first.Len(), second.Len()
		s := t.first(i, a, b)
		for {
			if !s.next() {
				return 0, false
			}
			if s.x == x && s.y == y {
				break
			}
			n += s.ways
		}
		left := class.size - x
		within := place(class.cards, class.size, first)*choose[left][y] + place(class.cards&^first, left, second)
		n += within * s.later
		a -= x
		b -= y
	}
	return n, true
}

// subset returns the set of k of the n cards of s that has number i in lexicographic order, in which sets with a lower card come first.
func subset(s piquet.Set, n, k int, i uint64) (out piquet.Set) {
	for ; k > 0; s &= s - 1 {
		n--
		if with := choose[n][k-1]; i < with {
			out |= s & -s
			k--
		} else {
			i -= with
		}
	}
	return out
}

// place returns the number of the set in among the sets of equally many of the n cards of s. It is the inverse of subset.
func place(s piquet.Set, n int, in piquet.Set) (i uint64) {
	for k := bits.OnesCount32(uint32(in)); k > 0; s &= s - 1 {
		n--
		if s&-s&in != 0 {
			k--
		} else {
			i += choose[n][k-1]
		}
	}
	return i
}
