package klaverjas

import (
	"context"

	"roem/internal/api"
	"roem/internal/computation"
	"roem/internal/engine/klaverjas"
	"roem/internal/engine/klaverjas/bidding"
	"roem/internal/engine/klaverjas/players"
	"roem/internal/engine/klaverjas/session"
	"roem/internal/engine/piquet"
	"roem/internal/service"
	"roem/internal/service/klaverjas/bidadvice"
)

// Sessions are the sessions of Klaverjas.
type Sessions = service.Sessions[SessionQuery, session.Session, session.Act, api.KlaverjasSession]

// Sessions returns the sessions of the game.
func (g *Game) Sessions() *Sessions { return g.models().sessions }

// sealed is the game as service.Sessions plays it.
func (g *Game) sealed() service.SessionGame[SessionQuery, session.Session, session.Act, api.KlaverjasSession] {
	return service.TableGame[session.Match, session.Hand, piquet.Seat, players.View, players.Action, api.KlaverjasSession]{
		Service: g.service, Terms: func(m *session.Match) *session.Terms { return &m.Terms },
		Choose: session.Others{Call: callInSession, Do: g.chooseInSession}.Choose, Show: g.outSession, Written: outRecord, Refused: refused,
	}
}

// refused returns the error for an action that is not allowed.
func refused(next int, a players.Action, err error) error {
	switch a.Kind {
	case players.Claim:
		return service.NewSessionConflict(service.NotSettled, next, "In this session "+err.Error()+".")
	case players.MakeCall:
		return service.FromEngineAt("/call", err)
	default:
		return service.FromEngineAt("/card", err)
	}
}

// callInSession returns the call of a player of the program. The policy has thresholds for the default rules of a system: with others, it
// calls as under these.
func callInSession(rules klaverjas.Rules, a bidding.Auction, hand piquet.Set) bidding.Call {
	policy := new(bidadvice.Policy)
	if !policy.Covers(rules) {
		rules = klaverjas.DefaultRules(rules.System)
	}
	return policy.Call(rules, a, hand)
}

// chooseInSession runs work with tools. A player that searches worlds gets a slot for each card.
func (g *Game) chooseInSession(ctx context.Context, worlds int, work func(context.Context, *players.Tools) error) error {
	if worlds == 0 {
		tools, _ := g.models().quick.Get().(*players.Tools)
		defer g.models().quick.Put(tools)
		return work(ctx, tools)
	}
	return g.service.WithSlot(ctx, func(ctx context.Context, slot *computation.Slot) error {
		tools := computation.Tool(slot, toolsKey{g}, NewTools)
		before, end := tools.Nodes(), service.EffortOf(ctx).BeginSearch()
		err := work(ctx, tools)
		end(tools.Nodes() - before)
		return err
	})
}
