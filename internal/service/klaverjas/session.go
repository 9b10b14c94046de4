package klaverjas

import (
	"context"
	"errors"
	"time"

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
func (g *Game) Sessions() *Sessions { return g.sessions }

// sealed is the game as service.Sessions plays it.
type sealed struct{ game *Game }

// Begin deals the first hand.
func (sealed) Begin(q SessionQuery) (s session.Session, err error) {
	setup := q.setup
	if err := service.DrawSecret(&setup.Secret, setup.Seed); err != nil {
		return s, err
	}
	if q.view != nil {
		setup.Begun = session.Drawn(q.view, setup.Secret)
	}
	if s, err = session.New(setup); err != nil {
		return s, service.FromEngine(err)
	}
	return s, nil
}

// Do returns the session after an act of the client's seat.
func (sealed) Do(s session.Session, a session.Act) (session.Session, error) {
	next, err := s.Do(a)
	if e, ok := errors.AsType[*session.WrongState](err); ok {
		return s, service.NewWrongAct(service.NumberOf(s), e.State == session.Over, e)
	}
	if e, ok := errors.AsType[*session.NotSettled](err); ok {
		return s, service.NewSessionConflict(service.NotSettled, service.NumberOf(s), "In this session "+e.Error()+".")
	}
	if err != nil {
		pointer := [...]string{session.MakeCall: "/call", session.PlayCard: "/card", session.NextHand: "/acts", session.Claim: "/acts"}[a.Kind]
		return s, service.FromEngineAt(pointer, err)
	}
	return next, nil
}

// Advance lets the other players act. A player that searches worlds gets a slot for each card.
func (g sealed) Advance(ctx context.Context, s session.Session) (session.Session, error) {
	err := g.game.service.AsOne(ctx, func(ctx context.Context) (err error) {
		s, err = s.Advance(ctx, session.Others{Call: callInSession, Do: g.game.chooseInSession})
		return err
	})
	return s, err
}

// Decode returns the session of the bytes of Encode.
func (sealed) Decode(value []byte) (session.Session, error) { return session.Decode(value) }

// Answer returns the session as its seat sees it.
func (g sealed) Answer(id string, expires time.Time, s session.Session) api.KlaverjasSession {
	return g.game.outSession(id, expires, s)
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

func (g *Game) chooseInSession(ctx context.Context, worlds int, work func(context.Context, *players.Tools) error) error {
	if worlds == 0 {
		tools, _ := g.quick.Get().(*players.Tools)
		defer g.quick.Put(tools)
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
