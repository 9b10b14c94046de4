package match

import (
	"context"
	"time"
)

// Player is a player of a game, who sees a V and decides an A.
type Player[V, A any] interface {
	Choose(ctx context.Context, v V) (A, error)
}

// Lend runs work, such as a game or a decision, with what it needs, such as a core. A nil Lend runs it at once.
type Lend func(ctx context.Context, work func(context.Context) error) error

// Whole runs a game. It is lent to as a whole unless a player is slow: then each decision of this player is.
func (l Lend) Whole(ctx context.Context, slow bool, game func(context.Context) error) error {
	if l == nil || slow {
		return game(ctx)
	}
	return l(ctx, game)
}

// Seat returns a new player of the kind as it sits at a table: its decisions are timed, and lent to if it is slow.
func Seat[V, A any](player Player[V, A], slow bool, times *Times, lend Lend) Player[V, A] {
	if !slow {
		lend = nil
	}
	return seated[V, A]{player, times, lend}
}

// Seated returns the player that sits at a table.
func Seated[V, A any](at Player[V, A]) Player[V, A] {
	if s, ok := at.(seated[V, A]); ok {
		return s.player
	}
	return at
}

type seated[V, A any] struct {
	player Player[V, A]
	times  *Times
	lend   Lend
}

// Choose lets the player choose. The time that it waits for what it is lent does not count.
func (s seated[V, A]) Choose(ctx context.Context, v V) (a A, err error) {
	err = s.lend.Whole(ctx, false, func(ctx context.Context) error {
		began := time.Now()
		a, err = s.player.Choose(ctx, v)
		s.times.Add(time.Since(began))
		return err
	})
	return a, err
}
