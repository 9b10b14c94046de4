package belote

import (
	"strconv"

	"roem/internal/api"
	"roem/internal/engine/belote/advice"
	"roem/internal/engine/belote/search"
	"roem/internal/engine/standing"
	"roem/internal/service"
)

// outAdvice returns the answer of advise.
func (g *Game) outAdvice(q *AdviseQuery, found service.Answer[advised]) api.BeloteAdvice {
	a := found.Result.Advice
	here := q.view.here
	now := here.Now()
	out := api.BeloteAdvice{
		Card: q.view.back[a.Cards[0].Card].String(), Utility: api.BeloteUtility(q.question.Utility.String()),
		Method: api.BeloteAdviceMethodSampling,
		Cards:  make([]api.BeloteAdvisedCard, len(a.Cards)),
		Worlds: q.worlds(&a),
		Hidden: here.Hidden(), Left: here.Left(), Confidence: outConfidence(a.Clear), Turn: *outPlayer(now.Turn()),
		Rules: outRules(here.Deal(), q.view.flip), Seed: strconv.FormatUint(q.question.Seed, 10),
		Source: found.Source, Stats: stats(found.Result.generated, found), Version: g.service.Version(),
	}
	out.Limits.Hidden, out.Limits.Left = advice.Affordable(here.Hidden())
	digits, rule := pointDigits, reviewRule
	if q.question.Utility == search.Contract {
		digits, rule.LeastCost = probabilityDigits, standing.Chance
	}
	for i, v := range a.Cards {
		c := api.BeloteAdvisedCard{
			Card: q.view.back[v.Card].String(), Value: service.Rounded(v.Value.Mean, digits), StandardError: service.Rounded(v.Value.Error, digits),
			Cost: service.Rounded(v.Cost.Mean, digits), CostError: service.Rounded(v.Cost.Error, digits), Best: v.Best,
			Standing: rule.Standing(v.Cost.Mean, v.Cost.Error), BestIn: service.Rounded(v.BestIn, probabilityDigits),
			WinProbability: outMean(v.Won, probabilityDigits),
		}
		if i == 0 {
			c.Standing = api.StandingBest
		}
		if q.question.Utility == search.Points {
			c.Points = new(outMean(v.Sampled, pointDigits))
		}
		if a.Exact {
			c.Expectimax = new(service.Rounded(v.Expectimax, digits))
		}
		out.Cards[i] = c
	}
	if f := a.Fusion; f != nil {
		out.Method = api.BeloteAdviceMethodExpectimax
		out.Fusion = &api.BeloteFusion{
			Sampling: service.Rounded(f.Sampled, digits), Expectimax: service.Rounded(f.Expectimax, digits),
			Difference: service.Rounded(f.Difference, digits),
			Card:       q.view.back[f.Card].String(), Cost: service.Rounded(f.Cost, digits),
		}
	}
	return out
}

// worlds returns the worlds of advice as answers have them.
func (q *AdviseQuery) worlds(a *advice.Advice) api.BeloteAdviceWorlds {
	return api.BeloteAdviceWorlds{Used: a.Worlds, Of: strconv.FormatUint(q.view.here.Worlds(), 10), All: a.All}
}

func outMean(m advice.Mean, digits int) api.BeloteMean {
	return api.BeloteMean{Mean: service.Rounded(m.Mean, digits), StandardError: service.Rounded(m.Error, digits)}
}

func outConfidence(isClear bool) api.BeloteConfidence {
	if isClear {
		return api.BeloteConfidenceClear
	}
	return api.BeloteConfidenceClose
}
