package klaverjas

import (
	"errors"

	"roem/internal/engine/klaverjas/players"
	"roem/internal/engine/piquet"
	"roem/internal/engine/violation"
	"roem/internal/service"
)

// ParsePlay reads the body of play.
func ParsePlay() service.Parser[*Game, *PlayQuery] {
	return service.BodyOf("KlaverjasPlayRequest", func(g *Game, in playBody) (*PlayQuery, error) {
		q := &PlayQuery{game: g, open: in.Open, count: in.Count, level: (*possiblesLevel)(in.Possibles)}
		var vs service.Problems
		q.seat(&in, &vs)
		q.seed = vs.Seed(in.Seed)
		if in.Card != nil {
			card, err := piquet.ParseCard(*in.Card)
			vs.Add("/card", err)
			q.card = &card
		}
		if q.level != nil && q.count > maxPossiblesHands {
			vs.Addf("/possibles", violation.TooMuch, "is given for %d hands: expected at most %d", q.count, maxPossiblesHands)
		}
		if err := q.deal(&in, &vs); err != nil {
			return nil, err
		}
		if err := vs.Err(); err != nil {
			return nil, err
		}
		return q, nil
	})
}

// seat reads the players.
func (q *PlayQuery) seat(in *playBody, vs *service.Problems) {
	names := playersBody{}
	if in.Players != nil {
		names = *in.Players
	}
	for seat, name := range [4]*string{piquet.North: names.N, piquet.East: names.E, piquet.South: names.S, piquet.West: names.W} {
		pointer := "/players/" + piquet.Seat(seat).String()
		kind, err := players.ParseKind(service.Or(name, "simple"), in.Worlds)
		vs.Add(pointer, err)
		if n := kind.Worlds(); n > maxMatchWorlds {
			vs.Addf(pointer, violation.TooMuch, "%s takes %d worlds for a card: expected at most %d", kind.Name(), n, maxMatchWorlds)
		}
		q.kinds[seat] = kind
	}
}

// deal reads what is played: a position, or what is fixed of hands that are drawn. Its error is a fault of the program.
func (q *PlayQuery) deal(in *playBody, vs *service.Problems) error {
	if in.Known != nil && q.open > 0 {
		vs.Add("/known", violation.New(violation.OnlyOneOf, "is given together with open: give only one of them").OneOf("known", "open"))
	}
	if in.Hands == nil && in.Deal == nil {
		q.drawn(in, vs)
		return nil
	}
	const needed = "is missing: hands and deal need it"
	if in.Trump == nil {
		vs.Add("/trump", violation.New(violation.Missing, needed))
	}
	if in.Leader == nil {
		vs.Add("/leader", violation.New(violation.Missing, needed))
	}
	if q.count > 1 {
		vs.Addf("/count", violation.NotUsed, "is %d, but there is only the hand that is given", q.count)
	}
	if len(*vs) > 0 {
		return nil
	}
	p, err := newPosition(positionBody{
		Rules: in.Rules, Trump: *in.Trump, Leader: *in.Leader, Declarer: in.Declarer, Hands: in.Hands, Deal: in.Deal, Played: in.Played,
	})
	if e, ok := errors.AsType[*service.Error](err); ok {
		*vs = append(*vs, e.Violations...)
		return nil
	}
	if err != nil {
		return err
	}
	q.position, q.rules = &p, p.start.Rules()
	q.known = in.Known.of(&p, vs)
	return nil
}

// drawn reads what is fixed of hands that are drawn.
func (q *PlayQuery) drawn(in *playBody, vs *service.Problems) {
	const unused = "is given, but the hand is drawn: expected it only with hands or deal"
	if in.Played != nil {
		vs.Add("/played", violation.New(violation.NotUsed, unused))
	}
	if in.Known != nil {
		vs.Add("/known", violation.New(violation.NotUsed, unused))
	}
	q.rules = newRules(in.Rules, vs)
	if in.Trump != nil {
		trump, err := piquet.ParseSuit(*in.Trump)
		vs.Add("/trump", err)
		q.trump = &trump
	}
	if in.Leader != nil {
		leader, err := piquet.ParseSeat(*in.Leader)
		vs.Add("/leader", err)
		q.leader = &leader
	}
	if in.Declarer != nil {
		declarer, err := piquet.ParseTeam(*in.Declarer)
		vs.Add("/declarer", err)
		q.declarer = &declarer
	}
}

// of returns the cards that lie open in a position. It adds a violation for cards that were dealt to another seat.
func (in *knownBody) of(p *Position, vs *service.Problems) (known [4]piquet.Set) {
	if in == nil {
		return known
	}
	for seat, list := range [4]*cardList{piquet.North: in.N, piquet.East: in.E, piquet.South: in.S, piquet.West: in.W} {
		if list == nil {
			continue
		}
		pointer := "/known/" + piquet.Seat(seat).String()
		known[seat] = list.set(pointer, vs)
		if others := known[seat] &^ p.start.Deal().Hands[seat]; others != 0 {
			vs.Add(pointer, violation.New(violation.NotHeld, "has %s, which was not dealt to %s", others, piquet.Seat(seat)).Of(others))
		}
	}
	return known
}
