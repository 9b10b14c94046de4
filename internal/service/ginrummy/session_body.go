package ginrummy

import (
	"strconv"

	"roem/internal/engine/ginrummy"
	"roem/internal/engine/ginrummy/session"
	"roem/internal/engine/match"
	"roem/internal/engine/violation"
	"roem/internal/service"
)

// SessionQuery asks for a new session. Its secret has not been drawn.
type SessionQuery = session.Match

// SessionAct is an act in a session, with the number that it has there.
type SessionAct = service.SessionAct[session.Act]

// readSession returns the session.
func (g *Game) readSession(in sessionBody) (q SessionQuery, err error) {
	u := &q.Setup
	var vs service.Problems
	if in.Hands == nil && in.Target == nil {
		in.Target = new(ginrummy.GameScore)
	}
	u.Terms = vs.Terms(in.Hands, in.Target, in.Takeback, in.Seed)
	u.Seat = parseSeat("/seat", service.Or(in.Seat, ginrummy.A.String()), &vs)
	if in.Starter != nil {
		u.Starter = new(parseSeat("/starter", *in.Starter, &vs))
	}
	u.LayOffs = layOffsOf(in.LayOffs)
	players := service.Or(in.Players, sessionPlayersBody{})
	kind, err := match.ParseKind(service.Or(players.Opponent, g.advisor), g.kinds)
	vs.Add("/players/opponent", err)
	u.Player = kind.Name()
	return q, vs.Err()
}

// act returns the wish for the next hand.
func (in sessionNextBody) act() (a SessionAct, err error) {
	a.Act.Next, a.Number = true, *in.Acts
	return a, nil
}

// act returns the action. Its error is a *service.Error of kind Impossible.
func (in sessionPlayBody) act() (a SessionAct, err error) {
	a.Number = *in.Acts
	action, move := &in.Action, &a.Act.Action
	if move.Kind, err = ginrummy.ParseKind(string(action.Kind)); err != nil {
		return a, err // the enumeration of the contract has the kinds of the engine
	}
	var vs service.Problems
	switch {
	case move.Kind == ginrummy.Discard && action.Card == nil:
		vs.Addf("/action/card", violation.Needed, "is missing")
	case move.Kind == ginrummy.Discard:
		move.Card = parseCard("/action/card", *action.Card, &vs)
	case action.Card != nil:
		vs.Addf("/action/card", violation.NotUsed, "is given, but the action is %s: expected it for a discard only", move.Kind)
	}
	switch lays := move.Kind == ginrummy.Knock || move.Kind == ginrummy.Lay; {
	case action.Melds == nil:
		move.Best = lays
	case !lays:
		vs.Addf("/action/melds", violation.NotUsed, "is given, but the action is %s: expected it for knock and melds only", move.Kind)
	default:
		move.Melds = parseMelds("/action/melds", action.Melds, ginrummy.Deck, &vs)
	}
	switch {
	case action.LaidOff == nil:
	case move.Kind != ginrummy.Lay:
		vs.Addf("/action/laid_off", violation.NotUsed, "is given, but the action is %s: expected it for melds only", move.Kind)
	default:
		move.Off = parseOff("/action/laid_off", action.LaidOff, &vs)
	}
	return a, vs.Err()
}

// parseMelds reads disjoint melds of a hand.
func parseMelds(where string, melds [][]string, hand ginrummy.Set, vs *service.Problems) (a ginrummy.Arrangement) {
	var (
		before = len(*vs)
		list   []ginrummy.Set
		used   ginrummy.Set
	)
	for i, texts := range melds {
		place := where + "/" + strconv.Itoa(i)
		m := parseSet(place, texts, vs)
		switch {
		case len(*vs) > before:
		case !hand.Contains(m):
			vs.Addf(place, violation.NotHeld, "%s is not in the hand", m&^hand)
		case m&used != 0:
			vs.Addf(place, violation.CardTwice, "%s is also in another meld", m&used)
		case !m.IsMeld():
			vs.Addf(place, violation.NotLegal, "%s is neither a run nor three or four of a rank", m)
		}
		list, used = append(list, m), used|m
	}
	if len(*vs) == before {
		a, _ = ginrummy.ArrangementOf(list)
	}
	return a
}

// act returns the taking back.
func (in sessionTakebackBody) act() (SessionAct, error) {
	return SessionAct{Number: *in.Acts, Back: true}, nil
}
