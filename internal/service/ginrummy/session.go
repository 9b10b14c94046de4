package ginrummy

import (
	"context"
	"errors"
	"fmt"

	"roem/internal/api"
	"roem/internal/engine/ginrummy"
	"roem/internal/engine/ginrummy/players"
	"roem/internal/engine/ginrummy/session"
	"roem/internal/engine/match"
	table "roem/internal/engine/table/session"
	"roem/internal/service"
)

// Sessions are the sessions of Gin Rummy.
type Sessions = service.Sessions[SessionQuery, session.Session, session.Act, api.GinSession]

// Sessions returns the sessions of the game.
func (g *Game) Sessions() *Sessions { return g.sessions }

// sealed is the game as service.Sessions plays it.
func (g *Game) sealed() service.SessionGame[SessionQuery, session.Session, session.Act, api.GinSession] {
	return service.TableGame[session.Match, players.Table, ginrummy.Seat, ginrummy.View, ginrummy.Action, api.GinSession]{
		Service: g.service, Terms: func(m *session.Match) *session.Terms { return &m.Terms },
		Choose: g.opponent, Show: g.outSession, Written: outRecord,
		Refused: func(_ int, a ginrummy.Action, err error) error { return service.FromEngineAt(refusedAt(a, err), err) },
		Valid: func(m session.Match) error {
			_, err := match.ParseKind(m.Player, g.kinds)
			return err
		},
	}
}

// refusedAt returns the pointer to what is wrong with an action.
func refusedAt(a ginrummy.Action, err error) string {
	illegal, ok := errors.AsType[*ginrummy.IllegalAction](err)
	switch off := ok && illegal.Off; a.Kind {
	case ginrummy.Discard:
		return "/action/card"
	case ginrummy.Knock, ginrummy.Lay:
		if off {
			return "/action/laid_off"
		}
		return "/action/melds"
	default:
		return "/action/kind"
	}
}

// opponent returns what the opponent does.
func (g *Game) opponent(ctx context.Context, m session.Match, t table.Turn[ginrummy.Seat], v ginrummy.View) (a ginrummy.Action, err error) {
	kind, err := match.ParseKind(m.Player, g.kinds)
	if err != nil {
		return a, err
	}
	err = g.decide(ctx, kind.Slow(), func(ctx context.Context) (err error) {
		if a, err = kind.New(t.Rand).Choose(ctx, v); err != nil && ctx.Err() == nil {
			return fmt.Errorf("the player %s: %w", kind.Name(), err)
		}
		return err
	})
	return a, err
}

// decide runs work, which decides for one player: with a slot if the player is slow.
func (g *Game) decide(ctx context.Context, slow bool, work func(context.Context) error) error {
	if !slow {
		return work(ctx)
	}
	return g.service.Lend(ctx, work)
}
