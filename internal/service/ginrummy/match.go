package ginrummy

import (
	"context"
	"strconv"
	"time"

	"roem/internal/api"
	"roem/internal/computation"
	"roem/internal/engine/ginrummy/players"
	"roem/internal/engine/match"
	"roem/internal/model/ginrummy/hand"
	"roem/internal/service"
)

// MatchQuery asks for a match between two kinds of players.
type MatchQuery struct {
	service.Uncached
	game    *Game
	contest players.Contest
}

// ParseMatch reads the body of match.
func (g *Game) ParseMatch(ctx context.Context, body []byte) (*MatchQuery, error) {
	return service.Decode(ctx, g.schemas, body, "GinMatchRequest", func(in matchBody) (*MatchQuery, error) {
		var (
			vs  service.Problems
			err error
		)
		c := players.Contest{Pairs: in.Deals, LayOffs: layOffsOf(in.LayOffs)}
		c.A, err = match.ParseKind(in.A, g.kinds)
		vs.Add("/a", err)
		c.B, err = match.ParseKind(in.B, g.kinds)
		vs.Add("/b", err)
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
	return service.Running(computation.Key(q.Key()), q.run)
}

func (q *MatchQuery) run(ctx context.Context, task *computation.Task) (service.Answer, error) {
	began := time.Now()
	c := q.contest
	c.Progress, c.Keeping = service.Counted(task, c.Pairs), q.game.service.Keeping(ctx, q)
	c.Workers = q.game.service.ShareOf(ctx)
	c.Do = func(ctx context.Context, work func(context.Context) error) error {
		return q.game.service.WithSlot(ctx, func(ctx context.Context, _ *computation.Slot) error { return work(ctx) })
	}
	result, err := c.Run(ctx)
	if err != nil {
		return service.Answer{}, err
	}
	return service.Answer{
		Body: OutMatch(c, result, time.Since(began), q.game.service.Version()), Progress: computation.Progress{Done: c.Pairs, Of: c.Pairs},
	}, nil
}

// OutMatch returns the answer for the result of a contest.
func OutMatch(c players.Contest, r players.Result, took time.Duration, version string) api.GinMatch {
	return api.GinMatch{
		A: outSide(&r.Sides[0], &r), B: outSide(&r.Sides[1], &r), Deals: r.Pairs, Games: r.Games, Won: r.Won,
		Share: service.OutEstimate(r.Share), Margin: service.OutEstimate(r.Margin), Duplication: r.Duplication, Rounds: r.Deals, Voids: r.Voids,
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
