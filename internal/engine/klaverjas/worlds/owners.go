package worlds

import (
	"math/bits"

	"roem/internal/engine/piquet"
)

// SeatSet is a set of seats: bit s stands for piquet.Seat(s).
type SeatSet uint8

// Everyone is the set of all four seats.
const Everyone SeatSet = 1<<4 - 1

// Only returns the set of one seat.
func Only(s piquet.Seat) SeatSet { return 1 << (s & 3) }

// Has reports whether the seat is in the set.
func (g SeatSet) Has(s piquet.Seat) bool { return g&Only(s) != 0 }

// With returns the set with the seat.
func (g SeatSet) With(s piquet.Seat) SeatSet { return g | Only(s) }

// Without returns the set without the seat.
func (g SeatSet) Without(s piquet.Seat) SeatSet { return g &^ Only(s) }

// Len returns the number of seats.
func (g SeatSet) Len() int { return bits.OnesCount8(uint8(g)) }

// first returns the first seat of a set that is not empty.
func (g SeatSet) first() piquet.Seat { return piquet.Seat(bits.TrailingZeros8(uint8(g))) }

// Each yields the seats of the set in the order N E S W.
func (g SeatSet) Each(yield func(piquet.Seat) bool) {
	for _, s := range piquet.Seats() {
		if g.Has(s) && !yield(s) {
			return
		}
	}
}

// Owners says which seats may hold each of some cards, and how many of these cards each seat holds. A deal of the cards that agrees
// with both is a world.
type Owners struct {
	cards piquet.Set  // the cards in question
	may   [32]SeatSet // by card; only the bits of cards count
	left  [4]int      // the number of cards of each seat; their sum is the number of cards
}

// counts returns how many cards have each set of possible owners.
func (o *Owners) counts() (n [1 << 4]int) {
	for rest := o.cards; rest != 0; rest &= rest - 1 {
		n[o.may[rest.First()]]++
	}
	return n
}

// Possible reports whether there is a world. By Hall's theorem there is one if no set of seats must hold more cards than it has left.
func (o *Owners) Possible() bool {
	n := o.counts()
	return o.fits(&n)
}

// fits is Possible for given counts.
func (o *Owners) fits(n *[1 << 4]int) bool {
	for group := range Everyone + 1 {
		must := 0
		for sub := group; ; sub = (sub - 1) & group {
			must += n[sub]
			if sub == 0 {
				break
			}
		}
		for s := range o.left {
			if group.Has(piquet.Seat(s)) {
				must -= o.left[s]
			}
		}
		if must > 0 {
			return false
		}
	}
	return true
}

// Forbid returns the owners without the worlds in which the seat holds one of the cards.
func (o *Owners) Forbid(s piquet.Seat, set piquet.Set) Owners {
	out := *o
	for rest := set & o.cards; rest != 0; rest &= rest - 1 {
		c := rest.First()
		out.may[c] = out.may[c].Without(s)
	}
	return out
}

// Give returns the owners with only the worlds in which the seat holds every one of the cards. The seat must be a possible owner of each.
func (o *Owners) Give(s piquet.Seat, set piquet.Set) Owners {
	out := *o
	for rest := set & o.cards; rest != 0; rest &= rest - 1 {
		out.may[rest.First()] = Only(s)
	}
	return out
}

// Hand returns the owners with only the worlds in which the seat holds exactly these cards.
func (o *Owners) Hand(s piquet.Seat, held piquet.Set) Owners {
	out := o.Give(s, held)
	return out.Forbid(s, o.cards&^held)
}

// Of returns the cards that a seat may hold, each card alone: hand sizes do not count.
func (o *Owners) Of(s piquet.Seat) (set piquet.Set) {
	for rest := o.cards; rest != 0; rest &= rest - 1 {
		if c := rest.First(); o.may[c].Has(s) {
			set = set.With(c)
		}
	}
	return set
}

