package klaverjas

import (
	"strconv"

	"roem/internal/api"
	"roem/internal/service"
	"roem/internal/service/klaverjas/handstrength"
)

// outHandStrength returns the answer of hand-strength.
func (g *Game) outHandStrength(q *HandStrengthQuery, a service.Answer[[]handstrength.Strength]) api.KlaverjasHandStrength {
	strengths := a.Result
	one := &q.questions[0]
	out := api.KlaverjasHandStrength{
		Trumps: make([]api.KlaverjasTrumpStrength, len(strengths)),
		Hand:   outCards(one.Hand.Slice()), Seat: *outSeat(one.Seat), Leader: *outSeat(one.Leader),
		Declarer:  api.KlaverjasTeam(one.Declarer.String()),
		Precision: q.precision, Seed: strconv.FormatUint(one.Seed, 10), Rules: outRules(one.Rules),
		Stats: stats(uint64(a.Nodes), a.Source, a.Began), Version: g.service.Version(),
	}
	for i := range strengths {
		out.Trumps[i] = outStrength(&strengths[i])
	}
	return out
}

func outStrength(s *handstrength.Strength) api.KlaverjasTrumpStrength {
	out := api.KlaverjasTrumpStrength{
		Trump:          api.Suit(s.Trump.String()),
		WinProbability: tenThousandths(s.WinProbability), StandardError: tenThousandths(s.StandardError),
		Outcome: api.KlaverjasOutcomeDistribution{
			Mean: tenths(s.Mean), StandardError: tenths(s.MeanError),
			P5: s.Quantiles[0], P25: s.Quantiles[1], P50: s.Quantiles[2], P75: s.Quantiles[3], P95: s.Quantiles[4],
		},
		PitProbability: tenThousandths(s.Pit), PointCount: s.Points, Method: api.KlaverjasStrengthMethod(s.Method.String()),
		Worlds: s.Worlds, Searches: s.Searches, Examples: make([]api.KlaverjasWorldExample, len(s.Examples)),
	}
	if t := s.Table; t != nil {
		win, outcome, pit := tenThousandths(t.WinProbability), tenths(t.Mean), tenThousandths(t.Pit)
		out.TableWinProbability, out.TableOutcome, out.TablePitProbability = &win, &outcome, &pit
	}
	for i, e := range s.Examples {
		out.Examples[i] = api.KlaverjasWorldExample{
			Kind: api.KlaverjasWorldExampleKind(e.Kind), Outcome: tenths(e.Outcome), Exact: e.Exact,
			Hands: outDealt(e.Hands),
		}
	}
	return out
}

// tenThousandths rounds to four digits, a tenth of the least precision.
func tenThousandths(x float64) float64 { return service.Rounded(x, 4) }

// tenths rounds to one digit.
func tenths(x float64) float64 { return service.Rounded(x, 1) }

// strengthResult is the strength of a hand in a list.
type strengthResult struct {
	Ok bool `json:"ok"`
	api.KlaverjasHandStrength
}

// outHandStrengthBatch returns the answer of hand-strength/batch.
func (g *Game) outHandStrengthBatch(q *HandStrengthBatchQuery, a service.Answer[[]strengthItem]) api.KlaverjasHandStrengthBatch {
	out := api.KlaverjasHandStrengthBatch{
		Results: make([]any, len(a.Result)), Stats: stats(uint64(a.Nodes), a.Source, a.Began), Version: g.service.Version(),
	}
	for i, item := range a.Result {
		if item.err != nil {
			out.Results[i] = g.service.ItemError(item.err)
			continue
		}
		out.Results[i] = strengthResult{true, g.outHandStrength(q.items[i].Value, item.answer)}
	}
	return out
}
