package logic

import (
	"roem/internal/engine/klaverjas/worlds"
	"roem/internal/engine/piquet"
)

// Prove is Check without the joint model, however few worlds there are.
func Prove(k *worlds.Knowledge, f *Formula) (value bool, shown worlds.World, err error) {
	return newProver(k, MaxSteps).knows(k.View().Seat, k.Own(), f)
}

// ProveAt is CheckAt without the joint model.
func ProveAt(k *worlds.Knowledge, f *Formula, w worlds.World) (value bool, shown worlds.World, err error) {
	return newProver(k, MaxSteps).holds(w, f)
}

// Worlds returns the worlds. The caller must not change them.
func (m *Model) Worlds() []worlds.World { return m.worlds }

// True returns, by world, whether a formula is true there.
func (m *Model) True(f *Formula) []bool {
	truth := newEvaluation(m).truth(f, m.all())
	out := make([]bool, len(m.worlds))
	for i := range out {
		out[i] = truth.has(i)
	}
	return out
}

// NewModel returns the whole joint model, in which all cards are told apart.
func NewModel(k *worlds.Knowledge) *Model {
	public := k.Public()
	apart := make([]piquet.Set, 0, piquet.Deck.Len())
	for c := range piquet.Deck.All() {
		apart = append(apart, piquet.SetOf(c))
	}
	return newModel(k, kindsOf(&public, apart))
}

// ShapesFor returns the model that decides a formula, without what is folded.
func ShapesFor(k *worlds.Knowledge, f *Formula) *Model {
	public := k.Public()
	return newModel(k, kindsOf(&public, f.apart(k.View().Trump, nil)))
}

// CheckWithin is Check, or CheckAt if there is a world, with a smaller limit for the worlds of the joint model.
func CheckWithin(k *worlds.Knowledge, f *Formula, w *worlds.World, most uint32) (Answer, error) {
	return newQuestion(k, f, w, MaxSteps).answer(most)
}
