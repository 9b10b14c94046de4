package belote

import (
	"context"
	"errors"
	"time"

	"roem/internal/api"
	"roem/internal/engine/belote"
	"roem/internal/engine/belote/players"
	"roem/internal/engine/belote/session"
	table "roem/internal/engine/table/session"
	"roem/internal/service"
)

// Sessions are the sessions of Belote Découverte.
type Sessions = service.Sessions[SessionQuery, session.Session, session.Act, api.BeloteSession]

// Sessions returns the sessions of the game.
func (g *Game) Sessions() *Sessions { return g.sessions }

// sealed is the game as service.Sessions plays it.
type sealed struct{ game *Game }

// Begin deals the first hand.
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
		pointer := "/card"
		if a.Action.Calls {
			pointer = "/call"
		}
		return s, service.FromEngineAt(pointer, err)
	}
	return next, nil
}

// Advance lets the opponent act. A call, and a card of a player that searches worlds, take slots in turns.
func (g sealed) Advance(ctx context.Context, s session.Session) (session.Session, error) {
	err := g.game.service.AsOne(ctx, func(ctx context.Context) (err error) {
		s, err = s.Advance(ctx, g.game.decide)
		return err
	})
	return s, err
}

// decide returns what the opponent does: with pauses if it searches.
func (g *Game) decide(ctx context.Context, m session.Match, t table.Turn[belote.Player], v players.View) (a players.Action, err error) {
	at := players.Place{Rand: t.Rand, Tools: new(players.Tools)}
	if v.Dealing == nil && m.Player.Worlds() == 0 {
		return m.Player.New(at).Choose(ctx, v)
	}
	err = g.service.WithPause(ctx, func(ctx context.Context, pause func() error) error {
		at.Pause = pause
		end := service.EffortOf(ctx).BeginSearch()
		a, err = m.Player.New(at).Choose(ctx, v)
		end(at.Tools.Generated())
		return err
	})
	return a, err
}

// Decode returns the session of the bytes of Encode.
func (sealed) Decode(value []byte) (session.Session, error) { return session.Decode(value) }

// Answer returns the session as both players see it.
func (g sealed) Answer(id string, expires time.Time, s session.Session) api.BeloteSession {
	return g.game.outSession(id, expires, s)
}
