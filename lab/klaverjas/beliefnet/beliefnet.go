// Package beliefnet trains networks of package belief on games, and measures them. The loss is the negative logarithm of the probability
// that the belief gives to the true world. Its gradient is exact: for each card and seat, the probability of the belief less the truth.
package beliefnet

import (
	"context"
	"math"
	"math/rand/v2"

	"roem/internal/engine/klaverjas"
	"roem/internal/engine/klaverjas/worlds"
	"roem/internal/engine/piquet"
	"roem/internal/model/klaverjas/belief"
	"roem/lab/klaverjas/games"
)

// Example is a view of a game and the true world.
type Example struct {
	Knowledge *worlds.Knowledge
	World     worlds.World
}

// ExampleAt returns what a seat knew of a game after n cards, and the truth.
func ExampleAt(g *games.Game, n int, seat piquet.Seat) (Example, error) {
	start, err := klaverjas.NewPosition(g.Rules, g.Deal)
	if err != nil {
		return Example{}, err
	}
	p, err := start.Replay(g.Played[:n])
	if err != nil {
		return Example{}, err
	}
	k, err := worlds.New(worlds.ViewOf(p, g.Played[:n], seat))
	var w worlds.World
	for _, s := range piquet.Seats() {
		w[s] = p.Hand(s)
	}
	return Example{k, w}, err
}

// Settings configure a training.
type Settings struct {
	Hidden   int
	Batch    int
	Steps    int
	Rate     float64
	Decay    float64
	Seed     uint64
	Progress func(step int, loss float64) // the mean loss minus the loss of the uniform distribution since the last call
}

// Train trains a network on views of the games, drawn at random: a game, a number of cards played, and the seat to play.
func Train(ctx context.Context, all []games.Game, s Settings) (*belief.Network, error) {
	rng := rand.New(rand.NewPCG(s.Seed, 0xbe11ef))
	n := belief.New(s.Hidden)
	for i := range n.Parts {
		scale := math.Sqrt(2 / 40.0) // about 40 inputs are present
		for j := range n.Parts[i].First {
			n.Parts[i].First[j] = float32(rng.NormFloat64() * scale)
		}
	}
	var parts, grad, m1, m2 [8][]float32
	copy(parts[:], n.Params())
	for i, p := range parts {
		grad[i], m1[i], m2[i] = make([]float32, len(p)), make([]float32, len(p)), make([]float32, len(p))
	}
	var sp belief.Space
	back := make([]float32, s.Hidden)
	sum, count := 0.0, 0
	for step := range s.Steps {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		for i := range grad {
			clear(grad[i])
		}
		for range s.Batch {
			g := &all[rng.IntN(len(all))]
			at := rng.IntN(29) // the last trick has nothing to learn
			seat := piquet.Seat(rng.IntN(4))
			ex, err := ExampleAt(g, at, seat)
			if err != nil {
				return nil, err
			}
			loss, err := backward(n, &ex, &sp, back, &grad)
			if err != nil {
				return nil, err
			}
			sum += loss
			count++
		}
		x := (float64(step) + 0.5) / float64(s.Steps)
		rate := s.Rate * math.Min(1, x/0.02) * (0.5 + 0.5*math.Cos(math.Pi*x))
		adam(parts, grad, m1, m2, step, rate, s.Decay, float32(1/float64(s.Batch)))
		if (step+1)%100 == 0 {
			s.Progress(step+1, sum/float64(count))
			sum, count = 0, 0
		}
	}
	return n, nil
}

// backward adds the gradient of an example, and returns its loss minus the loss of the uniform distribution.
func backward(n *belief.Network, ex *Example, sp *belief.Space, back []float32, grad *[8][]float32) (float64, error) {
	k := ex.Knowledge
	w, err := n.Of(k, sp)
	if err != nil {
		return 0, err
	}
	loss := -w.LogProbability(ex.World) - math.Log(float64(k.Worlds()))
	for i := range sp.Cases {
		one := &sp.Cases[i]
		var d [belief.Outputs]float32
		some := false
		for f := range d {
			c := piquet.Of(one.Suit, piquet.Face(f))
			if !k.May(one.Target).Has(c) {
				continue
			}
			g := w.Probability(c, one.Target)
			if ex.World[one.Target].Has(c) {
				g--
			}
			d[f] = float32(g)
			some = some || g != 0
		}
		if some {
			backwardCase(&n.Parts[one.Part], one, &d, back, grad[4*one.Part:][:4])
		}
	}
	return loss, nil
}

func backwardCase(p *belief.Part, one *belief.Case, d *[belief.Outputs]float32, back []float32, grad [][]float32) {
	for j := range d {
		grad[3][j] += d[j]
	}
	for i, x := range one.Hidden {
		if x == 0 {
			back[i] = 0
			continue
		}
		row := p.Second[i*belief.Outputs:][:belief.Outputs]
		g := grad[2][i*belief.Outputs:][:belief.Outputs]
		var b float32
		for j, dj := range d {
			g[j] += x * dj
			b += row[j] * dj
		}
		back[i] = b
	}
	addRows(grad[0], grad[1], one.In, back)
}

func addRows(rows, bias []float32, in []uint16, d []float32) {
	width := len(d)
	for j := range d {
		bias[j] += d[j]
	}
	for _, i := range in {
		row := rows[int(i)*width:][:width]
		for j := range d {
			row[j] += d[j]
		}
	}
}

// adam is a step of Adam (Kingma and Ba 2015) with decoupled decay.
func adam(parts, grad, m1, m2 [8][]float32, step int, rate, decay float64, scale float32) {
	const beta1, beta2, epsilon = 0.9, 0.999, 1e-8
	c1, c2 := 1-math.Pow(beta1, float64(step+1)), 1-math.Pow(beta2, float64(step+1))
	size := float32(rate / c1)
	s2 := float32(1 / c2)
	keep := float32(1 - rate*decay)
	for p := range parts {
		g, a, b, x := grad[p], m1[p], m2[p], parts[p]
		for i := range x {
			gi := g[i] * scale
			a[i] = beta1*a[i] + (1-beta1)*gi
			b[i] = beta2*b[i] + (1-beta2)*gi*gi
			if a[i] != 0 {
				x[i] = keep*x[i] - size*a[i]/(float32(math.Sqrt(float64(b[i]*s2)))+epsilon)
			}
		}
	}
}
