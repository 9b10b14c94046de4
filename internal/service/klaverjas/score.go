package klaverjas

import (
	"roem/internal/api"
	"roem/internal/engine/klaverjas"
	"roem/internal/engine/klaverjas/players"
	"roem/internal/engine/piquet"
	"roem/internal/engine/violation"
	"roem/internal/service"
)

// ParseScore reads the body of score: a position in which all cards have been played.
var ParseScore = service.Then(ParsePosition, func(_ *Game, p Position) (Position, error) {
	if !p.now.Finished() {
		n, all := len(p.played), piquet.Deck.Len()
		return p, service.Refused(violation.New(violation.WrongCount, "has %d cards, expected all %d of a finished hand", n, all).
			At("/played").Of(n).Between(all, all))
	}
	return p, nil
})

// Score returns the score of a finished hand, trick by trick. It makes no search.
func (g *Game) Score(p Position) (api.KlaverjasHandScore, error) {
	tricks, err := completed(p)
	if err != nil {
		return api.KlaverjasHandScore{}, err
	}
	outcome := p.now.Outcome()
	return api.KlaverjasHandScore{
		Won: outcome > 0, Pit: p.now.Pit(), Outcome: outcome, LastTrick: tricks[len(tricks)-1].Winner, Score: outScore(p.now.Score()),
		Points: outPoints(players.Sheet(p.now)), TricksTaken: outTaken(p.now.TricksTaken()), Completed: tricks,
		Rules: outRules(p.now.Rules()), Deal: outIdentity(p.now.Deal()), Version: g.service.Version(),
	}, nil
}

// completed returns the completed tricks of a position, with their winners, points and melds.
func completed(p Position) ([]api.KlaverjasCompletedTrick, error) {
	out := []api.KlaverjasCompletedTrick{}
	at := p.start
	for i, c := range p.played {
		trick := at.Trick().With(c, at.Deal().Trump)
		next, err := at.Play(c)
		if err != nil {
			return nil, err
		}
		if trick.Len == trickSize {
			team := trick.Winner.Team()
			out = append(out, api.KlaverjasCompletedTrick{
				Number: i/trickSize + 1, Leader: *outSeat(trick.Leader), Cards: outCards(trick.Cards[:]), Winner: *outSeat(trick.Winner),
				Points: next.Score().Tricks[team] - at.Score().Tricks[team], Melds: outMelds(at.Rules().MeldsOf(trick.Set(), at.Deal().Trump)),
			})
		}
		at = next
	}
	return out, nil
}

func outMelds(melds []klaverjas.Meld) []api.KlaverjasMeld {
	out := make([]api.KlaverjasMeld, len(melds))
	for i, m := range melds {
		out[i] = api.KlaverjasMeld{Kind: api.KlaverjasMeldKind(m.Kind.String()), Cards: outCards(m.Cards.Slice()), Points: m.Points}
	}
	return out
}
