package service

import (
	"context"

	"roem/internal/api"
)

// Playing is the operations on the sessions of a game, without the types of the game.
type Playing struct {
	// Create reads a request for a session, and returns what creates it.
	Create func(ctx context.Context, body []byte) (func(context.Context, NewSession) (Session, error), error)
	Get    func(ctx context.Context, holder, id string) (Session, error)
	End    func(ctx context.Context, holder, id string) error
	Acts   []PlayingAct
	// Hand reads a session as it was when a hand was over, and Records all hands that are over. They are nil if the game has no hands.
	Hand    func(ctx context.Context, holder, id, number string) (Session, error)
	Records func(ctx context.Context, holder, id string) (api.RecordConversion, error)
}

// PlayingAct is a kind of act in sessions.
type PlayingAct struct {
	Name string // the last part of its path: "bid"
	// Read reads the body of an act, and returns what makes it.
	Read func(ctx context.Context, body []byte) (func(ctx context.Context, holder, id string) (Session, error), error)
}

// Session is a session as the client gets it.
type Session struct {
	Body  any
	Path  string
	Notes []Note // that are logged. The id is none: who knows it may play
}

// Playing returns the operations on the sessions. parse reads a request for a session, and about returns the link of a session in the
// answer, which gets its prefix, and what is logged of it.
func (g *Sessions[Q, S, A, T]) Playing(
	parse func(ctx context.Context, body []byte) (Q, error), about func(*T) (path *string, notes []Note), acts ...ActReader[A],
) *Playing {
	shown := func(ctx context.Context, out T, err error) (Session, error) {
		if err != nil {
			return Session{}, err
		}
		path, notes := about(&out)
		*path = Link(ctx, *path)
		return Session{Body: out, Path: *path, Notes: notes}, nil
	}
	p := &Playing{
		Create: func(ctx context.Context, body []byte) (func(context.Context, NewSession) (Session, error), error) {
			q, err := parse(ctx, body)
			if err != nil {
				return nil, err
			}
			return func(ctx context.Context, n NewSession) (Session, error) {
				out, err := g.Create(ctx, n, q)
				return shown(ctx, out, err)
			}, nil
		},
		Get: func(ctx context.Context, holder, id string) (Session, error) {
			out, err := g.Get(ctx, holder, id)
			return shown(ctx, out, err)
		},
		End: g.End,
	}
	if g.hands != nil {
		p.Hand = func(ctx context.Context, holder, id, number string) (Session, error) {
			out, err := g.Hand(ctx, holder, id, number)
			return shown(ctx, out, err)
		}
		p.Records = g.Records
	}
	for _, one := range acts {
		p.Acts = append(p.Acts, PlayingAct{
			Name: one.Name,
			Read: func(ctx context.Context, body []byte) (func(ctx context.Context, holder, id string) (Session, error), error) {
				act, err := one.Read(ctx, body)
				if err != nil {
					return nil, err
				}
				return func(ctx context.Context, holder, id string) (Session, error) {
					out, err := g.Act(ctx, holder, id, act)
					return shown(ctx, out, err)
				}, nil
			},
		})
	}
	return p
}

// ReadsAct returns the ActReader of a body of the contract. act returns the act in the body.
func ReadsAct[T any, A comparable, B Body[T]](
	schemas *Schemas, name, schema string, act func(T) (SessionAct[A], error),
) ActReader[A] {
	return ActReader[A]{name, func(ctx context.Context, body []byte) (SessionAct[A], error) {
		return Decode[T, SessionAct[A], B](ctx, schemas, body, schema, act)
	}}
}

// ActReader reads the acts of one kind.
type ActReader[A comparable] struct {
	Name string // the last part of the path: "bid"
	Read func(ctx context.Context, body []byte) (SessionAct[A], error)
}
