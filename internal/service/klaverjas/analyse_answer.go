package klaverjas

import (
	"roem/internal/api"
	"roem/internal/service"
)

// outAnalysis returns the answer of analyse.
func (g *Game) outAnalysis(q *AnalyseQuery, a service.Answer[[]judgedCard]) api.KlaverjasAnalysis {
	n := len(a.Result)
	out := api.KlaverjasAnalysis{
		Before: a.Result[0].before, After: a.Result[n-1].after, Finished: q.position.now.Finished(),
		Cards: make([]api.KlaverjasAnalysedCard, n),
		Exact: true,
		Rules: outRules(q.position.now.Rules()), Deal: outIdentity(q.position.now.Deal()),
		Source: a.Source, Stats: stats(uint64(a.Nodes), a.Source, a.Began), Version: g.service.Version(),
	}
	seats := [4]*api.Tally{&out.Seats.N, &out.Seats.E, &out.Seats.S, &out.Seats.W}
	teams := [2]*api.Tally{&out.Teams.NS, &out.Teams.EW}
	for i := range a.Result {
		c := &a.Result[i]
		seat := c.at.Turn()
		out.Cards[i] = api.KlaverjasAnalysedCard{
			Number: i + 1, Trick: i/trickSize + 1, Seat: *outSeat(seat), Card: q.position.played[i].String(),
			Before: c.before, After: c.after, Cost: c.cost, Best: outCards(c.best.Slice()),
		}
		if c.costs() {
			out.Cards[i].Lines, out.Cards[i].Reason = outLines(c.lines), outReason(c.at, c.lines)
		}
		for _, tally := range []*api.Tally{seats[seat], teams[seat.Team()]} {
			tally.Cards++
			tally.Cost += c.cost
			if c.cost > 0 {
				tally.Mistakes++
			}
		}
	}
	return out
}
