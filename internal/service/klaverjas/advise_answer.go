package klaverjas

import (
	"math"
	"strconv"

	"roem/internal/api"
	"roem/internal/engine/klaverjas/advice"
	"roem/internal/service"
)

// outAdvice returns the answer of advise.
func (g *Game) outAdvice(q *AdviseQuery, found service.Answer[*advice.Tally]) api.KlaverjasAdvice {
	t := found.Result
	a := q.question.Advise(t, q.objective, q.distinct())
	v := q.question.Knowledge().View()
	out := api.KlaverjasAdvice{
		Card: a.Card.String(), Objective: api.KlaverjasObjective(q.objective.String()), Cards: make([]api.KlaverjasAdvisedCard, len(a.Cards)),
		Worlds:     outWorlds(&a),
		Confidence: api.KlaverjasAdviceConfidence(a.Confidence.String()), Basis: api.KlaverjasAdviceBasisKnowledge,
		Method: api.KlaverjasAdviceMethodSearch,
		Seat:   *outSeat(v.Seat), Rules: outRules(v.Rules), Seed: strconv.FormatUint(q.seed, 10),
		Source: found.Source, Stats: stats(t.Nodes, found.Source, found.Began), Version: g.service.Version(),
	}
	switch q.method {
	case beliefMethod:
		out.Basis, out.Method = api.KlaverjasAdviceBasisBelief, api.KlaverjasAdviceMethodBelief
		out.Model = g.guesses.model(q.method)
	case playoutMethod:
		out.Basis, out.Method = api.KlaverjasAdviceBasisPlay, api.KlaverjasAdviceMethodPlayout
		if q.prior != nil {
			out.Basis = api.KlaverjasAdviceBasisCallsAndPlay
		}
		out.Model = g.guesses.model(q.method)
	}
	for i, c := range a.Cards {
		out.Cards[i] = outAdvised(c, q.objective, a.Used > 0)
	}
	return out
}

func outWorlds(a *advice.Advice) api.KlaverjasAdviceWorlds {
	return api.KlaverjasAdviceWorlds{Used: a.Used, Of: strconv.FormatUint(a.Of, 10), All: a.All}
}

func outAdvised(v advice.Value, o advice.Objective, searched bool) api.KlaverjasAdvisedCard {
	digits := pointDigits
	if o == advice.Win {
		digits = probabilityDigits
	}
	out := api.KlaverjasAdvisedCard{
		Card: v.Card.String(), BestIn: service.Rounded(v.BestIn, probabilityDigits), Cost: service.Rounded(v.Cost.Mean, digits), Equal: v.Equal,
		Standing: api.Standing(v.Standing.String()),
	}
	if !searched {
		return out
	}
	win, outcome := service.Rounded(v.WinProbability.Mean, probabilityDigits), service.Rounded(v.Outcome.Mean, pointDigits)
	out.WinProbability, out.Outcome = &win, &outcome
	if !math.IsInf(v.Outcome.Error, 0) {
		out.StandardErrors = &api.KlaverjasAdviceErrors{
			WinProbability: service.Rounded(v.WinProbability.Error, probabilityDigits), Outcome: service.Rounded(v.Outcome.Error, pointDigits),
			Cost: service.Rounded(v.Cost.Error, digits),
		}
	}
	return out
}

// The digits after the point of means in answers.
const (
	pointDigits       = 2
	probabilityDigits = 6
)
