package handnet

import (
	"context"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"

	"roem/internal/engine/klaverjas"
	"roem/internal/engine/klaverjas/index"
	"roem/internal/engine/klaverjas/search"
	"roem/internal/engine/piquet"
	"roem/internal/model/klaverjas/deal"
	"roem/internal/model/klaverjas/hand"
	"roem/lab/klaverjas/dataset"
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

// Exact are measurements against the search on a data set, for all places of the leader: each deal is four hands. Only hands that are held
// out from training count.
type Exact struct {
	Rules          klaverjas.Rules
	LeaderDeclares bool
	Sampling, Seed string
	Rows           uint64 // of the set
	Hands          int
	Won, Predicted float64 // share of deals that the declarers win, and mean of the predictions
	ECE            float64 // expected calibration error, 20 bins
	Outcomes       bool    // the set has outcomes, on which the following are measured
	Mean           float64 // mean predicted outcome minus mean outcome, in points
	MeanHalf       float64 // half the width of its 95 % confidence interval
	Below          [5]float64
	Pit            [2]float64 // predicted and actual share of pits
}

// MeasureExact compares the hand model with the results of a data set.
func MeasureExact(ctx context.Context, m *hand.Model, dir string) (Exact, error) {
	set, err := dataset.Open(dir)
	if err != nil {
		return Exact{}, err
	}
	s := set.Settings
	if err := set.AsTheyCome(); err != nil {
		return Exact{}, fmt.Errorf("%s: %w", dir, err)
	}
	if s.Sampling != dataset.Uniform {
		return Exact{}, fmt.Errorf("%s: its sampling is %s: only in uniform deals are all deals of the other cards equally likely", dir,
			s.Sampling)
	}
	e := Exact{
		Rules: s.Rules, LeaderDeclares: s.Declarer == piquet.NorthSouth, Sampling: string(s.Sampling), Seed: set.Manifest.Seed,
		Rows:     set.Manifest.Rows,
		Outcomes: s.Goal == search.Value,
	}
	var sums exactSums
	for row, err := range set.Rows() {
		if err == nil && row.Number&0xffff == 0 {
			err = ctx.Err()
		}
		if err != nil {
			return e, fmt.Errorf("%s: %w", dir, err)
		}
		d := row.Deal()
		for seat, h := range d.Hands {
			if !HeldOut(hand.SuitsOf(h, d.Trump)) {
				continue
			}
			q := hand.Question{
				Rules: s.Rules, Hand: h, Trump: d.Trump, Leader: (int(d.Leader) - seat + 4) % 4, Declares: piquet.Seat(seat).Team() == d.Declarer,
			}
			p, ok := m.Strength(q)
			if !ok {
				return e, fmt.Errorf("%s: the hand model is not trained for its rules", dir)
			}
			sums.add(&e, &p, &row)
		}
	}
	if e.Hands == 0 {
		return e, fmt.Errorf("%s has no hand that is held out", dir)
	}
	sums.finish(&e)
	return e, nil
}

// exactSums are sums over hands that the fields of Exact do not hold.
type exactSums struct {
	bins    [20]struct{ predicted, won float64 } // by the prediction
	squares float64                              // of the errors of the mean
}

// add adds a hand to the sums, including the sums in the fields of e.
func (x *exactSums) add(e *Exact, p *hand.Strength, row *dataset.Row) {
	e.Hands++
	b := &x.bins[min(int(p.WinProbability*float64(len(x.bins))), len(x.bins)-1)]
	b.predicted += p.WinProbability
	if row.Won {
		b.won++
	}
	off := p.Mean - float64(row.Outcome)
	e.Mean += off
	x.squares += off * off
	e.Pit[0] += p.Pit
	if row.Outcome >= PitOutcome {
		e.Pit[1]++
	}
	for k, q := range p.Quantiles {
		if float64(row.Outcome) < q {
			e.Below[k]++
		}
	}
}

// finish turns the sums of add into means.
func (x *exactSums) finish(e *Exact) {
	n := float64(e.Hands)
	for _, b := range x.bins {
		e.Won += b.won / n
		e.Predicted += b.predicted / n
		e.ECE += math.Abs(b.predicted-b.won) / n
	}
	e.Mean /= n
	e.MeanHalf = 1.96 * math.Sqrt(max(0, x.squares/n-e.Mean*e.Mean)/n)
	for k := range e.Below {
		e.Below[k] /= n
	}
	for k := range e.Pit {
		e.Pit[k] /= n
	}
}
