package belote

import (
	"context"
	"errors"
	"time"

	"roem/internal/api"
	"roem/internal/engine/belote/players"
	"roem/internal/engine/belote/session"
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
	if e, ok := errors.AsType[*session.WrongState](err); ok {
		return s, service.NewWrongAct(service.NumberOf(s), e.State == session.Over, e)
	}
	if err != nil {
		pointer := [...]string{session.MakeCall: "/call", session.PlayCard: "/card", session.NextHand: "/acts"}[a.Kind]
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

// decide runs work, which decides one call or card: with pauses if it searches.
func (g *Game) decide(
	ctx context.Context, slow bool, work func(ctx context.Context, tools *players.Tools, pause func() error) error,
) error {
	tools := new(players.Tools)
	if !slow {
		return work(ctx, tools, nil)
	}
	return g.service.WithPause(ctx, func(ctx context.Context, pause func() error) error {
		end := service.EffortOf(ctx).BeginSearch()
		err := work(ctx, tools, pause)
		end(tools.Generated())
		return err
	})
}

// Decode returns the session of the bytes of Encode.
func (sealed) Decode(value []byte) (session.Session, error) { return session.Decode(value) }

// Answer returns the session as both players see it.
func (g sealed) Answer(id string, expires time.Time, s session.Session) api.BeloteSession {
	return g.game.outSession(id, expires, s)
}
