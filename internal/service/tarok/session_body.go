package tarok

import (
	"slices"
	"strconv"
	"strings"

	"roem/internal/api"
	"roem/internal/engine/tarok"
	"roem/internal/engine/tarok/players"
	"roem/internal/engine/tarok/session"
	"roem/internal/engine/violation"
	"roem/internal/service"
)

// SessionQuery asks for a new session. Its secret has not been drawn.
type SessionQuery = session.Match

// SessionAct is an act in a session, with the number that it has there.
type SessionAct = service.SessionAct[session.Act]

// ParseSession reads the body of sessions.
var ParseSession = service.PlainBodyOf[*Game]("TarokSessionRequest", sessionBody.query)

// query returns the query of the body. Its errors are of kind Malformed or Impossible.
func (in sessionBody) query() (q SessionQuery, err error) {
	program := api.TarokSessionPlayerProgram
	players := service.Or(in.Players, sessionPlayersBody{})
	u := &q.Setup
	var vs service.Problems
	u.Rules, u.NoRadli = in.Rules.rules(), !service.Or(in.Radli, true)
	u.Terms = vs.Terms(in.Hands, in.Target, in.Takeback, in.Seed)
	u.Players = [2]string{string(service.Or(players.Left, program)), string(service.Or(players.Right, program))}
	if in.Seat != nil {
		u.Seat, err = tarok.ParsePlayer(*in.Seat)
		vs.Add("/seat", err)
	}
	return q, vs.Err()
}

// act returns the call.
func (in sessionCallBody) act() (a SessionAct, err error) {
	a.Act.Action.Phase = players.ToBid
	a.Number = *in.Acts
	if a.Act.Action.Bid, err = tarok.ParseBid(in.Call); err != nil {
		return a, service.FromEngineAt("/call", err)
	}
	return a, nil
}

// act returns the exchange.
func (in sessionExchangeBody) act() (a SessionAct, err error) {
	a.Act.Action.Phase = players.ToExchange
	a.Number = *in.Acts
	var vs service.Problems
	a.Act.Action.Group, a.Act.Action.Discards = *in.Group, readSet(&vs, "/discards", in.Discards)
	if err := vs.Err(); err != nil {
		return a, err
	}
	o := order{}
	o.cards("/discards", in.Discards)
	a.Place = o.place
	return a, nil
}

// theGame is what is doubled besides bonuses.
const theGame = "game"

// act returns the words.
func (in sessionAnnounceBody) act() (a SessionAct, err error) {
	a.Act.Action.Phase = players.ToAnnounce
	a.Number = *in.Acts
	var vs service.Problems
	w := &a.Act.Action.Words
	read := func(pointer string, list []string, set *[4]bool) {
		for i, name := range list {
			where := pointer + "/" + strconv.Itoa(i)
			if slices.Contains(list[:i], name) {
				vs.Add(where, violation.New(violation.ListedTwice, "%.24s is named twice", name).Of(name))
				continue
			}
			if set == &w.Double && name == theGame {
				w.Kontra = true
				continue
			}
			b, err := tarok.ParseBonus(name)
			if vs.Add(where, err); err == nil {
				set[b] = true
			}
		}
	}
	read("/bonuses", in.Bonuses, &w.Bonuses)
	read("/double", in.Double, &w.Double)
	if err := vs.Err(); err != nil {
		return a, err
	}
	o := order{}
	said := outSessionWords(*w) // in the order of the engine
	for k, name := range said.Bonuses {
		o.note("/bonuses", k, indexFold(in.Bonuses, name))
	}
	for k, name := range said.Double {
		o.note("/double", k, indexFold(in.Double, name))
	}
	a.Place = o.place
	return a, nil
}

// indexFold returns the place of a name in a list, in upper or lower case.
func indexFold(list []string, name string) int {
	return slices.IndexFunc(list, func(have string) bool { return strings.EqualFold(have, name) })
}

// act returns the play of the card.
func (in sessionPlayBody) act() (a SessionAct, err error) {
	a.Act.Action.Phase = players.ToPlay
	a.Number = *in.Acts
	if a.Act.Action.Card, err = tarok.ParseCard(in.Card); err != nil {
		return a, service.FromEngineAt("/card", err)
	}
	return a, nil
}

// act returns the wish for the next hand.
func (in sessionNextBody) act() (a SessionAct, err error) {
	a.Act.Next, a.Number = true, *in.Acts
	return a, nil
}

// act returns the taking back.
func (in sessionTakebackBody) act() (SessionAct, error) {
	return SessionAct{Number: *in.Acts, Back: true}, nil
}
