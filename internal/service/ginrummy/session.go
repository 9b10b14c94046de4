package ginrummy

import (
	"context"
	"errors"
	"fmt"
	"time"

	"roem/internal/api"
	"roem/internal/computation"
	"roem/internal/engine/ginrummy"
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
type sealed struct{ game *Game }

// Begin deals the first round.
func (sealed) Begin(q SessionQuery) (s session.Session, err error) {
	setup := q.setup
	if err := service.DrawSecret(&setup.Secret, setup.Seed); err != nil {
		return s, err
	}
	return session.New(setup)
}

// Do returns the session after an act of the client.
func (sealed) Do(s session.Session, a session.Act) (session.Session, error) {
	next, err := s.Do(a)
	if e, ok := errors.AsType[*table.WrongState](err); ok {
		return s, service.NewWrongAct(service.NumberOf(s), e.State == session.Over, e)
	}
	if err != nil {
		pointer := "/action/kind"
		illegal, ok := errors.AsType[*ginrummy.IllegalAction](err)
		switch off := ok && illegal.Off; a.Action.Kind {
		case ginrummy.Discard:
			pointer = "/action/card"
		case ginrummy.Knock, ginrummy.Lay:
			if pointer = "/action/melds"; off {
				pointer = "/action/laid_off"
			}
		default:
		}
		return s, service.FromEngineAt(pointer, err)
	}
	return next, nil
}

// Advance lets the opponent act. A player that plays actions on gets a slot for each decision.
func (g sealed) Advance(ctx context.Context, s session.Session) (session.Session, error) {
	err := g.game.service.AsOne(ctx, func(ctx context.Context) (err error) {
		s, err = s.Advance(ctx, g.game.opponent)
		return err
	})
	return s, err
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
	return g.service.WithSlot(ctx, func(ctx context.Context, _ *computation.Slot) error { return work(ctx) })
}

// Decode returns the session of the bytes of Encode.
func (g sealed) Decode(value []byte) (session.Session, error) {
	return session.Decode(value, g.game.kinds)
}

// Answer returns the session as the client sees it.
func (g sealed) Answer(id string, expires time.Time, s session.Session) api.GinSession {
	return g.game.outSession(id, expires, s)
}
