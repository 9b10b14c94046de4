package policynet

import (
	"context"
	"math"
	"math/rand/v2"

	"roem/internal/engine/klaverjas/playout"
	"roem/internal/engine/piquet"
	"roem/internal/model/klaverjas/policy"
	"roem/lab/klaverjas/games"
)

// Decision is a choice between several legal cards.
type Decision struct {
	Table playout.Table // before the card
	Own   piquet.Set
	Legal piquet.Set
	Card  piquet.Card // the choice
}

// Decisions appends the choices of a game.
func Decisions(to []Decision, g *games.Game) []Decision {
	t := playout.NewTable(&g.Rules, g.Deal.Trump, g.Deal.Leader, g.Deal.Declarer)
	held := g.Deal.Hands
	for _, c := range g.Played {
		seat := t.Turn()
		if legal := t.Legal(held[seat]); legal.Len() > 1 {
			to = append(to, Decision{t, held[seat], legal, c})
		}
		t.Play(c)
		held[seat] = held[seat].Without(c)
	}
	return to
}

// Imitation are the settings of Imitate.
type Imitation struct {
	Hidden   int // the size of the hidden layer, a multiple of 8
	Batch    int // decisions of a step
	Steps    int
	Rate     float64
	Decay    float64
	Seed     uint64
	Start    *policy.Network              // the network to train, which is changed; nil for a new one
	Progress func(step int, loss float64) // the mean loss since the last call
}

// progressEvery is the number of steps between two calls of Progress.
const progressEvery = 200

// Imitate trains a network to choose as the players of the decisions did. The loss is the negative logarithm of the probability of the
// choice.
func Imitate(ctx context.Context, all []Decision, s Imitation) (*policy.Network, error) {
	rng := rand.New(rand.NewPCG(s.Seed, 0x9011c7))
	n := s.Start
	if n == nil {
		n = startNetwork(rng, s.Hidden)
	}
	t := newTrainer(n)
	order := rng.Perm(len(all))
	next, sum, count := 0, 0.0, 0
	for step := range s.Steps {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		for range s.Batch {
			d := &all[order[next]]
			if next++; next == len(order) {
				rng.Shuffle(len(order), func(i, j int) { order[i], order[j] = order[j], order[i] })
				next = 0
			}
			sum += t.imitate(d)
			count++
		}
		t.step(step, s.Steps, s.Batch, s.Rate, s.Decay)
		if (step+1)%progressEvery == 0 && s.Progress != nil {
			s.Progress(step+1, sum/float64(count))
			sum, count = 0, 0
		}
	}
	return n, nil
}

// startNetwork returns a network to begin with.
func startNetwork(rng *rand.Rand, hidden int) *policy.Network {
	n := policy.New(hidden)
	for i := range n.Parts {
		p := &n.Parts[i]
		for j := range p.First {
			p.First[j] = float32(rng.NormFloat64() * math.Sqrt(2/35.0)) // about 35 inputs are present
		}
		for j := range p.Second {
			p.Second[j] = float32(rng.NormFloat64() * math.Sqrt(1/float64(hidden)))
		}
	}
	return n
}

// imitate adds the gradient of a choice. It returns its loss.
func (t *trainer) imitate(d *Decision) float64 {
	t.n.Forward(&t.space, &d.Table, d.Own, d.Legal, &t.logits)
	playout.Probabilities(&t.logits, d.Legal, &t.p)
	for l := d.Legal; l != 0; l &= l - 1 {
		t.slope[l.First()] = float32(t.p[l.First()])
	}
	t.slope[d.Card]--
	t.back(d.Legal)
	return -math.Log(max(t.p[d.Card], 1e-12))
}
