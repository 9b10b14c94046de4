package klaverjas

import (
	"roem/internal/api"
	"roem/internal/engine/piquet"
)

// CardModel returns the models of a card: before the first card is played, and after each card that changes them.
func (g *Game) CardModel(q CardModelQuery) (api.KlaverjasCardModel, error) {
	steps, err := q.steps()
	out := api.KlaverjasCardModel{
		Card: q.card.String(), Steps: outModelSteps(steps), Rules: outRules(q.view.Rules), Version: g.service.Version(),
	}
	if q.world == nil {
		out.Seat = outSeat(q.view.Seat)
	}
	return out, err
}

func outModelSteps(steps []modelStep) []api.KlaverjasCardModelStep {
	out := make([]api.KlaverjasCardModelStep, len(steps))
	for i := range steps {
		s := &steps[i]
		out[i] = api.KlaverjasCardModelStep{
			Number: s.number, Worlds: outSeats(s.worlds), Actual: outSeatOrNil(s.actual),
			Seats: api.KlaverjasCardModelSeats{
				N: outCardSeat(&s.seats[piquet.North]), E: outCardSeat(&s.seats[piquet.East]),
				S: outCardSeat(&s.seats[piquet.South]), W: outCardSeat(&s.seats[piquet.West]),
			},
		}
		if s.played != nil {
			card := s.played.String()
			out[i].Played, out[i].By = &card, outSeat(s.by)
		}
	}
	return out
}

func outCardSeat(s *cardSeat) api.KlaverjasCardModelSeat {
	out := api.KlaverjasCardModelSeat{Classes: [][]api.KlaverjasSeat{}}
	for _, class := range s.classes {
		out.Classes = append(out.Classes, outSeats(class))
	}
	if s.possible != nil {
		possible := outSeats(s.possible)
		out.Possible = &possible
	}
	return out
}

func outSeats(seats []piquet.Seat) []api.KlaverjasSeat {
	out := make([]api.KlaverjasSeat, len(seats))
	for i, s := range seats {
		out[i] = *outSeat(s)
	}
	return out
}
