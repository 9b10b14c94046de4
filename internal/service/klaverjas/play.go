package klaverjas

import (
	"context"

	"roem/internal/api"
	"roem/internal/engine/klaverjas/players"
	"roem/internal/engine/piquet"
	"roem/internal/engine/violation"
	"roem/internal/service"
)

// PlaySpec says who plays a hand.
type PlaySpec struct {
	Players [2]string // by team, as players.ParseKind reads them
	Worlds  int
	Seed    uint64
	Tools   *players.Tools
}

// PlayedHand is a hand played by players. roem play writes it; the contract has no such answer.
type PlayedHand struct {
	Rules   api.KlaverjasRules        `json:"rules"`
	Deal    api.KlaverjasDealIdentity `json:"deal"`
	Players map[string]string         `json:"players"` // by team
	Before  api.Cards                 `json:"before"`  // the cards played in the position
	Played  []PlayedCard              `json:"played"`
	Outcome int                       `json:"outcome"`
	Points  map[string]int            `json:"points"` // by team, on the score sheet
	Version string                    `json:"version"`
}

// PlayedCard is a card with what its player thinks and what it tells everybody.
type PlayedCard struct {
	Seat          api.KlaverjasSeat `json:"seat"`
	Card          string            `json:"card"`
	Thoughts      []string          `json:"thoughts,omitempty"`
	Announcements []string          `json:"announcements,omitempty"`
}

// Play lets players play a position to its end.
func (g *Game) Play(ctx context.Context, p Position, spec PlaySpec) (PlayedHand, error) {
	out := PlayedHand{
		Rules: outRules(p.start.Rules()), Deal: outIdentity(p.start.Deal()), Before: outCards(p.played), Played: []PlayedCard{},
		Players: map[string]string{}, Points: map[string]int{}, Version: g.service.Version(),
	}
	var kinds [2]players.Kind
	for _, team := range piquet.Teams() {
		kind, err := players.ParseKind(spec.Players[team], spec.Worlds)
		if err != nil {
			return out, service.Refused(violation.Of("/players/"+team.String(), err)...)
		}
		kinds[team] = kind
		out.Players[team.String()] = kind.Name()
	}
	seats := players.Sit(kinds, spec.Seed, spec.Tools)
	_, end, err := players.Play(ctx, p.now, p.played, seats, func(s players.Step) {
		out.Played = append(out.Played, PlayedCard{
			Seat: *outSeat(s.Seat), Card: s.Card.String(), Thoughts: s.Thoughts, Announcements: players.Announcements(seats[s.Seat].Player, s.After),
		})
	})
	if err != nil {
		return out, err
	}
	points := players.Sheet(end)
	out.Outcome = end.Outcome()
	for _, team := range piquet.Teams() {
		out.Points[team.String()] = points[team]
	}
	return out, nil
}
