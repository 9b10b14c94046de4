package tarok

import (
	"context"
	"errors"
	"time"

	"roem/internal/api"
	table "roem/internal/engine/table/session"
	"roem/internal/engine/tarok"
	"roem/internal/engine/tarok/advice"
	"roem/internal/engine/tarok/players"
	"roem/internal/engine/tarok/session"
	"roem/internal/service"
)

// Sessions are the sessions of tarok.
type Sessions = service.Sessions[SessionQuery, session.Session, session.Act, api.TarokSession]

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
	if e, ok := errors.AsType[*session.Illegal](err); ok {
		return s, service.FromEngine(e.Violations)
	}
	return next, err
}

// Advance lets the other players act.
func (g sealed) Advance(ctx context.Context, s session.Session) (session.Session, error) {
	err := g.game.service.AsOne(ctx, func(ctx context.Context) (err error) {
		s, err = s.Advance(ctx, g.game.decide)
		return err
	})
	return s, err
}

// Decode returns the session of the bytes of Encode.
func (sealed) Decode(value []byte) (session.Session, error) { return session.Decode(value) }

// Answer returns the session as the client sees it.
func (g sealed) Answer(id string, expires time.Time, s session.Session) api.TarokSession {
	return g.game.outSession(id, expires, s)
}

// cardNodes bounds a card of the paper's program in sessions: about a second of one core.
const cardNodes = 3_000_000

// sessionSettings configure the program in sessions, where a person waits. The paper's program has the settings of the paper. Their worlds,
// depths and cardNodes bound a decision (lab/docs/tarok/README.md has its times).
func sessionSettings(kind api.TarokSessionPlayer) advice.Settings {
	if kind == api.TarokSessionPlayerPaper {
		s := advice.Paper
		s.Nodes = cardNodes
		return s
	}
	return advice.Quick
}

// decide returns what a player of the program does. The program takes slots in turns, the others none: they take microseconds.
func (g *Game) decide(ctx context.Context, m session.Match, t table.Turn[tarok.Player], v *players.View) (a players.Action, err error) {
	kind := api.TarokSessionPlayer(m.Player(t))
	switch kind {
	case api.TarokSessionPlayerRandom:
		return players.NewRandom(t.Rand).Choose(ctx, v)
	case api.TarokSessionPlayerHeuristic:
		return players.NewHeuristic().Choose(ctx, v)
	default:
	}
	err = g.service.WithPause(ctx, func(ctx context.Context, pause func() error) error {
		advisor := advice.New(sessionSettings(kind))
		advisor.Pause = pause
		a, err = advisor.Choose(ctx, v, t.Rand)
		return err
	})
	return a, err
}
