package knowledge

import (
	"math/bits"

	"roem/internal/engine/piquet"
)

// seatSet is a set of seats: bit s stands for piquet.Seat(s).
type seatSet uint8

// everyone is the set of all four seats.
const everyone seatSet = 1<<4 - 1

func only(s piquet.Seat) seatSet                { return 1 << (s & 3) }
func (g seatSet) has(s piquet.Seat) bool        { return g&only(s) != 0 }
func (g seatSet) with(s piquet.Seat) seatSet    { return g | only(s) }
func (g seatSet) without(s piquet.Seat) seatSet { return g &^ only(s) }
func (g seatSet) len() int                      { return bits.OnesCount8(uint8(g)) }
func (g seatSet) each(yield func(piquet.Seat) bool) { // in the order N E S W
	for _, s := range piquet.Seats() {
		if g.has(s) && !yield(s) {
			return
		}
	}
}

// owners says which seats may hold each of some cards, and how many of these cards each seat holds. A deal of the cards that agrees
// with both is a world.
type owners struct {
	cards piquet.Set  // the cards in question
	may   [32]seatSet // by card; only those of cards count
	left  [4]int      // the number of cards of each seat; their sum is the number of cards
}

// counts returns how many cards have each set of possible owners.
func (o *owners) counts() (n [1 << 4]int) {
	for rest := o.cards; rest != 0; rest &= rest - 1 {
		n[o.may[rest.First()]]++
	}
	return n
}

// possible reports whether there is a world. By Hall's theorem there is one if no set of seats must hold more cards than it has left.
func (o *owners) possible() bool {
	n := o.counts()
	return o.fits(&n)
}

// fits is possible for given counts.
func (o *owners) fits(n *[1 << 4]int) bool {
	for group := range everyone + 1 {
		must := 0
		for sub := group; ; sub = (sub - 1) & group {
			must += n[sub]
			if sub == 0 {
				break
			}
		}
		for s := range o.left {
			if group.has(piquet.Seat(s)) {
				must -= o.left[s]
			}
		}
		if must > 0 {
			return false
		}
	}
	return true
}

// forbid returns the owners without the worlds in which the seat holds one of the cards.
func (o *owners) forbid(s piquet.Seat, set piquet.Set) owners {
	out := *o
	for rest := set & o.cards; rest != 0; rest &= rest - 1 {
		c := rest.First()
		out.may[c] = out.may[c].without(s)
	}
	return out
}

// give returns the owners with only the worlds in which the seat holds every one of the cards. The seat must be a possible owner of each.
func (o *owners) give(s piquet.Seat, set piquet.Set) owners {
	out := *o
	for rest := set & o.cards; rest != 0; rest &= rest - 1 {
		out.may[rest.First()] = only(s)
	}
	return out
}

// hand returns the owners with only the worlds in which the seat holds exactly these cards.
func (o *owners) hand(s piquet.Seat, held piquet.Set) owners {
	out := o.give(s, held)
	return out.forbid(s, o.cards&^held)
}

// of returns the cards that a seat may hold, each card alone: hand sizes do not count.
func (o *owners) of(s piquet.Seat) (set piquet.Set) {
	for rest := o.cards; rest != 0; rest &= rest - 1 {
		if c := rest.First(); o.may[c].has(s) {
			set = set.With(c)
		}
	}
	return set
}

// most returns the greatest number of cards of a set that a seat holds in any world. The hands of a seat in all worlds are the bases of a
// matroid, so the greedy choice is the best.
func (o *owners) most(s piquet.Seat, set piquet.Set) (count int) {
	n := o.counts()
	for rest := set & o.cards; rest != 0; rest &= rest - 1 {
		may := o.may[rest.First()]
		if !may.has(s) {
			continue
		}
		n[may]--
		n[only(s)]++
		if o.fits(&n) {
			count++
			continue
		}
		n[may]++
		n[only(s)]--
	}
	return count
}

// least returns the smallest number of cards of a set that a seat holds in any world.
func (o *owners) least(s piquet.Seat, set piquet.Set) int {
	return o.left[s] - o.most(s, o.cards&^set)
}

// world returns one world, and false if there is none.
func (o owners) world() (w World, ok bool) {
	if !o.possible() {
		return w, false
	}
	for c := range o.cards.All() {
		for s := range o.may[c].each {
			with := o.give(s, piquet.SetOf(c))
			if with.possible() {
				o = with
				w[s] = w[s].With(c)
				break
			}
		}
	}
	return w, true
}

// worlds returns the number of worlds. That of all deals, 99561092450391000, fits in 64 bits.
func (o *owners) worlds() uint64 {
	// ways[a][b][c] is the number of ways to deal the cards so far with a, b and c cards left for the first three seats.
	type table [9][9][9]uint64
	ways, dealt := new(table), 0
	ways[o.left[0]][o.left[1]][o.left[2]] = 1
	total := o.cards.Len()
	for card := range o.cards.All() {
		next, may := new(table), o.may[card]
		dealt++
		for a := range o.left[0] + 1 {
			for b := range o.left[1] + 1 {
				for c := range o.left[2] + 1 {
					n := ways[a][b][c]
					if n == 0 {
						continue
					}
					if may.has(0) && a > 0 {
						next[a-1][b][c] += n //nolint:gosec // a is positive
					}
					if may.has(1) && b > 0 {
						next[a][b-1][c] += n
					}
					if may.has(2) && c > 0 {
						next[a][b][c-1] += n
					}
					if rest := total - dealt - a - b - c; may.has(3) && rest >= 0 {
						next[a][b][c] += n
					}
				}
			}
		}
		ways = next
	}
	return ways[0][0][0]
}

// each calls yield for every world, until it returns false.
func (o *owners) each(yield func(World) bool) {
	if o.possible() {
		o.deal(o.cards, World{}, yield)
	}
}

// deal completes a world in which the cards other than rest have been dealt.
func (o *owners) deal(rest piquet.Set, w World, yield func(World) bool) bool {
	if rest.Empty() {
		return yield(w)
	}
	c := rest.First()
	for s := range o.may[c].each {
		with := o.give(s, piquet.SetOf(c))
		if !with.possible() {
			continue
		}
		dealt := w
		dealt[s] = dealt[s].With(c)
		if !with.deal(rest.Without(c), dealt, yield) {
			return false
		}
	}
	return true
}
