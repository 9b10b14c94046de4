package handstrength

import (
	"math"

	"roem/internal/engine/klaverjas"
	"roem/internal/model/klaverjas/hand"
)

// DistilledOutcomeError is the root mean square error of the hand model's mean outcome, in points.
const DistilledOutcomeError = 2.9

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
		WinProbability: s.WinProbability, StandardError: d.Error(q), Mean: s.Mean, MeanError: DistilledOutcomeError, Pit: s.Pit,
	}
	for i, outcome := range s.Quantiles {
		out.Quantiles[i] = int(math.Round(outcome))
	}
	return out, ok
}

// Covers reports whether the model is trained for the rules. It knows both declaring teams of each rule set.
func (d distilled) Covers(q Question) bool { return d.model.Covers(q.Rules) }

// Error returns the root mean square difference between the hand model's win probability and the true share, over hands. For Rotterdam it
// is the root of two mean squares: the difference from the network's mean over all worlds, 0.61 points (lab/docs/klaverjas/hand-model.md
// without the error of the reference), and [ModelError]. For Amsterdam, whose network is less good, it was measured against long runs by
// strength-eval of commit 7086e62f.
func (d distilled) Error(q Question) float64 {
	if q.Rules.System == klaverjas.Amsterdam {
		return 0.0095
	}
	return 0.0079
}
