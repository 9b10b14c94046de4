package belote

import (
	"roem/internal/api"
	"roem/internal/engine/belote/players"
	"roem/internal/engine/belote/search"
	"roem/internal/engine/belote/worlds"
	"roem/internal/engine/violation"
	"roem/internal/service"
)

// ParseMatch reads the body of match.
var ParseMatch = service.BodyOf("BeloteMatchRequest", func(g *Game, in matchBody) (*MatchQuery, error) {
	c, err := in.contest()
	if err != nil {
		return nil, err
	}
	return &MatchQuery{game: g, contest: c}, nil
})

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
