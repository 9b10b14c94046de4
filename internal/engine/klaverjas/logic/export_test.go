package logic

import "roem/internal/engine/klaverjas/worlds"

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
