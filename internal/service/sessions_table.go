package service

import (
	"context"
	"errors"
	"time"

	"roem/internal/engine/record"
	"roem/internal/engine/table"
	"roem/internal/engine/table/session"
)

// TableGame is a SessionGame on the frame of package table: M is a match, H a hand, P a seat, V what a seat has seen, A an act, and T what
// the client gets. A request is the match of its setup.
type TableGame[M session.Match[M, H, P, V, A], H table.Hand[H, P, V, A], P ~uint8, V any, A comparable, T any] struct {
	Service *Service
	// Terms returns the terms of a setup, whose secret is drawn unless the client has chosen a seed.
	Terms func(setup *M) *session.Terms
	// Choose decides for the players of the program.
	Choose func(ctx context.Context, m M, t session.Turn[P], v V) (A, error)
	// Refused returns the error for the client that made an act which is not allowed; with nil it is FromEngine of the game's error. next is
	// the number of the act.
	Refused func(next int, a A, err error) error
	// Valid, if not nil, reports what of a stored setup is not known any more.
	Valid func(m M) error
	// Show returns what the client may see, and Written the record of the present hand, which is over.
	Show    func(id string, expires time.Time, s session.Session[M, H, P, V, A]) T
	Written func(s session.Session[M, H, P, V, A], number int) record.Hand
}

// Begin deals the first hand.
func (g TableGame[M, H, P, V, A, T]) Begin(q M) (s session.Session[M, H, P, V, A], err error) {
	terms := g.Terms(&q)
	if err := DrawSecret(&terms.Secret, terms.Seed); err != nil {
		return s, err
	}
	return session.New(q)
}

// Do returns the session after an act of the client.
func (g TableGame[M, H, P, V, A, T]) Do(
	s session.Session[M, H, P, V, A], a session.Act[A],
) (session.Session[M, H, P, V, A], error) {
	next, err := s.Do(a)
	if e, ok := errors.AsType[*session.WrongState](err); ok {
		return s, NewWrongAct(s.Next(), e.State == session.Over, e)
	}
	switch {
	case err != nil && g.Refused == nil:
		return s, FromEngine(err)
	case err != nil:
		return s, g.Refused(s.Next(), a.Action, err)
	}
	return next, nil
}

// Advance lets the other players act.
func (g TableGame[M, H, P, V, A, T]) Advance(
	ctx context.Context, s session.Session[M, H, P, V, A],
) (session.Session[M, H, P, V, A], error) {
	err := g.Service.AsOne(ctx, func(ctx context.Context) (err error) {
		s, err = s.Advance(ctx, g.Choose)
		return err
	})
	return s, err
}

// Decode returns the session of the bytes of Encode.
func (g TableGame[M, H, P, V, A, T]) Decode(value []byte) (session.Session[M, H, P, V, A], error) {
	s, err := session.Decode[M](value)
	if err == nil && g.Valid != nil {
		err = g.Valid(s.Match())
	}
	return s, err
}

// Answer returns the session as the client sees it.
func (g TableGame[M, H, P, V, A, T]) Answer(id string, expires time.Time, s session.Session[M, H, P, V, A]) T {
	return g.Show(id, expires, s)
}

// Ends returns the session as it was at the end of each hand that is over.
func (g TableGame[M, H, P, V, A, T]) Ends(s session.Session[M, H, P, V, A]) ([]session.Session[M, H, P, V, A], error) {
	return s.Ends()
}

// Record returns the record of the present hand, which is over.
func (g TableGame[M, H, P, V, A, T]) Record(s session.Session[M, H, P, V, A], number int) record.Hand {
	return g.Written(s, number)
}

// Acted returns an act of the client with its number.
func Acted[A comparable](number int, action A) (SessionAct[session.Act[A]], error) {
	return SessionAct[session.Act[A]]{Number: number, Act: session.Act[A]{Action: action}}, nil
}
