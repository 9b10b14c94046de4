package logic

import (
	"fmt"

	"roem/internal/engine/klaverjas/worlds"
	"roem/internal/engine/piquet"
)

// MaxModel is the greatest number of worlds of a Model.
const MaxModel = 5000

// TooManyWorlds is the error for a question that needs a model with more than MaxModel worlds.
type TooManyWorlds struct {
	Worlds uint64 // the number of public worlds
	Why    string // what needs the model
}

// Error names the number of worlds.
func (e *TooManyWorlds) Error() string {
	return fmt.Sprintf("%s needs a model of all %d worlds that are possible to all, and the limit is %d", e.Why, e.Worlds, MaxModel)
}

// Model is the joint model of what the four seats know: an S5 Kripke model (the paper's section on Kripke models). Its worlds are all
// deals of the cards left that agree with what everybody has seen: the cards played, and those that lie open. A seat cannot tell two
// worlds apart if it has the same hand in both. A model is immutable.
type Model struct {
	trump   piquet.Suit
	dealt   [4]piquet.Set // the cards that each seat has played
	worlds  []worlds.World
	class   [4][]int32 // by seat and world: the number of the seat's equivalence class of the world
	classes [4]int     // by seat: the number of classes
}

// NewModel returns the joint model. Its error is a *TooManyWorlds.
func NewModel(k *worlds.Knowledge) (*Model, error) {
	public := k.Public()
	if n := public.Worlds(); n > MaxModel {
		return nil, &TooManyWorlds{n, "the joint model"}
	}
	m := &Model{trump: k.View().Trump, dealt: k.Dealt()}
	m.worlds = make([]worlds.World, 0, public.Worlds())
	for w := range public.Each {
		m.worlds = append(m.worlds, w)
	}
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
	return m, nil
}

// Same reports whether a seat cannot tell two worlds apart, given by their numbers.
func (m *Model) Same(s piquet.Seat, a, b int) bool { return m.class[s][a] == m.class[s][b] }

// Find returns the number of a world, and false if it is not one of the model.
func (m *Model) Find(w worlds.World) (int, bool) {
	for i := range m.worlds {
		if m.worlds[i] == w {
			return i, true
		}
	}
	return 0, false
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
