package handnet

import (
	"context"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"

	"roem/internal/engine/klaverjas"
	"roem/internal/engine/klaverjas/index"
	"roem/internal/engine/piquet"
	"roem/internal/model/klaverjas/deal"
	"roem/internal/model/klaverjas/hand"
)

// Errors are the differences between the hand model and the deal network over many deals of the other cards, for one kind of question. All
// figures are in points of probability.
type Errors struct {
	Rules    klaverjas.Rules
	Leader   int
	Declares bool
	Hands    int
	// MAE is the mean absolute difference of the win probabilities, and Half half the width of its 95 % confidence interval.
	MAE, Half float64
	RMSE      float64
	Bias      float64 // mean of the hand model minus the deal network
	Max       float64 // of the absolute difference
	Reference float64 // mean standard error of the deal network's mean over the deals
}

// Check are the settings of [Measure].
type Check struct {
	Hands   int // for each kind of question
	Worlds  int // deals of the other cards for each hand
	Seed    uint64
	Workers int
	Tell    func() // called after each hand
}

// Measure compares the hand model with the deal network on random hands that are held out from training, for each rule set, place of the
// leader and declaring side.
func Measure(ctx context.Context, m *hand.Model, deals *deal.Model, c Check) ([]Errors, error) {
	var all []Errors
	for _, r := range m.Header().Rules {
		rules := klaverjas.Rules(r)
		for _, declares := range [2]bool{true, false} {
			for leader := range 4 {
				e, err := c.measure(ctx, m, deals, Errors{Rules: rules, Leader: leader, Declares: declares}, uint64(len(all)))
				if err != nil {
					return nil, err
				}
				all = append(all, e)
			}
		}
	}
	return all, nil
}

func (c *Check) measure(ctx context.Context, m *hand.Model, deals *deal.Model, e Errors, kind uint64) (Errors, error) {
	off, noise := make([]float64, c.Hands), make([]float64, c.Hands)
	errs := make([]error, c.Hands)
	parallel(c.Workers, func(next func() (int, bool)) {
		for i, ok := next(); ok; i, ok = next() {
			if errs[i] = ctx.Err(); errs[i] != nil {
				return
			}
			rng := randOf(c.Seed, kind<<32+uint64(i), "hand-eval")
			q := hand.Question{Rules: e.Rules, Hand: heldOutHand(rng), Trump: piquet.Clubs, Leader: e.Leader, Declares: e.Declares}
			s, ok := m.Strength(q)
			mean, se, covered := Sampled(rng, deals, q, c.Worlds)
			if !ok || !covered {
				errs[i] = fmt.Errorf("no model for the rules of %s", e.Rules.System)
				return
			}
			off[i], noise[i] = 100*(s.WinProbability-mean), 100*se
			c.Tell()
		}
	}, c.Hands)
	for _, err := range errs {
		if err != nil {
			return e, err
		}
	}
	e.summarise(off, noise)
	return e, nil
}

// heldOutHand draws a hand until it is one that is held out from training.
func heldOutHand(rng *rand.Rand) piquet.Set {
	for {
		h := index.Random(rng, piquet.Clubs, piquet.North)[0]
		if HeldOut(hand.SuitsOf(h, piquet.Clubs)) {
			return h
		}
	}
}

// summarise sets the figures from the differences and the standard errors of the reference.
func (e *Errors) summarise(off, noise []float64) {
	n := float64(len(off))
	e.Hands = len(off)
	sizes := make([]float64, len(off))
	for i, x := range off {
		sizes[i] = math.Abs(x)
		e.MAE += sizes[i] / n
		e.RMSE += x * x / n
		e.Bias += x / n
		e.Reference += noise[i] / n
	}
	e.Half = 1.96 * math.Sqrt(max(0, e.RMSE-e.MAE*e.MAE)/n)
	e.RMSE = math.Sqrt(e.RMSE)
	e.Max = slices.Max(sizes)
}

// Sampled returns the mean win probability of the declarers that the deal network predicts over random deals of the other cards, and its
// standard error. It returns false if the deal network does not cover the question.
func Sampled(rng *rand.Rand, m *deal.Model, q hand.Question, worlds int) (mean, se float64, ok bool) {
	const batch = 256
	var deals [batch]klaverjas.Deal
	var out [batch]deal.Prediction
	var covered [batch]bool
	leader := piquet.North.Plus(q.Leader) // the hand is north's
	declarer := piquet.NorthSouth
	if !q.Declares {
		declarer = piquet.EastWest
	}
	unseen := make([]piquet.Card, 0, 24)
	for c := range piquet.Card(32) {
		if q.Hand>>c&1 == 0 {
			unseen = append(unseen, c)
		}
	}
	sum, squares := 0.0, 0.0
	for done := 0; done < worlds; done += batch {
		n := min(batch, worlds-done)
		for i := range deals[:n] {
			d := klaverjas.Deal{Trump: q.Trump, Leader: leader, Declarer: declarer, Hands: [4]piquet.Set{q.Hand}}
			for k := range 16 { // the last eight are what is left
				j := k + rng.IntN(len(unseen)-k)
				unseen[k], unseen[j] = unseen[j], unseen[k]
			}
			for k, c := range unseen {
				d.Hands[1+k/8] |= 1 << c
			}
			deals[i] = d
		}
		m.PredictBatch(q.Rules, deals[:n], out[:n], covered[:n])
		if !covered[0] {
			return 0, 0, false
		}
		for _, p := range out[:n] {
			sum += p.WinProbability
			squares += p.WinProbability * p.WinProbability
		}
	}
	n := float64(worlds)
	mean = sum / n
	return mean, math.Sqrt(max(0, squares/n-mean*mean) / n), true
}
