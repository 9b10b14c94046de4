package handstrength

import (
	"math"

	"roem/internal/model/hand"
)

// The errors of the hand model, over hands: `roem-lab hand-eval` and `roem-lab strength-eval` measure them.
const (
	// DistilledError is the root mean square difference between the hand model's win probability and the network's mean over all worlds: 0.67 points
	// against means with a standard error of 0.27 points (docs/hand-model.md).
	DistilledError = 0.0061
	// DistilledOutcomeError is the root mean square error of its mean outcome, in points.
	DistilledOutcomeError = 2.5
)

// distilled is a hand model as a Distilled.
type distilled struct{ model *hand.Model }

// OfModel returns the hand model as a Distilled.
func OfModel(m *hand.Model) Distilled { return distilled{m} }

// Strength asks the model. It returns false for rules that the model does not know, and for a question without eight cards.
func (d distilled) Strength(q Question) (Strength, bool) {
	s, ok := d.model.Strength(hand.Question{
		Rules: q.Rules, Hand: q.Hand, Trump: q.Trump, Leader: q.Leader.Minus(q.Seat), Declares: q.Declarer == q.Seat.Team(),
	})
	out := Strength{
		WinProbability: s.WinProbability, StandardError: d.Error(), Mean: s.Mean, MeanError: DistilledOutcomeError, Pit: s.Pit,
	}
	for i, outcome := range s.Quantiles {
		out.Quantiles[i] = int(math.Round(outcome))
	}
	return out, ok
}

// Covers reports whether the model is trained for the rules. It knows both declaring teams of each rule set.
func (d distilled) Covers(q Question) bool { return d.model.Covers(q.Rules) }

// Error returns the root of two mean squares: the difference between the hand model and the network's mean over the worlds, and that
// between this mean and the true share.
func (d distilled) Error() float64 { return math.Hypot(DistilledError, ModelError) }
