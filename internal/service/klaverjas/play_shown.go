package klaverjas

import (
	"roem/internal/api"
	"roem/internal/engine/klaverjas"
	"roem/internal/engine/klaverjas/players"
	"roem/internal/engine/klaverjas/worlds"
	"roem/internal/engine/piquet"
	"roem/internal/service"
)

// shown is a hand that players have played, to be explained.
type shown struct {
	query    *PlayQuery
	position Position // in which the players took over
	open     [4]piquet.Set
	steps    []players.Step
	played   []piquet.Card // all cards
	end      klaverjas.Position
}

// view returns what a seat had seen when a number of cards had been played.
func (s *shown) view(seat piquet.Seat, cards int) worlds.View {
	return worlds.ViewOf(s.position.start, s.played[:cards:cards], seat).Showing(s.open)
}

// hand returns the hand of the answer.
func (s *shown) hand() (out api.KlaverjasPlayHand, err error) {
	k, err := worlds.New(s.view(piquet.North, len(s.played)))
	if err != nil {
		return out, err
	}
	deal, points := s.end.Deal(), players.Sheet(s.end)
	out = api.KlaverjasPlayHand{
		Deal: outIdentity(deal), Hands: outDealt(deal.Hands), Open: outHands(s.open), Before: outCards(s.position.played),
		Facts: []api.KlaverjasFact{}, Played: make([]api.KlaverjasPlayedCard, len(s.steps)), Outcome: s.end.Outcome(),
		Points: api.KlaverjasTeamPoints{NS: points[piquet.NorthSouth], EW: points[piquet.EastWest]}, Score: outScore(s.end.Score()),
	}
	before := len(s.position.played)
	for i, step := range s.steps {
		out.Played[i] = outPlayed(before+i, step)
	}
	facts := k.PublicFacts(s.query.believes())
	for i, fact := range outFacts(k.View(), facts) {
		if at := facts[i].Play - before; at >= 0 {
			to := &out.Played[at]
			to.Facts, to.Announcements = append(to.Facts, fact), append(to.Announcements, fact.Text)
		} else {
			out.Facts = append(out.Facts, fact)
		}
	}
	if s.query.level != nil {
		for i := 0; i <= len(s.steps); i++ {
			possibles, err := s.possibles(before + i)
			if err != nil {
				return out, err
			}
			if i == 0 {
				out.Possibles = possibles
			} else {
				out.Played[i-1].Possibles = possibles
			}
		}
	}
	if s.query.card != nil {
		model, err := s.query.game.CardModel(CardModelQuery{view: k.View(), world: &deal.Hands, card: *s.query.card})
		if err != nil {
			return out, err
		}
		out.Models = &model.Steps
	}
	return out, nil
}

// possibles returns what all and each seat hold for possible when a number of cards have been played.
func (s *shown) possibles(cards int) (*api.KlaverjasPossibles, error) {
	out := new(api.KlaverjasPossibles)
	seats := [4]*api.KlaverjasSeatPossibles{
		piquet.North: &out.Seats.N, piquet.East: &out.Seats.E, piquet.South: &out.Seats.S, piquet.West: &out.Seats.W,
	}
	for seat, to := range seats {
		k, err := worlds.New(s.view(piquet.Seat(seat), cards))
		if err != nil {
			return nil, err
		}
		var at level = k
		if *s.query.level == api.KlaverjasPossiblesLevelPaper {
			at = k.Paper(true)
		}
		var may worlds.World
		for _, other := range piquet.Seats() {
			may[other] = at.May(other)
		}
		may[seat] = k.Own()
		*to = api.KlaverjasSeatPossibles{Pairs: at.Possibles(), May: outHands(may)}
		if seat == int(piquet.North) {
			out.Public = outHands(publicly(k))
		}
	}
	return out, nil
}

// publicly returns the cards that each seat may hold, judged by what all have seen.
func publicly(k *worlds.Knowledge) (may worlds.World) {
	public := k.Public()
	for c := range (k.Unseen() | k.Own()).All() {
		for _, seat := range public.Holders(c) {
			may[seat] = may[seat].With(c)
		}
	}
	return may
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
		text := c.String()
		return &text
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
