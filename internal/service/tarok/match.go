package tarok

import (
	"context"
	"strconv"
	"time"

	"roem/internal/api"
	"roem/internal/computation"
	"roem/internal/engine/table/contest"
	"roem/internal/engine/tarok"
	"roem/internal/engine/tarok/advice"
	"roem/internal/engine/tarok/players"
	"roem/internal/engine/violation"
	"roem/internal/service"
)

// maxSlowHands is the most hands of a table, deals times hands, with a player that searches: some hours.
const maxSlowHands = 10_000

// MatchQuery asks for a match between two kinds of players.
type MatchQuery struct {
	service.Uncached[played]
	game    *Game
	contest players.Contest
}

// played is a match that was played.
type played struct {
	players.Result
	took time.Duration
}

// ParseRules reads a JSON object of rules, as the requests have it.
func ParseRules(text []byte) (tarok.Rules, error) {
	rules := func(in rulesBody) (tarok.Rules, error) { return in.rules(), nil }
	return service.Decode(context.Background(), service.NewSchemas(nil, shapes), text, "TarokRulesInput", rules)
}

// ParseMatch reads the body of match.
var ParseMatch = service.BodyOf("TarokMatchRequest", func(g *Game, in matchBody) (*MatchQuery, error) {
	var vs service.Problems
	c := players.Contest{
		Deals: in.Deals, Hands: in.Hands, NoRadli: !in.Radli,
		Seating: players.Seating(indexOf(in.Seating, seatingValues)), Rules: in.Rules.rules(), Seed: vs.Seed(in.Seed),
	}
	kinds := service.ReadKinds(&vs, in.A, in.B, g.kinds)
	c.A, c.B = kinds[0], kinds[1]
	if (c.A.Slow() || c.B.Slow()) && c.Deals*c.Hands > maxSlowHands {
		vs.Addf("/deals", violation.TooMuch, "times hands is %d, expected at most %d with a player that searches", c.Deals*c.Hands, maxSlowHands)
	}
	if err := vs.Err(); err != nil {
		return nil, err
	}
	return &MatchQuery{game: g, contest: c}, nil
})

// Key holds everything that the result depends on.
func (q *MatchQuery) Key() []byte {
	c := &q.contest
	key := newKey(KindMatch).Int(programVersion).Text(c.A.Name()).Text(c.B.Name()).Int(c.Deals).Int(c.Hands).Bool(c.NoRadli).
		Byte(byte(c.Seating))
	return appendRules(key, &c.Rules).Uint(c.Seed)
}

// Computation plays the match. It needs no slot; each table, and each decision of a slow player, takes slots in turns.
func (q *MatchQuery) Computation() computation.Spec {
	return service.Contest(q.game.service, q.Key(), q.contest.Deals, func(ctx context.Context, p contest.Plan) (played, error) {
		c, began := q.contest, time.Now()
		c.Progress, c.Keeping, c.Workers, c.Do = p.Progress, p.Keeping, p.Workers, q.game.turns
		result, err := c.Run(ctx)
		return played{result, time.Since(began)}, err
	})
}

// turns runs work that takes slots in turns: players of package advice give them up while they decide.
func (g *Game) turns(ctx context.Context, work func(context.Context) error) error {
	return g.service.WithPause(ctx, func(ctx context.Context, pause func() error) error {
		return work(advice.WithPause(ctx, pause))
	})
}

func (g *Game) outMatch(q *MatchQuery, a service.Answer[played]) api.TarokMatch {
	return OutMatch(&q.contest, &a.Result.Result, a.Result.took, g.service.Version())
}

// OutMatch returns the answer for the result of a contest.
func OutMatch(c *players.Contest, r *players.Result, took time.Duration, version string) api.TarokMatch {
	n := &r.Contracts
	return api.TarokMatch{
		A: outSide(&r.Sides[0]), B: outSide(&r.Sides[1]), Deals: r.Deals, Tables: r.Tables, Hands: r.Hands,
		Difference: service.OutEstimate(r.Difference),
		Won:        r.Won, Tied: r.Tied, Lost: r.Lost, Contracts: api.TarokContracts{
			Klop: n[tarok.Klop], Three: n[tarok.Three], Two: n[tarok.Two], One: n[tarok.One], Beggar: n[tarok.Beggar], Zero: n[tarok.Zero],
		},
		Seating: api.TarokSeating(c.Seating.String()), Seed: strconv.FormatUint(c.Seed, 10), ElapsedUs: took.Microseconds(), Version: version,
	}
}

func outSide(s *players.Side) api.TarokMatchSide {
	return api.TarokMatchSide{
		Player: s.Name, Score: service.Share(s.Score, s.Hands), Declared: service.Share(s.Declared, s.Hands),
		Won: service.Share(s.Won, s.Declared), Klops: service.Share(s.Klops, s.Hands),
		Decisions: s.Decision.Len(), MeanUs: service.Micros(s.Decision.Mean()), P99Us: service.Micros(s.Decision.Quantile(0.99)),
	}
}
