package ginrummy

import (
	"context"
	"strconv"
	"time"

	"roem/internal/api"
	"roem/internal/computation"
	"roem/internal/engine/ginrummy/players"
	"roem/internal/engine/table/contest"
	"roem/internal/model/ginrummy/hand"
	"roem/internal/service"
)

// MatchQuery asks for a match between two kinds of players.
type MatchQuery struct {
	service.Uncached[any]
	game    *Game
	contest players.Contest
}

// ParseMatch reads the body of match.
func (g *Game) ParseMatch(ctx context.Context, body []byte) (*MatchQuery, error) {
	return service.Decode(ctx, g.schemas, body, "GinMatchRequest", func(in matchBody) (*MatchQuery, error) {
		var vs service.Problems
		kinds := service.ReadKinds(&vs, in.A, in.B, g.kinds)
		c := players.Contest{A: kinds[0], B: kinds[1], Pairs: in.Deals, LayOffs: layOffsOf(in.LayOffs)}
		c.Seed = vs.Seed(in.Seed)
		return &MatchQuery{game: g, contest: c}, vs.Err()
	})
}

// The names in keys: the format, and the version of the players and of the deals. It must change whenever a decision can change, but for
// new weights, which have a version of their own. TestPlayersVersion looks at some decisions.
const (
	gameName       = "gin_rummy"
	schemaVersion  = 3
	playersVersion = 3
)

// Key holds everything that the result depends on.
func (q *MatchQuery) Key() []byte {
	c := &q.contest
	return service.NewKey(gameName, schemaVersion, hand.Version,
		KindMatch).Int(playersVersion).Text(c.A.Name()).Text(c.A.Identity()).Text(c.B.Name()).Text(c.B.Identity()).Int(c.Pairs).
		Uint(c.Seed).Byte(byte(c.LayOffs))
}

// Computation plays the match. It needs no slot; each game, or each decision of a slow player, does.
func (q *MatchQuery) Computation() computation.Spec {
	return service.Contest(q.game.service, q.Key(), q.contest.Pairs, func(ctx context.Context, p contest.Plan) (any, error) {
		c, began := q.contest, time.Now()
		c.Progress, c.Keeping, c.Workers, c.Do = p.Progress, p.Keeping, p.Workers, q.game.service.Lend
		result, err := c.Run(ctx)
		return OutMatch(c, result, time.Since(began), q.game.service.Version()), err
	})
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
