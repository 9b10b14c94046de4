package service

import (
	"context"

	"roem/internal/solvecache"
)

// A page keeps no requests: what it asks for again, it asks for in its own program.
type repeats[Q TypedQuery[R], R any] struct{}

type repeated[Q, R any] struct {
	query  Q
	answer Answer[R]
}

func newRepeats[Q TypedQuery[R], R any](*solvecache.Cache) *repeats[Q, R] { return nil }

func (*repeats[Q, R]) find([]byte) (again repeated[Q, R], ok bool) { return again, false }

func (*repeats[Q, R]) count(context.Context) {}

func (*repeats[Q, R]) keep([]byte, Q, Answer[R]) {}
