package beliefnet

import (
	"slices"

	"roem/internal/engine/klaverjas/worlds"
	"roem/lab/learn/calibration"
)

// Calibration compares the probabilities of pairs of an uncertain card and a seat that may hold it with what was true.
type Calibration struct {
	calibration.Bins
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
			s.Add(e.P[c][seat], truth[seat].Has(c))
		}
	}
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
