package tarok

import (
	"context"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"roem/internal/api"
	"roem/internal/engine/tarok"
	"roem/internal/engine/tarok/players"
	"roem/internal/engine/tarok/session"
	"roem/internal/service"
)

// SessionQuery asks for a new session. Its secret has not been drawn.
type SessionQuery struct{ setup session.Setup }

// SessionAct is an act in a session, with the number that it has there.
type SessionAct = service.SessionAct[session.Act]

// sessionBody is the body of sessions.
type sessionBody struct {
	Seat    *string             `json:"seat"`
	Players *sessionPlayersBody `json:"players"`
	Hands   *int                `json:"hands"`
	Radli   *bool               `json:"radli"`
	Rules   *rulesBody          `json:"rules"`
	Seed    *string             `json:"seed"`
}

type sessionPlayersBody struct {
	Left  *string `json:"left"`
	Right *string `json:"right"`
}

// maxSessionHands is the most hands of a session.
const maxSessionHands = 30

// playerNames are the kinds of players in sessions.
var playerNames = []string{
	string(api.TarokSessionPlayerRandom), string(api.TarokSessionPlayerHeuristic),
	string(api.TarokSessionPlayerProgram),
}

// ParseSession reads the body of sessions.
func (g *Game) ParseSession(ctx context.Context, body []byte) (SessionQuery, error) {
	return service.Decode(ctx, g.schemas, body, "TarokSessionRequest", sessionBody.query)
}

// query returns the query of the body. Its errors are of kind Malformed or Impossible.
func (in sessionBody) query() (q SessionQuery, err error) {
	var s shape
	s.text("/seat", in.Seat)
	s.within("/hands", in.Hands, 1, maxSessionHands)
	kinds := [2]string{string(api.TarokSessionPlayerProgram), string(api.TarokSessionPlayerProgram)}
	if p := in.Players; p != nil {
		for i, name := range [2]*string{p.Left, p.Right} {
			s.oneOf("/players/"+[2]string{"left", "right"}[i], name, playerNames)
			if name != nil {
				kinds[i] = *name
			}
		}
	}
	in.Rules.checkShape(&s)
	u := &q.setup
	s.seed(in.Seed)
	if err := s.err(); err != nil {
		return q, err
	}
	var vs violations
	if in.Seed != nil {
		u.Secret[0], err = service.SeedOf(in.Seed)
		vs.add("/seed", err)
		u.Seed = true
	}
	u.Rules, u.Players, u.Hands = in.Rules.rules(), kinds, 1
	if in.Hands != nil {
		u.Hands = *in.Hands
	}
	u.NoRadli = in.Radli != nil && !*in.Radli
	if in.Seat != nil {
		u.Seat, err = tarok.ParsePlayer(*in.Seat)
		vs.add("/seat", err)
	}
	if len(vs) > 0 {
		return q, service.NewImpossible(vs...)
	}
	return q, nil
}

type sessionBidBody struct {
	Acts *int    `json:"acts"`
	Bid  *string `json:"bid"`
}

type sessionExchangeBody struct {
	Acts     *int      `json:"acts"`
	Group    *int      `json:"group"`
	Discards *[]string `json:"discards"`
}

type sessionAnnounceBody struct {
	Acts    *int      `json:"acts"`
	Bonuses *[]string `json:"bonuses"`
	Double  *[]string `json:"double"`
}

type sessionPlayBody struct {
	Acts *int    `json:"acts"`
	Card *string `json:"card"`
}

type sessionNextBody struct {
	Acts *int `json:"acts"`
}

// ParseSessionBid reads the body of bid.
func (g *Game) ParseSessionBid(ctx context.Context, body []byte) (SessionAct, error) {
	return service.Decode(ctx, g.schemas, body, "TarokSessionBidRequest", sessionBidBody.act)
}

// ParseSessionExchange reads the body of exchange.
func (g *Game) ParseSessionExchange(ctx context.Context, body []byte) (SessionAct, error) {
	return service.Decode(ctx, g.schemas, body, "TarokSessionExchangeRequest", sessionExchangeBody.act)
}

// ParseSessionAnnounce reads the body of announce.
func (g *Game) ParseSessionAnnounce(ctx context.Context, body []byte) (SessionAct, error) {
	return service.Decode(ctx, g.schemas, body, "TarokSessionAnnounceRequest", sessionAnnounceBody.act)
}

