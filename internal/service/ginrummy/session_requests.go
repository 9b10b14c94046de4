package ginrummy

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"unicode/utf8"

	"roem/internal/api"
	"roem/internal/engine/ginrummy"
	"roem/internal/engine/ginrummy/players"
	"roem/internal/engine/ginrummy/session"
	"roem/internal/service"
)

// SessionQuery asks for a new session. Its secret has not been drawn.
type SessionQuery struct{ setup session.Setup }

// SessionAct is an act in a session, with the number that it has there.
type SessionAct = service.SessionAct[session.Act]

type sessionBody struct {
	Player  *string `json:"player"`
	Length  *string `json:"length"`
	Starter *string `json:"starter"`
	Seed    *string `json:"seed"`
}

// ParseSession reads the body of sessions.
func (g *Game) ParseSession(ctx context.Context, body []byte) (SessionQuery, error) {
	return service.Decode(ctx, g.schemas, body, "GinSessionRequest", func(in sessionBody) (q SessionQuery, err error) {
		name, u := g.advisor, &q.setup
		if in.Player != nil {
			name = *in.Player
		}
		switch {
		case utf8.RuneCountInString(name) > maxText:
			return q, malformed("/player", "is too long")
		case in.Length != nil && *in.Length != string(api.GinSessionLengthGame) && *in.Length != string(api.GinSessionLengthRound):
			return q, malformed("/length", "is unknown")
		case in.Starter != nil && !slices.Contains(whoNames, *in.Starter):
			return q, malformed("/starter", "is unknown")
		case in.Seed != nil && !service.Decimal(*in.Seed):
			return q, malformed("/seed", "is no number")
		}
		u.Game = in.Length == nil || *in.Length == string(api.GinSessionLengthGame)
		if in.Starter != nil {
			starter := seatOf(*in.Starter)
			u.Starter = &starter
		}
		var vs violations
		u.Player, err = players.ParseKind(name, g.kinds)
		vs.add("/player", err)
		if in.Seed != nil {
			u.Seed = true
			u.Secret[0], err = service.ParseSeed(*in.Seed)
			vs.add("/seed", err)
		}
		return q, vs.impossible()
	})
}

type playBody struct {
	Acts   *int            `json:"acts"`
	Action *playActionBody `json:"action"`
}

type playActionBody struct {
	Kind  *string     `json:"kind"`
	Card  *string     `json:"card"`
	Melds *[][]string `json:"melds"`
}

type nextBody struct {
	Acts *int `json:"acts"`
}

// ParseSessionPlay reads the body of play.
func (g *Game) ParseSessionPlay(ctx context.Context, body []byte) (SessionAct, error) {
	return service.Decode(ctx, g.schemas, body, "GinSessionPlayRequest", playBody.act)
}

// ParseSessionNext reads the body of next.
func (g *Game) ParseSessionNext(ctx context.Context, body []byte) (SessionAct, error) {
	return service.Decode(ctx, g.schemas, body, "SessionNextRequest", func(in nextBody) (a SessionAct, err error) {
		a.Act.Next = true
		a.Number, err = service.ReadActs(in.Acts)
		return a, err
	})
}

// act returns the action. Its error is a *service.Error of kind Malformed or Impossible.
func (in playBody) act() (a SessionAct, err error) {
	if a.Number, err = service.ReadActs(in.Acts); err != nil {
		return a, err
	}
	if in.Action == nil {
		return a, service.NewMissing("/action")
	}
	action := in.Action
	if err := action.checkShape(); err != nil {
		return a, err
	}
	move := &a.Act.Move
	move.Kind, _ = ginrummy.ParseKind(*action.Kind)
	var vs violations
	switch {
	case move.Kind == ginrummy.Discard && action.Card == nil:
		vs.add("/action/card", errors.New("is missing"))
	case move.Kind == ginrummy.Discard:
		move.Card = parseCard("/action/card", *action.Card, &vs)
	case action.Card != nil:
		vs.add("/action/card", fmt.Errorf("is given, but the action is %s: expected it for a discard only", move.Kind))
	}
	switch lays := move.Kind == ginrummy.Knock || move.Kind == ginrummy.Lay; {
	case action.Melds == nil:
		move.Best = lays
	case !lays:
		vs.add("/action/melds", fmt.Errorf("is given, but the action is %s: expected it for knock and melds only", move.Kind))
	default:
		move.Melds = parseMelds("/action/melds", *action.Melds, ginrummy.Deck, &vs)
	}
	return a, vs.impossible()
}

// checkShape refuses what the contract refuses and the types accept.
func (in *playActionBody) checkShape() error {
	switch {
	case in.Kind == nil:
		return service.NewMissing("/action/kind")
	case in.Card != nil && utf8.RuneCountInString(*in.Card) > maxText:
		return malformed("/action/card", "is too long")
	}
	if _, err := ginrummy.ParseKind(*in.Kind); err != nil {
		return malformed("/action/kind", err.Error())
	}
	if in.Melds == nil {
		return nil
	}
	return checkMelds("/action/melds", *in.Melds)
}

// checkMelds refuses lists of melds that the contract refuses.
func checkMelds(where string, melds [][]string) error {
	if len(melds) > ginrummy.MostMelds {
		return malformed(where, "is too long")
	}
	for i, m := range melds {
		place := where + "/" + strconv.Itoa(i)
		if len(m) < 3 || len(m) > ginrummy.HandSize {
			return malformed(place, "has a wrong length")
		}
		if err := checkTexts(place, m...); err != nil {
			return err
		}
	}
	return nil
}

// parseMelds reads disjoint melds of a hand.
func parseMelds(where string, melds [][]string, hand ginrummy.Set, vs *violations) (a ginrummy.Arrangement) {
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
			vs.add(place, fmt.Errorf("%s is not in the hand", m&^hand))
		case m&used != 0:
			vs.add(place, fmt.Errorf("%s is also in another meld", m&used))
		case !m.IsMeld():
			vs.add(place, fmt.Errorf("%s is neither a run nor three or four of a rank", m))
		}
		list, used = append(list, m), used|m
	}
	if len(*vs) == before {
		a, _ = ginrummy.ArrangementOf(list)
	}
	return a
}
