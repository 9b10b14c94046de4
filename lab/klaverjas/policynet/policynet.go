// Package policynet trains networks of package policy in two stages. First a network learns the choices of players that search ([Imitate]).
// Then it learns from its own results ([Improve]): it plays hands with itself in all four seats, and at some of its decisions each legal
// card is played to the end of the hand, in the deal as it is. That deal is one of those that the seat holds possible, each as likely as
// it is at such a table. So the mean over many decisions is what the card is worth to a seat that does not see the others' cards.
package policynet

import (
	"math"

	"roem/internal/engine/piquet"
	"roem/internal/model/klaverjas/policy"
	"roem/internal/model/nn/f32"
)

// trainer is a network that is trained by Adam (Kingma and Ba 2015).
type trainer struct {
	n             *policy.Network
	parts         [][]float32
	grad          [][]float32
	moment1       [][]float32
	moment2       [][]float32
	space         policy.Space
	logits, slope [32]float32 // by card: the output, and the derivative of the loss by it
	p             [32]float64
	hidden        []float32
}

func newTrainer(n *policy.Network) *trainer {
	t := &trainer{n: n, parts: n.Params(), hidden: make([]float32, n.Hidden)}
	for _, p := range t.parts {
		t.grad, t.moment1, t.moment2 = append(t.grad, make([]float32, len(p))), append(t.moment1, make([]float32, len(p))), append(t.moment2,
			make([]float32, len(p)))
	}
	return t
}

// back adds the gradient of the decision that was last computed with t.space.
func (t *trainer) back(legal piquet.Set) {
	size := t.n.Hidden
	for i := range t.space.Cases[:t.space.Len] {
		c := &t.space.Cases[i]
		part, grad := &t.n.Parts[c.Part], t.grad[4*c.Part:][:4]
		clear(t.hidden)
		for s := legal.InSuit(c.Suit); s != 0; s &= s - 1 {
			card := s.First()
			f, x := int(card.Face()), t.slope[card]
			grad[3][f] += x
			row, to := part.Second[f*size:][:size], grad[2][f*size:][:size]
			for j, h := range c.Hidden {
				to[j] += float32(x * h)
				t.hidden[j] += float32(x * row[j])
			}
		}
		f32.Mask(t.hidden, c.Hidden)
		f32.Add(grad[1], t.hidden)
		for _, in := range c.In {
			f32.Add(grad[0][int(in)*size:][:size], t.hidden)
		}
	}
}

// step changes the parameters by the gradient of a batch, which it clears. The rate rises for 2 % of the steps and then falls to 0 as a
// cosine.
func (t *trainer) step(step, steps, batch int, rate, decay float64) {
	const beta1, beta2 = 0.9, 0.999
	x := (float64(step) + 0.5) / float64(steps)
	rate *= math.Min(1, x/0.02) * (0.5 + 0.5*math.Cos(math.Pi*x))
	n := float64(step + 1)
	adam := f32.Adam{
		Scale: 1 / float32(batch), Beta1: beta1, Rest1: 1 - beta1, Beta2: beta2, Rest2: 1 - beta2, Keep: float32(1 - rate*decay),
		Size: float32(rate / (1 - math.Pow(beta1, n))), S2: float32(1 / (1 - math.Pow(beta2, n))), Epsilon: 1e-8,
	}
	for i, p := range t.parts {
		adam.Step(p, t.moment1[i], t.moment2[i], t.grad[i])
		clear(t.grad[i])
	}
}
