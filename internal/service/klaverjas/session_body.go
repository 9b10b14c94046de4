package klaverjas

import (
	"maps"
	"slices"
	"strings"

	"roem/internal/api"
	"roem/internal/engine/klaverjas"
	"roem/internal/engine/klaverjas/bidding"
	"roem/internal/engine/klaverjas/players"
	"roem/internal/engine/klaverjas/session"
	"roem/internal/engine/piquet"
	"roem/internal/engine/violation"
	"roem/internal/service"
)

// SessionQuery asks for a new session. Its secret has not been drawn.
type SessionQuery = session.Match

// SessionAct is an act in a session, with the number that it has there.
type SessionAct = service.SessionAct[session.Act]

// The defaults and limits of sessions.
const (
	sessionHands  = 16 // of a session of more than one hand
	sessionPlayer = "playout:40"
)

// sessionPlayers are the kinds of players in sessions, with the most worlds for a card: a slot is kept for a card, and a person waits.
var sessionPlayers = map[string]int{"random": 0, "logical": 0, "simple": 0, "policy": 0, "playout": 100, "pimc": 40}

// ParseSession reads the body of sessions.
func ParseSession() service.Parser[*Game, SessionQuery] {
	return service.PlainBodyOf[*Game]("KlaverjasSessionRequest", sessionBody.query)
}

// query returns the query of the body. Its errors are of kind Malformed or Impossible.
func (in sessionBody) query() (q SessionQuery, err error) {
	var vs service.Problems
	u := &q.Setup
	u.Terms = vs.Terms(in.Hands, in.Target, in.Takeback, in.Seed)
	u.Seat = service.Read(&vs, "/seat", in.Seat, piquet.ParseSeat, piquet.South)
	partner, opponents := sessionPlayer, sessionPlayer
	if p := in.Players; p != nil {
		partner, opponents = service.Or(p.Partner, partner), service.Or(p.Opponents, opponents)
	}
	u.Players[0] = readPlayer("/players/partner", partner, &vs)
	u.Players[1] = readPlayer("/players/opponents", opponents, &vs)
	if in.Compare != nil {
		u.Compare = new(readPlayer("/compare", *in.Compare, &vs))
	}
	if way := service.Or(in.Bidding, api.KlaverjasSessionBiddingNone); way != api.KlaverjasSessionBiddingNone {
		flow, err := bidding.ParseFlow(string(way))
		vs.Add("/bidding", err)
		u.Flow = &flow
	}
	u.Rules = klaverjas.RulesJSON(newRules(in.Rules, &vs))
	u.Trump = readOptional("/trump", in.Trump, piquet.ParseSuit, &vs)
	u.Declarer = readOptional("/declarer", in.Declarer, piquet.ParseTeam, &vs)
	u.Leader = readOptional("/leader", in.Leader, piquet.ParseSeat, &vs)
	u.Again = service.Or(in.Again, false)
	if u.Takeback && in.Compare != nil {
		vs.Addf("/compare", violation.NotUsed, "is given, but with takeback: true hands are not compared")
	}
	if len(vs) == 0 {
		in.checkUnused(u, &vs)
	}
	if err := vs.Err(); err != nil {
		return q, err
	}
	err = in.begun(u)
	return q, err
}

// checkUnused adds the fields that the bidding decides, that it does not need, or that contradict a position or a view which the session
// begins in.
func (in sessionBody) checkUnused(u *session.Setup, vs *service.Problems) {
	bids, begun, by := u.Flow != nil, (in.Position != nil) != (in.View != nil), "position"
	if in.View != nil {
		by = "view"
	}
	decides, only := "but the bidding decides it", "but the session has only the hand that "+by+" describes"
	for _, f := range []struct {
		pointer string
		unused  bool
		why     string
	}{
		{"/trump", bids && u.Trump != nil, decides},
		{"/declarer", bids && u.Declarer != nil, decides},
		{"/again", in.Again != nil && (!bids || *u.Flow != bidding.Turned), "but no suit is turned: expected it only with the bidding turned"},
		{"/trump", begun && u.Trump != nil, only},
		{"/declarer", begun && u.Declarer != nil, only},
		{"/leader", begun && u.Leader != nil, only},
		{"/rules", begun && in.Rules != nil, only},
		{"/seat", begun && in.View != nil && in.Seat != nil, only},
		{"/hands", begun && u.Hands != 1 && u.Target == 0, only},
		{"/target", begun && u.Target > 0, only},
		{"/bidding", begun && bids, only},
	} {
		if f.unused {
			vs.Addf(f.pointer, violation.NotUsed, "is given, %s", f.why)
		}
	}
	if in.Position != nil && in.View != nil {
		vs.Add("/view", violation.New(violation.OnlyOneOf, "is given together with position: give only one of them").OneOf("position", "view"))
	}
}

