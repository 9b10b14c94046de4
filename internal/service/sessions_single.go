package service

import (
	"context"
	"fmt"
	"time"

	"roem/internal/engine/match"
	"roem/internal/engine/record"
	"roem/internal/engine/table"
	"roem/internal/engine/table/history"
	"roem/internal/engine/table/session"
)

// singleMatch and single are shorter names of a session of one hand, and of its match.
type (
	singleMatch[H table.Hand[H, P, V, A], P ~uint8, V any, A comparable] = session.Single[H, P, V, A]
	single[H table.Hand[H, P, V, A], P ~uint8, V any, A comparable]      = session.Session[singleMatch[H, P, V, A], H, P, V, A]
)

// NewSingles returns the sessions of a game in the memory of the process, of one hand each that begins as the request says. opponent plays
// the seats of the program at once; records are the records of its hands, and show returns what the client may see.
func NewSingles[H table.Hand[H, P, V, A], P ~uint8, V any, A comparable, T any](
	s *Service, opponent match.Kind[match.Player[V, A]], records *history.Game[H, P, V, A], show func(id string, s single[H, P, V, A]) T,
) *Sessions[singleMatch[H, P, V, A], single[H, P, V, A], session.Act[A], T] {
	return NewSessions(s, records.Name, nil, TableGame[singleMatch[H, P, V, A], H, P, V, A, T]{
		Service: s, Terms: func(m *singleMatch[H, P, V, A]) *session.Terms { return &m.Terms },
		Choose: func(ctx context.Context, _ singleMatch[H, P, V, A], t session.Turn[P], v V) (A, error) {
			return opponent.New(t.Rand).Choose(ctx, v)
		},
		Show: func(id string, _ time.Time, s single[H, P, V, A]) T { return show(id, s) },
		Written: func(s single[H, P, V, A], number int) record.Hand {
			return records.Hand(SessionTags(number, fmt.Sprint(s.Seat())), s.Match().Start, s.Hand(), s.Done())
		},
	})
}

// Starting returns the parse of a request for a session of one hand, which is all that the request says.
func Starting[H table.Hand[H, P, V, A], P ~uint8, V any, A comparable](
	parse func(context.Context, []byte) (H, error),
) func(context.Context, []byte) (session.Single[H, P, V, A], error) {
	return func(ctx context.Context, body []byte) (m session.Single[H, P, V, A], err error) {
		m.Start, err = parse(ctx, body)
		return m, err
	}
}
