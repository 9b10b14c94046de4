package klaverjas

import (
	"context"
	"reflect"

	"roem/internal/api"
	"roem/internal/engine/klaverjas"
	"roem/internal/engine/klaverjas/logic"
	"roem/internal/engine/klaverjas/worlds"
	"roem/internal/engine/piquet"
	"roem/internal/engine/violation"
	"roem/internal/service"
)

// CardModelQuery asks who may hold a card, and who knows what of it.
type CardModelQuery struct {
	view  worlds.View    // of a position: north's
	world *[4]piquet.Set // the hands dealt to all seats; nil for a view
	card  piquet.Card
}

// ParseCardModel reads the body of knowledge/card.
func (g *Game) ParseCardModel(ctx context.Context, body []byte) (CardModelQuery, error) {
	return service.Decode(ctx, g.schemas, body, "KlaverjasCardModelRequest", newCardModelQuery)
}

func newCardModelQuery(in cardModelBody) (q CardModelQuery, err error) {
	if err := in.either(); err != nil {
		return q, err
	}
	if q.card, err = piquet.ParseCard(in.Card); err != nil {
		return q, service.Refused(violation.Of("/card", err)...)
	}
	if in.Seat != nil {
		k, err := newKnowledge(in.view())
		if err != nil {
			return q, err
		}
		q.view = k.View()
		return q, nil
	}
	p, err := newPosition(in.position())
	if err != nil {
		return q, err
	}
	dealt := p.now.Deal().Hands
	q.view, q.world = worlds.ViewOf(p.now, p.played, piquet.North), &dealt
	return q, nil
}

// CardModel returns the models of a card: before the first card is played, and after each card that changes them.
func (g *Game) CardModel(q CardModelQuery) (api.KlaverjasCardModel, error) {
	out := api.KlaverjasCardModel{
		Card: q.card.String(), Steps: []api.KlaverjasCardModelStep{}, Rules: outRules(q.view.Rules),
		Version: g.service.Version(),
	}
	if q.world == nil {
		out.Seat = outSeat(q.view.Seat)
	}
	var before api.KlaverjasCardModelStep
	trick := klaverjas.Trick{Leader: q.view.Leader, Winner: q.view.Leader}
	for n := 0; ; n++ {
		v := q.view
		v.Played = q.view.Played[:n]
		k, err := worlds.New(v)
		if err != nil {
			return out, err // the whole view has a world, so that its beginning has one
		}
		step := q.step(k)
		if n == 0 || !reflect.DeepEqual(step, before) {
			before = step
			step.Number = n
			if n > 0 {
				card := q.view.Played[n-1].String()
				step.Played, step.By = &card, outSeat(trick.Turn())
			}
			out.Steps = append(out.Steps, step)
		}
		if n > 0 {
			if trick = trick.With(q.view.Played[n-1], q.view.Trump); trick.Len == 4 {
				trick = klaverjas.Trick{Leader: trick.Winner, Winner: trick.Winner}
			}
		}
		if n == len(q.view.Played) {
			return out, nil
		}
	}
}

// step returns the model of the card after the cards of a view.
func (q *CardModelQuery) step(k *worlds.Knowledge) (out api.KlaverjasCardModelStep) {
	var m logic.CardModel
	known := true
	if q.world == nil {
		m, known = logic.SeenCardModel(k, q.card)
	} else {
		held := *q.world
		for s := range held {
			for _, c := range k.View().Played {
				held[s] = held[s].Without(c)
			}
		}
		m = logic.CardModelAt(k, q.card, held)
	}
	out.Worlds = outSeats(m.Worlds)
	if known {
		out.Actual = outSeat(m.Actual)
	}
	seat := func(s piquet.Seat) api.KlaverjasCardModelSeat {
		one := api.KlaverjasCardModelSeat{Classes: [][]api.KlaverjasSeat{}}
		for _, class := range m.Classes(s) {
			one.Classes = append(one.Classes, outSeats(class))
		}
		if m.Possible[s] != nil {
			possible := outSeats(m.Possible[s])
			one.Possible = &possible
		}
		return one
	}
	out.Seats = api.KlaverjasCardModelSeats{N: seat(piquet.North), E: seat(piquet.East), S: seat(piquet.South), W: seat(piquet.West)}
	return out
}

func outSeats(seats []piquet.Seat) []api.KlaverjasSeat {
	out := make([]api.KlaverjasSeat, len(seats))
	for i, s := range seats {
		out[i] = *outSeat(s)
	}
	return out
}
