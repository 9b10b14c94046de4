package klaverjas

import (
	"context"

	"roem/internal/engine/klaverjas"
	"roem/internal/engine/klaverjas/bidding"
	"roem/internal/engine/klaverjas/players"
	"roem/internal/engine/violation"
	"roem/internal/service"
)

// ParseMatch reads the body of match.
func ParseMatch() service.Parser[*Game, *MatchQuery] {
	return service.BodyOf("KlaverjasMatchRequest", func(g *Game, in matchBody) (*MatchQuery, error) {
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
