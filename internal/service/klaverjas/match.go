package klaverjas

import (
	"context"
	"strconv"
	"time"

	"roem/internal/api"
	"roem/internal/computation"
	"roem/internal/engine/klaverjas"
	"roem/internal/engine/klaverjas/bidding"
	"roem/internal/engine/klaverjas/players"
	"roem/internal/engine/violation"
	"roem/internal/service"
	"roem/internal/service/klaverjas/bidadvice"
)

// maxMatchSearches limits the searches of a pimc player for one place in the order of play: deals times worlds.
const maxMatchSearches = 200_000

// MatchQuery asks for a match between two kinds of players.
type MatchQuery struct {
	service.Uncached[any]
	game    *Game
	contest players.Contest
}

// ParseMatch reads the body of match.
func (g *Game) ParseMatch(ctx context.Context, body []byte) (*MatchQuery, error) {
	return service.Decode(ctx, g.schemas, body, "KlaverjasMatchRequest", func(in matchBody) (*MatchQuery, error) {
		contest, err := in.contest()
		if err != nil {
			return nil, err
		}
		return &MatchQuery{game: g, contest: contest}, nil
	})
}

// contest returns the match that is asked for. Its error is a *service.Error of kind Malformed or Impossible.
func (in matchBody) contest() (c players.Contest, err error) {
	var vs service.Problems
	c.Units = in.Deals
	worlds := in.Worlds
	for _, side := range [2]struct {
		pointer, text string
		to            *players.Kind
	}{{"/a", in.A, &c.A}, {"/b", in.B, &c.B}} {
		*side.to, err = players.ParseKind(side.text, worlds)
		vs.Add(side.pointer, err)
	}
	c.Seed = vs.Seed(in.Seed)
	if in.Declarer != nil {
		c.Declarers, err = players.ParseDeclarers(string(*in.Declarer))
		vs.Add("/declarer", err)
	}
	if in.Bidding != nil {
		flow, err := bidding.ParseFlow(string(*in.Bidding))
		vs.Add("/bidding", err)
		c.Bidding = PlayedBidding(flow)
	}
	if in.Game != nil {
		c.Length, err = players.ParseLength(string(*in.Game))
		vs.Add("/game", err)
	}
	c.Rules = newRules(in.Rules, &vs)
	vs.Add(CheckBidding(&c, in.Declarer != nil))
	for pointer, kind := range map[string]players.Kind{"/a": c.A, "/b": c.B} {
		if n := kind.Worlds(); n > maxMatchWorlds {
			vs.Addf(pointer, violation.TooMuch, "%s takes %d worlds for a card: expected at most %d", kind.Name(), n, maxMatchWorlds)
		}
		if n := c.Units * c.Length.Hands() * kind.Worlds(); n > maxMatchSearches {
			vs.Addf(pointer, violation.TooMuch, "%s searches %d worlds for each place of the match, deals times worlds: expected at most %d",
				kind.Name(), n,
				maxMatchSearches)
		}
	}
	return c, vs.Err()
}

// Key holds everything that the result depends on.
func (q *MatchQuery) Key() []byte {
	c := &q.contest
	key := appendRules(newKey(KindMatch), c.Rules)
	for _, kind := range []players.Kind{c.A, c.B} {
		key = key.Text(kind.Name()).Int(kind.Worlds())
	}
	key = key.Int(c.Units).Uint(c.Seed).Byte(byte(c.Declarers)).Byte(byte(c.Length)).Bool(c.Bidding != nil)
	if c.Bidding != nil {
		key = key.Byte(byte(c.Bidding.Flow))
	}
	return key
}

// Computation plays the match. It needs no slot; each deal does.
func (q *MatchQuery) Computation() computation.Spec {
	return service.Running(q.game.sharedKey(q.Key()), q.run)
}

// toolsKey is the key of the players' tools among the tools of a slot.
type toolsKey struct{ game *Game }

func (q *MatchQuery) run(ctx context.Context, task *computation.Task) (service.Answer[any], error) {
	began := time.Now()
	c := q.contest
	sum := service.NewParts(task, c.Units)
	c.Workers = q.game.service.ShareOf(ctx)
	c.Do = func(ctx context.Context, work func(context.Context, *players.Tools) error) error {
		return q.game.service.WithSlot(ctx, func(ctx context.Context, slot *computation.Slot) error {
			tools := computation.Tool(slot, toolsKey{q.game}, NewTools)
			before := tools.Nodes()
			err := work(ctx, tools)
			sum.Add(0, tools.Nodes()-before)
			return err
		})
	}
	c.Progress, c.Keeping = sum.Reach, q.game.service.Keeping(ctx, q.Key())
	result, err := c.Run(ctx)
	if err != nil {
		return service.Answer[any]{}, err
	}
	out := OutMatch(c, result, time.Since(began), q.game.service.Version())
	return service.Answer[any]{
		Result: out, Nodes: out.Stats.Nodes, Progress: computation.Progress{Done: c.Units, Of: c.Units, Nodes: uint64(out.Stats.Nodes)},
	}, nil
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
		flow := api.KlaverjasFlow(c.Bidding.Flow.String())
		out.Bidding = &flow
	} else {
		declarers := api.KlaverjasDeclarers(c.Declarers.String())
		out.Declarer = &declarers
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

// PlayedBidding returns bidding in which all seats call by the policy of package bidadvice.
func PlayedBidding(flow bidding.Flow) *players.Bidding {
	return &players.Bidding{Flow: flow, Call: new(bidadvice.Policy).Call}
}

// CheckBidding returns the field that contradicts the bidding of a match, and why; or no error. declarer says that the way to choose the
// declarers was given too.
func CheckBidding(c *players.Contest, declarer bool) (pointer string, err error) {
	switch {
	case c.Bidding == nil:
		return "", nil
	case declarer:
		return "/declarer", violation.New(violation.NotUsed, "is given, but the bidding decides who declares")
	case !new(bidadvice.Policy).Covers(c.Rules):
		return "/bidding", violation.New(violation.Contradicts,
			"needs the default rules of rotterdam or amsterdam: there is no model of hands for other rules")
	}
	return "", nil
}

// ParseRules reads a JSON object of rule switches.
func ParseRules(text []byte) (klaverjas.Rules, error) {
	return service.Decode(context.Background(), service.NewSchemas(nil, shapes), text, "KlaverjasRulesInput",
		func(in rulesBody) (klaverjas.Rules, error) {
			var vs service.Problems
			rules := newRules(&in, &vs)
			if err := vs.Err(); err != nil {
				return rules, err
			}
			return rules, nil
		})
}
