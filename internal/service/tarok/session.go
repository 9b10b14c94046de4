package tarok

import (
	"context"
	"errors"

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
func (g *Game) sealed() service.SessionGame[SessionQuery, session.Session, session.Act, api.TarokSession] {
	return service.TableGame[session.Match, players.Table, tarok.Player, *players.View, players.Action, api.TarokSession]{
		Service: g.service, Terms: func(m *session.Match) *session.Terms { return &m.Terms },
		Choose: g.decide, Show: g.outSession, Written: outRecord,
		Refused: func(_ int, _ players.Action, err error) error {
			if e, ok := errors.AsType[*session.Illegal](err); ok {
				return service.FromEngine(e.Violations)
			}
			return err
		},
	}
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
