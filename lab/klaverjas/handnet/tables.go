package handnet

import (
	"math/rand/v2"

	"roem/internal/model/klaverjas/hand"
	"roem/internal/model/nn/f32"
)

// table is the table of a kind of suit in training. A row, for a set of cards, is the sum of a vector of each card, a vector of each pair
// of cards, and a rest of its own, which decays. So what is learned of common sets of cards holds for rare ones too.
type table struct {
	matrix hand.Matrix
	parts  []float32 // cards and pairs: parts x width
	grad   []float32 // of the parts
	rest   []float32
	// Adam's moments.
	m, v         []float32
	restM, restV []float32
}

// sets holds the parts of each set of cards: the cards, then the pairs.
var sets, parts = func() (sets [256][]int, parts int) {
	add := func(cards int) {
		for set := range &sets {
			if set&cards == cards {
				sets[set] = append(sets[set], parts)
			}
		}
		parts++
	}
	for a := range 8 {
		add(1 << a)
	}
	for a := range 8 {
		for b := range a {
			add(1<<a | 1<<b)
		}
	}
	return sets, parts
}()

func newTable(m hand.Matrix, rng *rand.Rand) *table {
	t := &table{matrix: m}
	for _, x := range []*[]float32{&t.parts, &t.grad, &t.m, &t.v} {
		*x = make([]float32, parts*m.Out)
	}
	for _, x := range []*[]float32{&t.rest, &t.restM, &t.restV} {
		*x = make([]float32, m.In*m.Out)
	}
	for i := range t.parts[:8*m.Out] {
		t.parts[i] = float32(rng.NormFloat64() * 0.35)
	}
	return t
}

// write writes the rows to the parameters of a network.
func (t *table) write(params []float32) {
	copy(t.matrix.Of(params), t.rest)
	for set, of := range &sets {
		row := t.matrix.Row(params, set)
		for _, part := range of {
			f32.Add(row, t.parts[part*len(row):][:len(row)])
		}
	}
}

// update updates the parts and the rests by the gradient of the rows.
func (t *table) update(a f32.Adam, grads []float32, keep float32) {
	clear(t.grad)
	for set, of := range &sets {
		row := t.matrix.Row(grads, set)
		for _, part := range of {
			f32.Add(t.grad[part*len(row):][:len(row)], row)
		}
	}
	a.Keep = 1
	a.Step(t.parts, t.m, t.v, t.grad)
	a.Keep = keep
	a.Step(t.rest, t.restM, t.restV, t.matrix.Of(grads))
}
