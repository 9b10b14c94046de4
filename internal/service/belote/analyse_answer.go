package belote

import (
	"roem/internal/api"
	"roem/internal/service"
)

// outAnalysis returns the answer of analyse.
func (g *Game) outAnalysis(q *AnalyseQuery, a service.Answer[judgedHand]) api.BeloteAnalysis {
	list := a.Result.cards
	n := len(list)
	out := api.BeloteAnalysis{
		Before: list[0].before, After: list[n-1].after, Finished: q.position.now.Finished(), Cards: make([]api.BeloteAnalysedCard, n),
		Exact: true, Rules: q.position.outRules(), Source: a.Source, Stats: stats(a.Result.generated, a), Version: g.service.Version(),
	}
	tallies := [2]*api.Tally{&out.Seats.A, &out.Seats.B}
	for i, c := range list {
		out.Cards[i] = api.BeloteAnalysedCard{
			Number: i + 1, Trick: i/2 + 1, Seat: *outPlayer(c.player), Card: q.position.played[i].String(), Before: c.before, After: c.after,
			Cost: c.cost, Best: outCards(q.twin.set(c.best).Slice()),
		}
		tally := tallies[c.player]
		tally.Cards++
		tally.Cost += c.cost
		if c.cost > 0 {
			tally.Mistakes++
		}
	}
	return out
}
