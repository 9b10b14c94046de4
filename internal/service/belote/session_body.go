package belote

import (
	"slices"
	"strings"

	"roem/internal/api"
	"roem/internal/engine/belote"
	"roem/internal/engine/belote/players"
	"roem/internal/engine/belote/score"
	"roem/internal/engine/belote/session"
	"roem/internal/engine/belote/worlds"
	"roem/internal/engine/piquet"
	"roem/internal/engine/violation"
	"roem/internal/service"
)

// SessionQuery asks for a new session. Its secret has not been drawn.
type SessionQuery = session.Match

// SessionAct is an act in a session, with the number that it has there.
type SessionAct = service.SessionAct[session.Act]

// The default and the limit of the opponent: a person waits for each of its cards.
const (
	sessionPlayer    = "sampling"
	maxSessionWorlds = 100
)

// ParseSession reads the body of sessions.
var ParseSession = service.PlainBodyOf[*Game]("BeloteSessionRequest", sessionBody.query)

// query returns the query of the body. Its errors are of kind Malformed or Impossible.
func (in sessionBody) query() (q SessionQuery, err error) {
	var vs service.Problems
	u := &q.Setup
	u.Terms = vs.Terms(in.Hands, in.Target, in.Takeback, in.Seed)
	u.Deck = readDeck(in.Suits, &vs)
	if in.Seat != nil {
		u.Seat, err = belote.ParsePlayer(*in.Seat)
		vs.Add("/seat", err)
	}
	players := service.Or(in.Players, sessionPlayersBody{})
	u.Player = readSessionPlayer("/players/opponent", service.Or(players.Opponent, sessionPlayer), &vs)
	u.Way, err = session.ParseWay(string(service.Or(in.Trump, api.BeloteSessionTrumpBidding)))
	vs.Add("/trump", err)
	u.Flip = service.Read(&vs, "/flip", in.Flip, worlds.ParseFlip, u.Flip)
	if len(vs) == 0 {
		in.readScore(u, &vs)
	}
	return q, vs.Err()
}

// readScore reads how the hands are scored. It adds violations to vs.
func (in sessionBody) readScore(u *session.Setup, vs *service.Problems) {
	r := &u.Score
	usual := score.Paper
	if u.Way == session.Without {
		usual = score.None
	}
	r.Contract = service.Read(vs, "/contract", in.Contract, score.ParseContract, usual)
	r.Melds = service.Read(vs, "/melds", in.Melds, score.ParseMelds, score.NoMelds)
	r.Litige, r.Belote, r.Capot = service.Or(in.Litige, false), service.Or(in.Belote, true), readCapot(in.Capot, vs)
	if (r.Contract == score.None) != (usual == score.None) {
		vs.Addf("/contract", violation.Contradicts, "is %s, but the trump is %s: expected none exactly where nobody can declare",
			r.Contract, u.Way)
	}
	checkLitige(*r, vs)
	most := belote.TrumpOf(u.Deck.First().Suit()).Total(u.Deck)
	switch r.Threshold = service.Or(in.Threshold, 0); {
	case in.Threshold == nil:
	case r.Contract != score.Paper:
		vs.Addf("/threshold", violation.NotUsed, "is only for the contract paper, and the contract is %s", r.Contract)
	case r.Threshold > most:
		vs.Add("/threshold", belote.TooHigh(r.Threshold, most))
	}
}

// readSessionPlayer parses the kind of the opponent. It adds violations to vs.
func readSessionPlayer(pointer, text string, vs *service.Problems) players.Kind {
	kind, err := players.ParseKind(text, players.DefaultWorlds)
	vs.Add(pointer, err)
	switch {
	case kind.Name() == players.Exact:
		fair := slices.DeleteFunc(players.Names(), func(name string) bool { return name == players.Exact })
		vs.Addf(pointer, violation.NotOneOf, "%s sees face-down cards: expected %s", text, strings.Join(fair, ", "))
	case kind.Worlds() > maxSessionWorlds:
		vs.Addf(pointer, violation.TooMuch, "%s takes %d worlds for a card: expected at most %d", text, kind.Worlds(), maxSessionWorlds)
	}
	return kind
}

// act returns the call.
func (in sessionCallBody) act() (a SessionAct, err error) {
	a.Number, a.Act.Action = *in.Acts, players.Action{Calls: true, Call: belote.NoTrump}
	if in.Call == session.Pass {
		return a, nil
	}
	suit, err := piquet.ParseSuit(in.Call)
	if err != nil {
		return a, service.Refused(violation.Word(in.Call, session.Pass, "C", "D", "H", "S").At("/call"))
	}
	a.Act.Action.Call = belote.TrumpOf(suit)
	return a, nil
}

// act returns the play of the card.
func (in sessionPlayBody) act() (a SessionAct, err error) {
	a.Number = *in.Acts
	if a.Act.Action.Card, err = piquet.ParseCard(in.Card); err != nil {
		return a, service.FromEngineAt("/card", err)
	}
	return a, nil
}

// act returns the wish for the next hand.
func (in sessionNextBody) act() (a SessionAct, err error) {
	return SessionAct{Number: *in.Acts, Act: session.Act{Next: true}}, nil
}

// act returns the taking back.
func (in sessionTakebackBody) act() (SessionAct, error) {
	return SessionAct{Number: *in.Acts, Back: true}, nil
}