// ParseSessionPlay reads the body of play.
func (g *Game) ParseSessionPlay(ctx context.Context, body []byte) (SessionAct, error) {
	return service.Decode(ctx, g.schemas, body, "TarokSessionPlayRequest", sessionPlayBody.act)
}

// ParseSessionNext reads the body of next.
func (g *Game) ParseSessionNext(ctx context.Context, body []byte) (SessionAct, error) {
	return service.Decode(ctx, g.schemas, body, "TarokSessionNextRequest", sessionNextBody.act)
}

// act returns the bid.
func (in sessionBidBody) act() (a SessionAct, err error) {
	a.Act.Action.Phase = players.ToBid
	if in.Bid == nil {
		return a, service.NewMissing("/bid")
	}
	if a.Number, err = service.ReadActs(in.Acts); err != nil {
		return a, err
	}
	var s shape
	s.text("/bid", in.Bid)
	if err := s.err(); err != nil {
		return a, err
	}
	if a.Act.Action.Bid, err = tarok.ParseBid(*in.Bid); err != nil {
		return a, impossible("/bid", "%s", err)
	}
	return a, nil
}

// act returns the exchange.
func (in sessionExchangeBody) act() (a SessionAct, err error) {
	a.Act.Action.Phase = players.ToExchange
	switch {
	case in.Group == nil:
		return a, service.NewMissing("/group")
	case in.Discards == nil:
		return a, service.NewMissing("/discards")
	}
	if a.Number, err = service.ReadActs(in.Acts); err != nil {
		return a, err
	}
	var s shape
	s.within("/group", in.Group, 0, maxGroup)
	s.list("/discards", in.Discards, 0, maxDiscards)
	if err := s.err(); err != nil {
		return a, err
	}
	var vs violations
	a.Act.Action.Group, a.Act.Action.Discards = *in.Group, vs.set("/discards", *in.Discards)
	if len(vs) > 0 {
		return a, service.NewImpossible(vs...)
	}
	o := order{}
	o.cards("/discards", *in.Discards)
	a.Place = o.place
	return a, nil
}

const (
	theGame    = "game" // what is doubled besides bonuses
	maxBonuses = 4
)

// act returns the words.
func (in sessionAnnounceBody) act() (a SessionAct, err error) {
	a.Act.Action.Phase = players.ToAnnounce
	if a.Number, err = service.ReadActs(in.Acts); err != nil {
		return a, err
	}
	bonuses, double := valueOr(in.Bonuses), valueOr(in.Double)
	var s shape
	s.list("/bonuses", in.Bonuses, 0, maxBonuses)
	s.list("/double", in.Double, 0, 1+maxBonuses)
	if err := s.err(); err != nil {
		return a, err
	}
	var vs violations
	w := &a.Act.Action.Words
	read := func(pointer string, list []string, set *[4]bool) {
		for i, name := range list {
			where := pointer + "/" + strconv.Itoa(i)
			if slices.Contains(list[:i], name) {
				vs.add(where, fmt.Errorf("%.24s is named twice", name))
				continue
			}
			if set == &w.Double && name == theGame {
				w.Kontra = true
				continue
			}
			b, err := tarok.ParseBonus(name)
			if vs.add(where, err); err == nil {
				set[b] = true
			}
		}
	}
	read("/bonuses", bonuses, &w.Bonuses)
	read("/double", double, &w.Double)
	if len(vs) > 0 {
		return a, service.NewImpossible(vs...)
	}
	o := order{}
	said := outSessionWords(*w) // in the order of the engine
	for k, name := range said.Bonuses {
		o.note("/bonuses", k, indexFold(bonuses, name))
	}
	for k, name := range said.Double {
		o.note("/double", k, indexFold(double, name))
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
	if in.Card == nil {
		return a, service.NewMissing("/card")
	}
	if a.Number, err = service.ReadActs(in.Acts); err != nil {
		return a, err
	}
	var s shape
	s.text("/card", in.Card)
	if err := s.err(); err != nil {
		return a, err
	}
	if a.Act.Action.Card, err = tarok.ParseCard(*in.Card); err != nil {
		return a, impossible("/card", "%s", err)
	}
	return a, nil
}

// act returns the wish for the next hand.
func (in sessionNextBody) act() (a SessionAct, err error) {
	a.Act.Next = true
	a.Number, err = service.ReadActs(in.Acts)
	return a, err
}
