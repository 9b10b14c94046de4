package klaverjas

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"unicode/utf8"

	"roem/internal/api"
	"roem/internal/engine/klaverjas/bidding"
	"roem/internal/engine/klaverjas/players"
	"roem/internal/engine/klaverjas/session"
	"roem/internal/engine/piquet"
	"roem/internal/service"
	"roem/internal/service/klaverjas/bidadvice"
)

// SessionQuery asks for a new session. Its secret has not been drawn.
type SessionQuery struct{ setup session.Setup }

// SessionAct is an act in a session, with the number that it has there.
type SessionAct = service.SessionAct[session.Act]

// sessionBody is the body of sessions.
type sessionBody struct {
	Seat     *string                  `json:"seat"`
	Players  *sessionPlayersBody      `json:"players"`
	Hands    *int                     `json:"hands"`
	Bidding  *string                  `json:"bidding"`
	Again    *bool                    `json:"again"`
	Trump    *string                  `json:"trump"`
	Declarer *string                  `json:"declarer"`
	Leader   *string                  `json:"leader"`
	Rules    *api.KlaverjasRulesInput `json:"rules"`
	Seed     *string                  `json:"seed"`
}

type sessionPlayersBody struct {
	Partner   *string `json:"partner"`
	Opponents *string `json:"opponents"`
}

// The defaults and limits of sessions.
const (
	sessionHands  = 16 // of a session of more than one hand
	sessionPlayer = "playout:40"
)

// sessionPlayers are the kinds of players in sessions, with the most worlds for a card: a slot is kept for a card, and a person waits.
var sessionPlayers = map[string]int{"random": 0, "logical": 0, "simple": 0, "policy": 0, "playout": 100, "pimc": 40}

// ParseSession reads the body of sessions.
func (g *Game) ParseSession(ctx context.Context, body []byte) (SessionQuery, error) {
	return service.Decode(ctx, g.schemas, body, "KlaverjasSessionRequest", sessionBody.query)
}

// query returns the query of the body. Its errors are of kind Malformed or Impossible.
func (in sessionBody) query() (q SessionQuery, err error) {
	var malformed []service.Violation
	var vs violations
	wrong := func(pointer string, err error) {
		if err != nil {
			malformed = append(malformed, service.Violation{Pointer: pointer, Detail: err.Error()})
		}
	}
	u := &q.setup
	u.Seat, u.Hands = piquet.South, 1
	if in.Hands != nil {
		if u.Hands = *in.Hands; u.Hands != 1 && u.Hands != sessionHands {
			wrong("/hands", fmt.Errorf("is %d: expected 1 or %d", u.Hands, sessionHands))
		}
	}
	if in.Seat != nil {
		u.Seat, err = piquet.ParseSeat(*in.Seat)
		vs.add("/seat", err)
	}
	partner, opponents := sessionPlayer, sessionPlayer
	if p := in.Players; p != nil {
		partner, opponents = orElse(p.Partner, partner), orElse(p.Opponents, opponents)
	}
	u.Players[0] = readPlayer("/players/partner", partner, wrong, &vs)
	u.Players[1] = readPlayer("/players/opponents", opponents, wrong, &vs)
	if in.Bidding != nil && *in.Bidding != string(api.SessionBiddingNone) {
		u.Bidding = true
		u.Flow, err = bidding.ParseFlow(*in.Bidding)
		if err != nil {
			err = fmt.Errorf("%.40q is not one of none, free, official, obliged, turned", *in.Bidding)
		}
		wrong("/bidding", err)
	}
	u.Rules = newRules(in.Rules, &vs)
	u.Trump = readOptional("/trump", in.Trump, parseTrump, &vs)
	u.Declarer = readOptional("/declarer", in.Declarer, piquet.ParseTeam, &vs)
	u.Leader = readOptional("/leader", in.Leader, piquet.ParseSeat, &vs)
	u.Again = in.Again != nil && *in.Again
	if in.Seed != nil {
		u.Secret[0], err = service.SeedOf(in.Seed)
		wrong("/seed", err)
		u.Seed = true
	}
	switch {
	case len(malformed) > 0:
		return q, service.NewMalformed(append(malformed, vs...)...)
	case len(vs) == 0:
		in.checkBidding(u, &vs)
	}
	if len(vs) > 0 {
		return q, service.NewImpossible(vs...)
	}
	return q, nil
}

func orElse(text *string, otherwise string) string {
	if text == nil {
		return otherwise
	}
	return *text
}