// most returns the greatest number of cards of a set that a seat holds in any world. The hands of a seat in all worlds are the bases of a
// matroid, so the greedy choice is the best.
func (o *Owners) most(s piquet.Seat, set piquet.Set) (count int) {
	n := o.counts()
	for rest := set & o.cards; rest != 0; rest &= rest - 1 {
		may := o.may[rest.First()]
		if !may.Has(s) {
			continue
		}
		n[may]--
		n[Only(s)]++
		if o.fits(&n) {
			count++
			continue
		}
		n[may]++
		n[Only(s)]--
	}
	return count
}

// least returns the smallest number of cards of a set that a seat holds in any world.
func (o *Owners) least(s piquet.Seat, set piquet.Set) int {
	return o.left[s] - o.most(s, o.cards&^set)
}

// World returns one world, and false if there is none.
func (o Owners) World() (w World, ok bool) {
	if !o.Possible() {
		return w, false
	}
	for c := range o.cards.All() {
		for s := range o.may[c].Each {
			with := o.Give(s, piquet.SetOf(c))
			if with.Possible() {
				o = with
				w[s] = w[s].With(c)
				break
			}
		}
	}
	return w, true
}

// Worlds returns the number of worlds. The number of all deals, 99561092450391000, fits in 64 bits.
func (o *Owners) Worlds() uint64 {
	// ways[a][b][c] is the number of ways to deal the cards so far with a, b and c cards left for the first three seats.
	type table [9][9][9]uint64
	var tables [2]table
	ways, next, dealt := &tables[0], &tables[1], 0
	ways[o.left[0]][o.left[1]][o.left[2]] = 1
	total := o.cards.Len()
	for card := range o.cards.All() {
		may := o.may[card]
		*next = table{}
		dealt++
		for a := range o.left[0] + 1 {
			for b := range o.left[1] + 1 {
				for c := range o.left[2] + 1 {
					n := ways[a][b][c]
					if n == 0 {
						continue
					}
					if may.Has(0) && a > 0 {
						next[a-1][b][c] += n
					}
					if may.Has(1) && b > 0 {
						next[a][b-1][c] += n
					}
					if may.Has(2) && c > 0 {
						next[a][b][c-1] += n
					}
					if rest := total - dealt - a - b - c; may.Has(3) && rest >= 0 {
						next[a][b][c] += n
					}
				}
			}
		}
		ways, next = next, ways
	}
	return ways[0][0][0]
}

// Each calls yield for every world, until it returns false.
func (o *Owners) Each(yield func(World) bool) {
	if o.Possible() {
		o.deal(o.cards, World{}, yield)
	}
}

// deal completes a world in which the cards other than rest have been dealt.
func (o *Owners) deal(rest piquet.Set, w World, yield func(World) bool) bool {
	if rest.Empty() {
		return yield(w)
	}
	c := rest.First()
	for s := range o.may[c].Each {
		with := o.Give(s, piquet.SetOf(c))
		if !with.Possible() {
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

// Holders returns the seats that hold a card in at least one world, in the order N E S W.
func (o *Owners) Holders(c piquet.Card) (out []piquet.Seat) {
	for s := range o.may[c].Each {
		with := o.Give(s, piquet.SetOf(c))
		if with.Possible() {
			out = append(out, s)
		}
	}
	return out
}

// May returns the seats that may hold a card, the card alone: hand sizes do not count.
func (o *Owners) May(c piquet.Card) SeatSet { return o.may[c&31] }

// Left returns how many of the cards each seat holds.
func (o *Owners) Left() [4]int { return o.left }

// Alike yields the cards in groups, each with the seats that hold a card of the group in at least one world: the same for all its cards.
// Where two cards of a group change places, a world stays a world.
func (o *Owners) Alike(yield func(cards piquet.Set, holders SeatSet) bool) {
	var known [1 << 4]SeatSet // by the seats that may hold a card, the card alone
	var groups [1 << 4]piquet.Set
	for rest := o.cards; rest != 0; rest &= rest - 1 {
		c := rest.First()
		may := o.may[c]
		if known[may] == 0 {
			for _, s := range o.Holders(c) {
				known[may] |= Only(s)
			}
		}
		groups[known[may]] = groups[known[may]].With(c)
	}
	for holders, cards := range groups {
		if cards != 0 && !yield(cards, SeatSet(holders)) {
			return
		}
	}
}
