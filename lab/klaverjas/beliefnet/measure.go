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
	Calibration  Calibration

	gains []float64 // by view: the mean over its cards of the logarithm of the probability of the holder
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
			if !ex.World[seat].Has(c) {
				continue
			}
			gain += math.Log(e.P[c][seat])
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
	for _, sum := range []*float64{&s.Log, &s.Right} {
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