// readOptional parses a text, if it is given. It adds a violation to vs.
func readOptional[T any](pointer string, text *string, parse func(string) (T, error), vs *violations) *T {
	if text == nil {
		return nil
	}
	value, err := parse(*text)
	vs.add(pointer, err)
	return &value
}

// readPlayer parses the kind of a player. A text that is no player is malformed, and one that takes too long is impossible.
func readPlayer(pointer, text string, wrong func(string, error), vs *violations) players.Kind {
	kind, err := players.ParseKind(text, 0)
	if err != nil {
		wrong(pointer, err)
		return kind
	}
	name, _, _ := strings.Cut(text, ":")
	switch most, ok := sessionPlayers[name]; {
	case !ok:
		vs.add(pointer, fmt.Errorf("%s does not play in sessions: expected random, logical, simple, policy, playout or pimc", text))
	case kind.Worlds() > most:
		vs.add(pointer, fmt.Errorf("%s takes %d worlds for a card: expected at most %d", text, kind.Worlds(), most))
	}
	return kind
}

// checkBidding adds the fields that contradict the way in which trump and the declarers are decided.
func (in sessionBody) checkBidding(u *session.Setup, vs *violations) {
	if u.Bidding && !new(bidadvice.Policy).Covers(u.Rules) {
		vs.add("/bidding", errors.New("needs the default rules of rotterdam or amsterdam: what hands are worth under others is not known"))
	}
	for _, f := range []struct {
		pointer string
		given   bool
	}{{"/trump", in.Trump != nil}, {"/declarer", in.Declarer != nil}} {
		if u.Bidding && f.given {
			vs.add(f.pointer, errors.New("is given, but the bidding decides it"))
		}
	}
	if in.Again != nil && (!u.Bidding || u.Flow != bidding.Turned) {
		vs.add("/again", errors.New("is given, but no suit is turned: expected it with the bidding turned only"))
	}
}

type callBody struct {
	Acts *int    `json:"acts"`
	Call *string `json:"call"`
}

type playBody struct {
	Acts *int    `json:"acts"`
	Card *string `json:"card"`
}

type nextBody struct {
	Acts *int `json:"acts"`
}

// ParseSessionCall reads the body of call.
func (g *Game) ParseSessionCall(ctx context.Context, body []byte) (SessionAct, error) {
	return service.Decode(ctx, g.schemas, body, "KlaverjasSessionCallRequest", callBody.act)
}

// ParseSessionPlay reads the body of play.
func (g *Game) ParseSessionPlay(ctx context.Context, body []byte) (SessionAct, error) {
	return service.Decode(ctx, g.schemas, body, "KlaverjasSessionPlayRequest", playBody.act)
}

// ParseSessionNext reads the body of next.
func (g *Game) ParseSessionNext(ctx context.Context, body []byte) (SessionAct, error) {
	return service.Decode(ctx, g.schemas, body, "SessionNextRequest", nextBody.act)
}

// act returns the call. Its error is a *service.Error of kind Malformed or Impossible.
func (in callBody) act() (a SessionAct, err error) {
	a = SessionAct{Act: session.Act{Kind: session.MakeCall}}
	if in.Call == nil {
		return a, service.NewMissing("/call")
	}
	if a.Number, err = service.ReadActs(in.Acts); err != nil || *in.Call == bidding.Pass.String() {
		return a, err
	}
	suit, err := parseTrump(*in.Call)
	if err != nil {
		return a, service.NewImpossible(service.Violation{
			Pointer: "/call", Detail: fmt.Sprintf("%.40q is neither pass nor a suit: expected one of pass, C, D, H, S", *in.Call),
		})
	}
	a.Act.Call = bidding.Call{Declare: true, Trump: suit}
	return a, nil
}

// act returns the play of the card. Its error is a *service.Error of kind Malformed or Impossible.
func (in playBody) act() (a SessionAct, err error) {
	a = SessionAct{Act: session.Act{Kind: session.PlayCard}}
	if in.Card == nil {
		return a, service.NewMissing("/card")
	}
	if a.Number, err = service.ReadActs(in.Acts); err != nil {
		return a, err
	}
	if utf8.RuneCountInString(*in.Card) > maxText {
		err = errTooLong
	} else {
		a.Act.Card, err = piquet.ParseCard(*in.Card)
	}
	if err != nil {
		return a, service.NewImpossible(service.Violation{Pointer: "/card", Detail: err.Error()})
	}
	return a, nil
}

// act returns the wish for the next hand. Its error is a *service.Error of kind Malformed.
func (in nextBody) act() (a SessionAct, err error) {
	a = SessionAct{Act: session.Act{Kind: session.NextHand}}
	a.Number, err = service.ReadActs(in.Acts)
	return a, err
}