// begun adds the position or the view which the session begins in. Its error is a *service.Error of kind Malformed or Impossible.
func (in sessionBody) begun(u *session.Setup) error {
	switch {
	case in.Position != nil:
		p, err := newPosition(*in.Position)
		if err != nil {
			return service.Moved(err, func(pointer string) string { return "/position" + pointer })
		}
		u.Rules, u.Begun = klaverjas.RulesJSON(p.now.Rules()), &session.Begun{Deal: p.start.Deal(), Played: p.played}
		return notOver("/position/played", p.played)
	case in.View != nil:
		k, err := newKnowledge(in.View.viewBody)
		if err != nil {
			return service.Moved(err, func(pointer string) string { return "/view" + pointer })
		}
		v := k.View()
		u.Known, u.Rules, u.Seat = k, klaverjas.RulesJSON(v.Rules), v.Seat
		return notOver("/view/played", v.Played)
	}
	return nil
}

// notOver returns an error if all cards have been played.
func notOver(pointer string, played []piquet.Card) error {
	if most := piquet.Deck.Len() - 1; len(played) > most {
		return service.Refused(violation.New(violation.WrongCount, "holds all cards, so that nothing is left to play; expected at most %d", most).
			At(pointer).Of(len(played)).Between(0, most))
	}
	return nil
}

// readOptional parses a text, if it is given. It adds a violation to vs.
func readOptional[T any](pointer string, text *string, parse func(string) (T, error), vs *service.Problems) *T {
	if text == nil {
		return nil
	}
	value, err := parse(*text)
	vs.Add(pointer, err)
	return &value
}

// readPlayer parses the kind of a player. It adds violations to vs.
func readPlayer(pointer, text string, vs *service.Problems) players.Kind {
	kind, err := players.ParseKind(text, 0)
	name, _, _ := strings.Cut(text, ":")
	words := sessionLevels()
	if err == nil && slices.Contains(words, text) {
		return kind
	}
	words = append(words, slices.Sorted(maps.Keys(sessionPlayers))...)
	switch most, ok := sessionPlayers[name]; {
	case !ok:
		vs.Add(pointer, violation.Word(text, words...))
	case err != nil:
		vs.Add(pointer, err)
	case kind.Worlds() > most:
		vs.Add(pointer, violation.New(violation.TooMuch, "%s takes %d worlds for a card: expected at most %d", text, kind.Worlds(), most).
			Of(kind.Worlds()).Between(1, most))
	}
	return kind
}

// sessionLevels returns the names of the levels.
func sessionLevels() (names []string) {
	for _, l := range players.Levels() {
		names = append(names, l.Name)
	}
	return names
}

// act returns the call. Its error is a *service.Error of kind Impossible.
func (in sessionCallBody) act() (a SessionAct, err error) {
	a.Number, a.Act.Action.Kind = *in.Acts, players.MakeCall
	if a.Act.Action.Call, err = bidding.ParseCall(in.Call); err != nil {
		return a, service.FromEngineAt("/call", err)
	}
	return a, nil
}

// act returns the play of the card. Its error is a *service.Error of kind Impossible.
func (in sessionPlayBody) act() (a SessionAct, err error) {
	a.Number = *in.Acts
	if a.Act.Action.Card, err = piquet.ParseCard(in.Card); err != nil {
		return a, service.FromEngineAt("/card", err)
	}
	return a, nil
}

// act returns the wish for the next hand.
func (in sessionNextBody) act() (SessionAct, error) {
	return SessionAct{Number: *in.Acts, Act: session.Act{Next: true}}, nil
}

// act returns the claim.
func (in sessionClaimBody) act() (SessionAct, error) {
	return SessionAct{Number: *in.Acts, Act: session.Act{Action: players.Action{Kind: players.Claim}}}, nil
}

// act returns the taking back.
func (in sessionTakebackBody) act() (SessionAct, error) {
	return SessionAct{Number: *in.Acts, Back: true}, nil
}
