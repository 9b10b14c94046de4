package belote

import (
	"context"

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
func (g *Game) sealed() service.SessionGame[SessionQuery, session.Session, session.Act, api.BeloteSession] {
	return service.TableGame[session.Match, players.Table, belote.Player, players.View, players.Action, api.BeloteSession]{
		Service: g.service, Terms: func(m *session.Match) *session.Terms { return &m.Terms },
		Choose: g.decide, Show: g.outSession, Written: outRecord,
		Refused: func(_ int, a players.Action, err error) error {
			if a.Calls {
				return service.FromEngineAt("/call", err)
			}
			return service.FromEngineAt("/card", err)
		},
	}
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
