package belote

import (
	"strconv"
	"time"

	"roem/internal/api"
	"roem/internal/engine/belote/players"
	"roem/internal/service"
)

// outMatch returns the answer of match.
func (g *Game) outMatch(q *MatchQuery, a service.Answer[players.Result]) api.BeloteMatch {
	return OutMatch(q.contest, a.Result, time.Since(a.Began), g.service.Version())
}

// OutMatch returns the answer for the result of a contest.
func OutMatch(c players.Contest, r players.Result, took time.Duration, version string) api.BeloteMatch {
	trump := api.BeloteMatchTrumpDrawn
	if c.NoTrump {
		trump = api.BeloteMatchTrumpNone
	}
	return api.BeloteMatch{
		A: outSide(&r.Sides[0], r.Hands), B: outSide(&r.Sides[1], r.Hands), Deals: r.Deals, Hands: r.Hands,
		Difference: service.OutEstimate(r.Difference), Points: service.OutEstimate(r.Points), Won: r.Won, Tied: r.Tied, Lost: r.Lost,
		Share: service.OutEstimate(r.Share), Duplication: r.Duplication, Suits: c.Suits, Trump: trump, Flip: api.BeloteFlip(c.Flip.String()),
		Utility: api.BeloteUtility(c.Utility.String()),
		Seed:    strconv.FormatUint(c.Seed, 10),
		Stats:   api.BeloteStats{Generated: int64(r.Generated), Nodes: int64(r.Generated), ElapsedUs: took.Microseconds()}, Version: version,
	}
}

func outSide(s *players.Side, hands int) api.BeloteMatchSide {
	return api.BeloteMatchSide{
		Player: s.Name, Declared: s.Declared, Made: s.Made, Points: float64(s.Points) / float64(hands), Score: float64(s.Score) / float64(hands),
		Decisions: s.Decision.Len(), MeanUs: service.Micros(s.Decision.Mean()), P99Us: service.Micros(s.Decision.Quantile(0.99)),
	}
}
