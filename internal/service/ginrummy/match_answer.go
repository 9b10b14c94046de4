package ginrummy

import (
	"strconv"
	"time"

	"roem/internal/api"
	"roem/internal/engine/ginrummy/players"
	"roem/internal/service"
)

func (g *Game) outMatch(q *MatchQuery, a service.Answer[played]) api.GinMatch {
	return OutMatch(q.contest, a.Result.Result, a.Result.took, g.service.Version())
}

// OutMatch returns the answer for the result of a contest.
func OutMatch(c players.Contest, r players.Result, took time.Duration, version string) api.GinMatch {
	return api.GinMatch{
		A: outSide(&r.Sides[0], &r), B: outSide(&r.Sides[1], &r), Deals: r.Pairs, Games: r.Games, Won: r.Won,
		Share: service.OutEstimate(r.Share), Margin: service.OutEstimate(r.Margin), Duplication: r.Duplication, Hands: r.Deals, Voids: r.Voids,
		LayOffs: layOffsRuleValues[c.LayOffs], Seed: strconv.FormatUint(c.Seed, 10), ElapsedUs: took.Microseconds(), Version: version,
	}
}

func outSide(s *players.Side, r *players.Result) api.GinMatchSide {
	return api.GinMatchSide{
		Player: s.Name, Knocks: service.Share(s.Knocks, r.Deals), Gins: service.Share(s.Gins, s.Knocks),
		Undercuts: service.Share(s.Undercuts, s.Knocks), Points: service.Share(s.Points, r.Games),
		Decisions: s.Decision.Len(), MeanUs: service.Micros(s.Decision.Mean()),
		P99Us: service.Micros(s.Decision.Quantile(0.99)),
	}
}
