package beliefnet

import (
	"math"
	"slices"

	"roem/internal/engine/klaverjas/worlds"
)

// Bins is the number of equal bins of a calibration.
const Bins = 20

// Bin holds the pairs of an uncertain card and a seat that may hold it, whose probabilities are in one interval.
type Bin struct {
	Count     float64
	Predicted float64 // the sum of the probabilities
	Held      float64 // how many of the seats hold the card
}

// Calibration compares probabilities with what was true.
type Calibration struct {
	Bins [Bins]Bin
	// Expected is the mean error that estimates with these probabilities would show if they were perfectly calibrated, and Limit the error
	// that 95 % of such estimates would not exceed. Both are from simulations: worlds are drawn from the estimates themselves. A calibration
	// error of few cards is never 0, since the bins have noise.
	Expected, Limit float64
}

func addCalibration(s *Calibration, k *worlds.Knowledge, e *Estimate, truth worlds.World) {
	viewer := k.View().Seat
	for c := range k.Unseen().All() {
		if !uncertain(k, c) {
			continue
		}
		for o := range 3 {
			seat := viewer.Plus(o + 1)
			if !k.May(seat).Has(c) {
				continue
			}
			p := e.P[c][seat]
			b := &s.Bins[min(int(p*Bins), Bins-1)]
			b.Count++
			b.Predicted += p
			if truth[seat].Has(c) {
				b.Held++
			}
		}
	}
}

// Add adds the bins of another calibration. It does not add what was simulated.
func (s *Calibration) Add(o *Calibration) {
	for i := range s.Bins {
		s.Bins[i].Count += o.Bins[i].Count
		s.Bins[i].Predicted += o.Bins[i].Predicted
		s.Bins[i].Held += o.Bins[i].Held
	}
}

// ECE returns the expected calibration error, 0 to 1: the mean over the pairs of the absolute difference between the mean probability of
// the bin and the share of its pairs that are true (Naeini et al. 2015).
func (s *Calibration) ECE() float64 {
	all, sum := 0.0, 0.0
	for _, b := range s.Bins {
		all += b.Count
		sum += math.Abs(b.Predicted - b.Held)
	}
	return sum / max(all, 1)
}

// compare sets Expected and Limit from simulated calibrations.
func (s *Calibration) compare(simulated []Calibration) {
	if len(simulated) == 0 {
		return
	}
	var errors []float64
	for i := range simulated {
		errors = append(errors, simulated[i].ECE())
		s.Expected += errors[i] / float64(len(simulated))
	}
	slices.Sort(errors)
	s.Limit = errors[len(errors)*95/100]
}
