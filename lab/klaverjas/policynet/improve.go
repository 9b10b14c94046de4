package policynet

import (
	"context"
	"math"
	"math/rand/v2"

	"roem/internal/engine/klaverjas"
	"roem/internal/engine/klaverjas/playout"
	"roem/internal/engine/piquet"
	"roem/internal/model/klaverjas/policy"
	"roem/lab/klaverjas/games"
)

// Improvement are the settings of Improve.
type Improvement struct {
	Batch   int // decisions of a step
	PerGame int // decisions of a hand that are learned from
	Steps   int
	Rate    float64
	Entropy float64 // what a nat of entropy is worth, in units of Scale points: it keeps the network from settling too early
	Seed    uint64
	// Progress is called with the mean of what the network's choice earned above a random card, in points, since the last call. Its error
	// ends the training.
	Progress func(step int, gain float64) error
}

// Scale is the number of points that counts as 1 in the loss.
const Scale = 50

// moment is a decision of a hand under way.
type moment struct {
	table playout.Table
	held  [4]piquet.Set
	legal piquet.Set
}

// Improve trains a network in place by the gradient of its own expected result (Sutton and others 2000, with all actions of a state). The
// result of a card is the result of the likeliest play of all seats after it. The hands are under the default rules of Rotterdam and
// Amsterdam.
func Improve(ctx context.Context, n *policy.Network, s Improvement) error {
	rng := rand.New(rand.NewPCG(s.Seed, 0x196a17))
	t := newTrainer(n)
	seat := n.Seat()
	var moments []moment
	gain, count := 0.0, 0
	for step := range s.Steps {
		if err := ctx.Err(); err != nil {
			return err
		}
		for done := 0; done < s.Batch; {
			rules := klaverjas.DefaultRules(klaverjas.System(rng.IntN(2)))
			deal := games.RandomDeal(rng)
			moments = t.play(rng, &rules, deal, moments[:0])
			for i := 0; i < s.PerGame && len(moments) > 0; i++ {
				gain += t.learn(&moments[rng.IntN(len(moments))], seat, s.Entropy)
				done++
			}
			count += s.PerGame
		}
		t.step(step, s.Steps, s.Batch, s.Rate, 0)
		if (step+1)%progressEvery == 0 && s.Progress != nil {
			if err := s.Progress(step+1, gain/float64(count)); err != nil {
				return err
			}
			gain, count = 0, 0
		}
	}
	return nil
}

// play plays a hand by the probabilities of the network and appends its decisions.
func (t *trainer) play(rng *rand.Rand, rules *klaverjas.Rules, deal klaverjas.Deal, moments []moment) []moment {
	table := playout.NewTable(rules, deal.Trump, deal.Leader, deal.Declarer)
	held := deal.Hands
	for !table.Finished() {
		seat := table.Turn()
		legal := table.Legal(held[seat])
		c := legal.First()
		if legal.Len() > 1 {
			moments = append(moments, moment{table, held, legal})
			t.n.Forward(&t.space, &table, held[seat], legal, &t.logits)
			playout.Probabilities(&t.logits, legal, &t.p)
			x := rng.Float64()
			for l := legal; l != 0; l &= l - 1 {
				c = l.First()
				if x -= t.p[c]; x < 0 {
					break
				}
			}
		}
		table.Play(c)
		held[seat] = held[seat].Without(c)
	}
	return moments
}

// learn adds the gradient of a decision. It returns what the network's choice earns above a random card, in points.
func (t *trainer) learn(m *moment, policy playout.Policy, entropyWeight float64) float64 {
	seat := m.table.Turn()
	t.n.Forward(&t.space, &m.table, m.held[seat], m.legal, &t.logits)
	playout.Probabilities(&t.logits, m.legal, &t.p)
	sign := 1.0 / Scale
	if seat.Team() != m.table.Declarer {
		sign = -sign
	}
	var result [32]float64
	mean, all, entropy := 0.0, 0.0, 0.0
	for l := m.legal; l != 0; l &= l - 1 {
		c := l.First()
		result[c] = sign * float64(playout.Outcome(policy, m.table, m.held, c))
		mean += t.p[c] * result[c]
		all += result[c]
		entropy -= t.p[c] * math.Log(max(t.p[c], 1e-12))
	}
	for l := m.legal; l != 0; l &= l - 1 {
		c := l.First()
		p := t.p[c]
		t.slope[c] = float32(-p*(result[c]-mean) + entropyWeight*p*(math.Log(max(p, 1e-12))+entropy))
	}
	t.back(m.legal)
	return Scale * (mean - all/float64(m.legal.Len()))
}
