package belote

import (
	"context"
	"strconv"
	"time"

	"roem/internal/api"
	"roem/internal/computation"
	"roem/internal/engine/belote/players"
	"roem/internal/engine/belote/search"
	"roem/internal/engine/belote/worlds"
	"roem/internal/engine/violation"
	"roem/internal/service"
)

// maxMatchSearches limits the worlds of a player for one place in the order of play: deals times worlds.
const maxMatchSearches = 100_000

// MatchQuery asks for a match between two kinds of players.
type MatchQuery struct {
	service.Uncached[any]
	game    *Game
	contest players.Contest
	began   time.Time
}

// ParseMatch reads the body of match.
func (g *Game) ParseMatch(ctx context.Context, body []byte) (*MatchQuery, error) {
	return service.Decode(ctx, g.schemas, body, "BeloteMatchRequest", func(in matchBody) (*MatchQuery, error) {
		c, err := in.contest()
		if err != nil {
			return nil, err
		}
		return &MatchQuery{game: g, contest: c, began: time.Now()}, nil
	})
}

// contest returns the match that is asked for. Its error is a *service.Error of kind Impossible.
func (in *matchBody) contest() (c players.Contest, err error) {
	var vs service.Problems
	c.Deals, c.Suits = in.Deals, in.Suits
	c.NoTrump = service.Or(in.Trump, api.BeloteMatchTrumpDrawn) == api.BeloteMatchTrumpNone
	c.Flip = service.Read(&vs, "/flip", in.Flip, worlds.ParseFlip, c.Flip)
	c.Utility = service.Read(&vs, "/utility", in.Utility, search.ParseUtility, c.Utility)
	c.Seed = vs.Seed(in.Seed)
	if err := vs.Err(); err != nil {
		return c, err
	}
	for _, side := range []struct {
		pointer string
		text    string
		to      *players.Kind
	}{{"/a", in.A, &c.A}, {"/b", in.B, &c.B}} {
		*side.to, err = players.ParseKind(side.text, in.Worlds)
		vs.Add(side.pointer, err)
		switch n := side.to.Worlds(); {
		case n > maxMatchWorlds:
			vs.Addf(side.pointer, violation.TooMuch, "%s searches %d worlds for a card: expected at most %d", side.to.Name(), n, maxMatchWorlds)
		case n*c.Deals > maxMatchSearches:
			vs.Addf(side.pointer, violation.TooMuch, "%s searches %d worlds for each place of the match, deals times worlds: expected at most %d",
				side.to.Name(), n*c.Deals, maxMatchSearches)
		}
	}
	return c, vs.Err()
}

// Key holds everything that the result depends on.
func (q *MatchQuery) Key() []byte {
	c := &q.contest
	return newKey(KindMatch).Text(c.A.Name()).Text(c.B.Name()).Int(c.Deals).Uint(c.Seed).Int(c.Suits).Bool(c.NoTrump).Byte(byte(c.Flip)).
		Byte(byte(c.Utility))
}

// Computation plays the match. It needs no slot; each deal takes slots in turns.
func (q *MatchQuery) Computation() computation.Spec {
	return service.Running(computation.Key(q.Key()), func(ctx context.Context, task *computation.Task) (service.Answer[any], error) {
		c := q.contest
		c.Workers = q.game.service.ShareOf(ctx)
		c.Do = q.game.service.WithPause
		c.Keeping = q.game.service.Keeping(ctx, q.Key())
		at := computation.Progress{Of: c.Deals}
		task.Report(at)
		c.Progress = func(deals int, generated uint64) {
			at.Done, at.Nodes = deals, generated
			task.Report(at)
		}
		end := service.EffortOf(ctx).BeginSearch()
		result, err := c.Run(ctx)
		end(result.Generated)
		if err != nil {
			return service.Answer[any]{}, err
		}
		return service.Answer[any]{
			Result: OutMatch(c, result, time.Since(q.began), q.game.service.Version()), Source: api.SourceSearch, Nodes: int64(result.Generated),
			Progress: at,
		}, nil
	})
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
