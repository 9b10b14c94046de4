package klaverjas

import (
	"roem/internal/engine/klaverjas/worlds"
	"roem/internal/engine/piquet"
	"roem/internal/engine/violation"
	"roem/internal/service"
)

// ParseCardModel reads the body of knowledge/card.
var ParseCardModel = service.PlainBodyOf[*Game]("KlaverjasCardModelRequest", newCardModelQuery)

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
