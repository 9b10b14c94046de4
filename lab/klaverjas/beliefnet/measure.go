package beliefnet

import (
	"math"
	"math/rand/v2"

	"roem/internal/engine/klaverjas/worlds"
	"roem/internal/engine/piquet"
	"roem/lab/klaverjas/games"
)

// Tricks is the number of tricks after which beliefs are measured, 0 to 6.
const Tricks = 7

// Score is how good an estimator is on views in the same trick. A card counts if it is unseen and its holder is not certain.
type Score struct {
	Views, Cards int
	Log          float64 // the mean negative natural logarithm of the probability of the true holder
	World        float64 // the mean of Estimate.World
	Right        float64 // the share of the cards whose most likely holder is the true one
	Brier        float64 // the mean over the cards of the sum over the seats of the squared error of the probability
	Calibration  Calibration
	// ByArgmax and ByHalf are the classifications of a card as held by a seat: the left-hand opponent, the partner, the right-hand opponent.
	// A card is classified as held if the seat is its most likely holder, or if the probability is above one half.
	ByArgmax, ByHalf [3]Classes

	gains []float64 // by view: the mean over its cards of the logarithm of the probability of the holder
}

// Classes counts the results of a classification.
type Classes struct{ TruePositive, FalsePositive, FalseNegative, TrueNegative int }

func (c *Classes) add(positive, truth bool) {
	switch {
	case positive && truth:
		c.TruePositive++
	case positive:
		c.FalsePositive++
	case truth:
		c.FalseNegative++
	default:
		c.TrueNegative++
	}
}

// Add adds the counts of another classification.
func (c *Classes) Add(o Classes) {
	c.TruePositive += o.TruePositive
	c.FalsePositive += o.FalsePositive
	c.FalseNegative += o.FalseNegative
	c.TrueNegative += o.TrueNegative
}

// Rates returns the accuracy, the precision, the recall, and their harmonic mean F1. A rate of nothing is 0.
func (c *Classes) Rates() (accuracy, precision, recall, f1 float64) {
	rate := func(a, of int) float64 { return float64(a) / math.Max(float64(of), 1) }
	p := c.TruePositive
	return rate(p+c.TrueNegative, p+c.TrueNegative+c.FalsePositive+c.FalseNegative), rate(p, p+c.FalsePositive), rate(p, p+c.FalseNegative),
		rate(2*p, 2*p+c.FalsePositive+c.FalseNegative)
}

// Views returns one view of each game and trick: of a seat and after a number of cards in the trick that are drawn at random.
func Views(all []games.Game, seed uint64) (views [Tricks][]Example, err error) {
	rng := rand.New(rand.NewPCG(seed, 0x5c0e))
	for i := range all {
		for t := range views {
			ex, err := ExampleAt(&all[i], 4*t+rng.IntN(4), piquet.Seat(rng.IntN(4)))
			if err != nil {
				return views, err
			}
			views[t] = append(views[t], ex)
		}
	}
	return views, nil
}

// Measure scores an estimator on views that it was not trained on, by the trick. It simulates calibrated estimates as often as given.
func Measure(e Estimator, views *[Tricks][]Example, seed uint64, simulations int) (scores [Tricks]Score, err error) {
	for t := range scores {
		s := &scores[t]
		rng := rand.New(rand.NewPCG(seed, uint64(t)))
		simulated := make([]Calibration, simulations)
		for i := range views[t] {
			ex := &views[t][i]
			estimate, err := e.Of(ex)
			if err != nil {
				return scores, err
			}
			s.add(ex, &estimate)
			for j := range simulated {
				addCalibration(&simulated[j], ex.Knowledge, &estimate, estimate.Draw(rng))
			}
		}
		s.finish()
		s.Calibration.compare(simulated)
	}
	return scores, nil
}

// uncertain reports whether the holder of an unseen card is not certain.
func uncertain(k *worlds.Knowledge, c piquet.Card) bool {
	for _, s := range piquet.Seats() {
		if k.Has(s).Has(c) {
			return false
		}
	}
	return true
}

func (s *Score) add(ex *Example, e *Estimate) {
	k := ex.Knowledge
	viewer := k.View().Seat
	s.Views++
	s.World += e.World
	gain, number := 0.0, 0
	for c := range k.Unseen().All() {
		if !uncertain(k, c) {
			continue
		}
		var best piquet.Seat
		for _, seat := range piquet.Seats() {
			if e.P[c][seat] > e.P[c][best] {
				best = seat
			}
		}
		for o := range 3 {
			seat := viewer.Plus(o + 1)
			p, truth := e.P[c][seat], ex.World[seat].Has(c)
			s.ByArgmax[o].add(seat == best, truth)
			s.ByHalf[o].add(p > 0.5, truth)
			if !truth {
				s.Brier += p * p
				continue
			}
			s.Brier += (1 - p) * (1 - p)
			gain += math.Log(p)
			if seat == best {
				s.Right++
			}
		}
		number++
	}
	if number > 0 {
		s.Cards += number
		s.Log -= gain
		s.gains = append(s.gains, gain/float64(number))
	}
	addCalibration(&s.Calibration, k, e, ex.World)
}

func (s *Score) finish() {
	s.World /= float64(s.Views)
	for _, sum := range []*float64{&s.Log, &s.Right, &s.Brier} {
		*sum /= float64(s.Cards)
	}
}

// Gain returns the mean gain of a card over another estimator in the logarithm of the probability of its holder, and its standard error.
// Both are over the views, of which each game has one a trick. The scores must be of the same views.
func (s *Score) Gain(o *Score) (mean, deviation float64) {
	var sum, square float64
	for i, g := range s.gains {
		d := g - o.gains[i]
		sum += d
		square += d * d
	}
	n := float64(len(s.gains))
	mean = sum / n
	return mean, math.Sqrt(max(square/n-mean*mean, 0) / (n - 1))
}

// Deviation returns the standard error of Log, which is a ratio of sums over the views.
func (s *Score) Deviation() float64 {
	var sum, square float64
	for _, g := range s.gains {
		sum += g
		square += g * g
	}
	n := float64(len(s.gains))
	return math.Sqrt(max(square/n-sum*sum/(n*n), 0) / (n - 1))
}
