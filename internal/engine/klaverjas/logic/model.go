package logic

import (
	"fmt"

	"roem/internal/engine/klaverjas/worlds"
	"roem/internal/engine/piquet"
)

// MaxModel is the greatest number of worlds of a Model.
const MaxModel = 200_000

// TooManyWorlds is the error for a question that needs a model with more than MaxModel worlds.
type TooManyWorlds struct {
	Worlds uint64 // the number of public worlds
	Shapes uint64 // the number of worlds of the model that has the fewest of those known to decide the question; a lower bound
	Why    string // what needs the model
}

// Error names the numbers of worlds.
func (e *TooManyWorlds) Error() string {
	return fmt.Sprintf("%s needs a model of the %d worlds that are possible to all; put together where the formula and the play cannot tell "+
		"them apart they are %d or more, and the limit is %d", e.Why, e.Worlds, e.Shapes, MaxModel)
}

// Model is the joint model of what the four seats know: an S5 Kripke model (the paper's section on Kripke models). The worlds of the whole
// model are all deals of the cards left that agree with what everybody has seen: the cards played, and those that lie open. A seat cannot
// tell two worlds apart if it has the same hand in both.
//
// The worlds of this model are the shapes of those worlds for the kinds of cards that a formula tells apart, and a seat cannot tell two
// shapes apart if it holds equally many cards of each kind in both. The formula has the same value in a world and in its shape. For the
// exchanges of cards of a kind are automorphisms of the whole model that keep the atoms of the formula, shapes are the orbits of worlds
// under them, and a model is bisimilar to its quotient by automorphisms: if a seat holds equally many cards of each kind in two shapes, an
// exchange makes its hand the same in any world of the one and some world of the other. A model is immutable.
type Model struct {
	trump   piquet.Suit
	dealt   [4]piquet.Set // the cards that each seat has played
	kinds   *kinds        // nil for the model of one card
	worlds  []worlds.World
	class   [4][]int32 // by seat and world: the number of the seat's equivalence class of the world
	classes [4]int     // by seat: the number of classes
}

// newModel returns the model of the shapes of the public worlds of some knowledge.
func newModel(k *worlds.Knowledge, of *kinds) *Model {
	m := &Model{trump: k.View().Trump, dealt: k.Dealt(), kinds: of, worlds: make([]worlds.World, 0, of.shapes())}
	of.each(func(shape worlds.World) { m.worlds = append(m.worlds, shape) })
	m.classify()
	return m
}

// newCardModel returns the paper's model of one card, whose worlds are the seats that hold it in some world. It is a projection of the
// joint model, which knows more: see faithful.
func newCardModel(k *worlds.Knowledge, c piquet.Card) *Model {
	m := &Model{trump: k.View().Trump, dealt: k.Dealt()}
	public := k.Public()
	for _, s := range public.Holders(c) {
		var w worlds.World
		w[s] = piquet.SetOf(c)
		m.worlds = append(m.worlds, w)
	}
	m.classify()
	return m
}

// classify numbers the equivalence classes.
func (m *Model) classify() {
	numbers := make(map[piquet.Set]int32)
	for s := range m.class {
		clear(numbers)
		m.class[s] = make([]int32, len(m.worlds))
		for i, w := range m.worlds {
			number, ok := numbers[w[s]]
			if !ok {
				number = int32(len(numbers))
				numbers[w[s]] = number
			}
			m.class[s][i] = number
		}
		m.classes[s] = len(numbers)
	}
}

// Same reports whether a seat cannot tell two worlds apart, given by their numbers.
func (m *Model) Same(s piquet.Seat, a, b int) bool { return m.class[s][a] == m.class[s][b] }

// Find returns the number of the shape of a world, and false if it is not one of the model.
func (m *Model) Find(w worlds.World) (int, bool) {
	for s := range w {
		w[s] = m.kinds.shape(w[s])
	}
	for i := range m.worlds {
		if m.worlds[i] == w {
			return i, true
		}
	}
	return 0, false
}

// faithful reports whether the formulas about one card have the same values in the model of the card as in this model, in every world. They
// do if the map from a world to the holder of the card keeps what each seat holds possible: where a seat does not hold the card, it must
// hold every other holder possible. Then the map is a bisimulation.
func (m *Model) faithful(c piquet.Card) bool {
	var all worlds.SeatSet
	holder := make([]worlds.SeatSet, len(m.worlds))
	for i, w := range m.worlds {
		for s, hand := range w {
			if hand.Has(c) {
				holder[i] = worlds.Only(piquet.Seat(s))
			}
		}
		all |= holder[i]
	}
	for _, s := range piquet.Seats() {
		met := make([]worlds.SeatSet, m.classes[s])
		for i, class := range m.class[s] {
			met[class] |= holder[i]
		}
		for _, holders := range met {
			if holders != worlds.Only(s) && holders != all.Without(s) {
				return false
			}
		}
	}
	return true
}

// all returns the domain of the whole model.
func (m *Model) all() *domain {
	d := &domain{in: m.none()}
	for i := range m.worlds {
		d.in.add(i)
	}
	return d
}

// none returns an empty set of worlds of the model.
func (m *Model) none() worldSet { return make(worldSet, (len(m.worlds)+63)/64) }

// domain is the part of a model that announcements have left.
type domain struct{ in worldSet }

// worldSet is a set of worlds of a model, by their numbers: world i is bit i%64 of word i/64. Bits above the last world mean nothing.
type worldSet []uint64

func (s worldSet) has(i int) bool { return s[i/64]>>(i%64)&1 != 0 }
func (s worldSet) add(i int)      { s[i/64] |= 1 << (i % 64) }
