package ginrummy

import (
	"math"
	"math/rand/v2"
	"testing"

	"roem/internal/engine/ginrummy"
)

// The gradient agrees with the loss: a step in each of some parameters changes the loss as it says.
func TestGradient(t *testing.T) {
	var rows []Row
	if err := EachRow(t.Context(), 5, 0, 2, func(r *Row) { rows = append(rows, *r) }); err != nil {
		t.Fatal(err)
	}
	rows = rows[:16]
	rng := rand.New(rand.NewPCG(1, 2))
	n := start(rng, 32)
	for _, p := range n.Params() { // no bias is 0
		for i := range p {
			p[i] += float32(0.05 * rng.NormFloat64())
		}
	}
	n.Pack()
	tr := newTrainer(n)
	loss := func() (sum float64) {
		tr.turn()
		for i := range rows {
			tr.space.In.Fill(&rows[i].View)
			sum += tr.row(rows[i].Hand)
		}
		return sum
	}
	loss()
	gradient := make([][]float32, len(tr.grad))
	for i, g := range tr.grad {
		gradient[i] = append([]float32(nil), g...)
	}
	for list, p := range n.Params() {
		checked := 0
		for range 4000 {
			i := rng.IntN(len(p))
			g := float64(gradient[list][i])
			if math.Abs(g) < 0.05 {
				continue
			}
			const by = 5e-4
			was := p[i]
			p[i] = was + by
			up := loss()
			p[i] = was - by
			down := loss()
			p[i] = was
			if got := (up - down) / (2 * by); math.Abs(got-g) > 0.03*math.Abs(g)+0.05 {
				t.Errorf("list %d, parameter %d: the loss changes by %g, the gradient is %g", list, i, got, g)
			}
			if checked++; checked == 8 {
				break
			}
		}
		if checked == 0 {
			t.Errorf("list %d: no parameter was checked", list)
		}
	}
}

// No deal of the rows to learn from is among those that are held back, in either order of the hands.
func TestSplit(t *testing.T) {
	type dealt struct{ a, b ginrummy.Set }
	seen := map[dealt]bool{}
	const deals = 2000
	for i := range uint64(deals) {
		d := DealOf(9001, i)
		seen[dealt{d.Hands[0], d.Hands[1]}] = true
	}
	if len(seen) != deals {
		t.Errorf("%d of %d deals differ", len(seen), deals)
	}
	for i := range uint64(deals) {
		d := DealOf(9002, i)
		if seen[dealt{d.Hands[0], d.Hands[1]}] || seen[dealt{d.Hands[1], d.Hands[0]}] {
			t.Errorf("deal %d is in both", i)
		}
	}
}
