package klaverjas

import (
	"strconv"
	"time"

	"roem/internal/api"
	"roem/internal/engine/klaverjas/players"
	"roem/internal/service"
)

// outMatch returns the answer of match.
func (g *Game) outMatch(q *MatchQuery, a service.Answer[players.Result]) api.KlaverjasMatch {
	return OutMatch(q.contest, a.Result, time.Since(a.Began), g.service.Version())
}

// OutMatch returns the answer for the result of a contest.
func OutMatch(c players.Contest, r players.Result, took time.Duration, version string) api.KlaverjasMatch {
	out := api.KlaverjasMatch{
		A: outSide(&r.Sides[0], r.Hands), B: outSide(&r.Sides[1], r.Hands), Deals: r.Deals, Hands: r.Hands,
		Difference: service.OutEstimate(r.Difference), Won: r.Won, Tied: r.Tied, Lost: r.Lost,
		Share: service.OutEstimate(r.Share), Duplication: r.Duplication,
		Seed: strconv.FormatUint(c.Seed, 10), Game: api.KlaverjasMatchLength(c.Length.String()),
		Rules: outRules(c.Rules), Stats: api.KlaverjasStats{Nodes: int64(r.Nodes), ElapsedUs: took.Microseconds()}, Version: version,
	}
	if c.Bidding != nil {
		out.Bidding = new(api.KlaverjasFlow(c.Bidding.Flow.String()))
	} else {
		out.Declarer = new(api.KlaverjasDeclarers(c.Declarers.String()))
	}
	if r.Games != nil {
		out.Games = &api.KlaverjasMatchGames{
			Won: r.Games.Won, Tied: r.Games.Tied, Lost: r.Games.Lost,
			Share: service.OutEstimate(r.Games.Share), Margin: service.OutEstimate(r.Games.Margin),
		}
	}
	return out
}

func outSide(s *players.Side, hands int) api.KlaverjasMatchSide {
	return api.KlaverjasMatchSide{
		Player: s.Name, Declared: s.Hands, Nat: service.Share(s.Nat, s.Hands), Pit: service.Share(s.Pits, hands),
		Points: service.Share(s.Points, hands), Melds: service.Share(s.Melds, hands),
		Decisions: s.Decision.Len(), MeanUs: service.Micros(s.Decision.Mean()), P99Us: service.Micros(s.Decision.Quantile(0.99)),
	}
}
