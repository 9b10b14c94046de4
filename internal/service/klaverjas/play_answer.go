package klaverjas

import (
	"strconv"

	"roem/internal/api"
	"roem/internal/engine/klaverjas/players"
	"roem/internal/engine/piquet"
	"roem/internal/service"
)

// outPlay returns the answer of play.
func (g *Game) outPlay(q *PlayQuery, a service.Answer[[]shown]) api.KlaverjasPlay {
	out := api.KlaverjasPlay{
		Hands: []api.KlaverjasPlayHand{}, Players: outNames(q.kinds), Seed: strconv.FormatUint(q.seed, 10), Rules: outRules(q.rules),
		Stats: stats(uint64(a.Nodes), a.Source, a.Began), Version: g.service.Version(),
	}
	for i := range a.Result {
		hand := outShown(&a.Result[i])
		out.Hands = append(out.Hands, hand)
		out.Points.NS += hand.Points.NS
		out.Points.EW += hand.Points.EW
	}
	return out
}

// PrintedHand is a hand as the command play writes it.
type PrintedHand struct {
	Players map[string]string `json:"players"` // by seat, and by team where partners are of the same kind
	api.KlaverjasPlayHand
	Seed    string             `json:"seed"`
	Rules   api.KlaverjasRules `json:"rules"`
	Version string             `json:"version"`
}

// outPrinted returns the answer of the command play: the one hand of a line without the list around it.
func (g *Game) outPrinted(q *PlayQuery, a service.Answer[[]shown]) any {
	all := g.outPlay(q, a)
	if q.count > 1 {
		return all
	}
	return PrintedHand{
		Players: printedPlayers(q.kinds), KlaverjasPlayHand: all.Hands[0], Seed: all.Seed, Rules: all.Rules, Version: all.Version,
	}
}

// printedPlayers returns the names of the players by seat, and by team where partners are of the same kind.
func printedPlayers(kinds [4]players.Kind) map[string]string {
	names := map[string]string{}
	for _, seat := range piquet.Seats() {
		name := kinds[seat].Name()
		names[seat.String()] = name
		if name == kinds[seat.Partner()].Name() {
			names[seat.Team().String()] = name
		}
	}
	return names
}

// outShown returns a hand of the answer.
func outShown(s *shown) api.KlaverjasPlayHand {
	deal, points := s.end.Deal(), players.Sheet(s.end)
	out := api.KlaverjasPlayHand{
		Deal: outIdentity(deal), Hands: outDealt(deal.Hands), Open: outHands(s.open), Before: outCards(s.position.played),
		Facts: []api.KlaverjasFact{}, Played: make([]api.KlaverjasPlayedCard, len(s.steps)), Outcome: s.end.Outcome(),
		Points: api.KlaverjasTeamPoints{NS: points[piquet.NorthSouth], EW: points[piquet.EastWest]}, Score: outScore(s.end.Score()),
	}
	before := len(s.position.played)
	for i, step := range s.steps {
		out.Played[i] = outPlayed(before+i, step)
	}
	for i, fact := range outFacts(s.view, s.facts) {
		if at := s.facts[i].Play - before; at >= 0 {
			to := &out.Played[at]
			to.Facts, to.Announcements = append(to.Facts, fact), append(to.Announcements, fact.Text)
		} else {
			out.Facts = append(out.Facts, fact)
		}
	}
	for i := range s.possibles {
		if to := outPossibles(&s.possibles[i]); i == 0 {
			out.Possibles = to
		} else {
			out.Played[i-1].Possibles = to
		}
	}
	if s.models != nil {
		models := outModelSteps(s.models)
		out.Models = &models
	}
	return out
}

func outPossibles(p *possibles) *api.KlaverjasPossibles {
	seat := func(s piquet.Seat) api.KlaverjasSeatPossibles {
		return api.KlaverjasSeatPossibles{Pairs: p.seats[s].pairs, May: outHands(p.seats[s].may)}
	}
	out := &api.KlaverjasPossibles{Public: outHands(p.public)}
	out.Seats.N, out.Seats.E, out.Seats.S, out.Seats.W = seat(piquet.North), seat(piquet.East), seat(piquet.South), seat(piquet.West)
	return out
}

func outNames(kinds [4]players.Kind) api.KlaverjasPlayers {
	return api.KlaverjasPlayers{
		N: kinds[piquet.North].Name(), E: kinds[piquet.East].Name(), S: kinds[piquet.South].Name(), W: kinds[piquet.West].Name(),
	}
}

// outPlayed returns a card with its thoughts. number counts the cards from 0.
func outPlayed(number int, step players.Step) api.KlaverjasPlayedCard {
	out := api.KlaverjasPlayedCard{
		Number: number + 1, Seat: *outSeat(step.Seat), Card: step.Card.String(), Thoughts: []string{}, Reasons: []api.KlaverjasThought{},
		Announcements: []string{}, Facts: []api.KlaverjasFact{},
	}
	for _, t := range step.Thoughts {
		reason := outThought(t)
		out.Reasons, out.Thoughts = append(out.Reasons, reason), append(out.Thoughts, reason.Text)
	}
	return out
}

func outThought(t players.Thought) api.KlaverjasThought {
	out := api.KlaverjasThought{Code: api.KlaverjasThoughtCode(t.Why), Text: t.String()}
	card := func(c *piquet.Card) *api.Card {
		if c == nil {
			return nil
		}
		return new(c.String())
	}
	number := func(x float64, digits int) *float64 {
		x = service.Rounded(x, digits)
		return &x
	}
	out.Card, out.Next = card(t.Card), card(t.Next)
	switch t.Why {
	case players.LearnedCard:
		out.Chance, out.NextChance = number(t.Chance, probabilityDigits), number(t.NextChance, probabilityDigits)
	case players.PlayedWorlds, players.SolvedWorlds, players.RuleOfThumb, players.OpenCards:
		out.Points = number(t.Points, pointDigits)
		if t.Next != nil {
			out.Cost = number(t.Cost, pointDigits)
		}
		if t.Worlds > 0 {
			out.Worlds = &t.Worlds
		}
	default:
	}
	return out
}
