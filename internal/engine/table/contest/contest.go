// Package contest has what duplicate matches of every game do: units, which are deals or games, are played at several tables, so that each
// of two kinds of players gets the cards of the other, and are counted in their order.
package contest

import (
	"context"
	"math/rand/v2"

	"roem/internal/engine/match"
)

// Plan says how many units are played, and how.
type Plan struct {
	Units   int
	Workers int // 0 means 1
	// Keeping says how the contest goes on after an interruption.
	Keeping match.Keeping
	// Progress, if not nil, is called with the number of units finished.
	Progress func(units int)
}

// Run plays the units that are not in the tally of an earlier run, and calls add with each, in their order: it adds the unit to the tally,
// a pointer to a struct. play is called from as many goroutines as there are workers, with the number of its worker, from 0. The error is
// the error of match.Run.
func Run[T, U any](
	ctx context.Context, p Plan, tally *T, play func(ctx context.Context, worker, unit int) (U, error), add func(unit int, u U) error,
) error {
	first := match.Restore(p.Keeping, tally)
	return match.Run(ctx, p.Units-first, p.Workers, func(ctx context.Context, worker, number int) (U, error) {
		return play(ctx, worker, first+number)
	}, func(number int, u U) error {
		number += first
		if err := add(number, u); err != nil {
			return err
		}
		if p.Progress != nil {
			p.Progress(number + 1)
		}
		return p.Keeping.After(number+1, tally)
	})
}

// Table is one table of a unit: which kind sits at each place, 0 or 1.
type Table[V, A any] struct {
	Kinds [2]match.Kind[match.Player[V, A]]
	Sides []int
	// Rand returns the generator of the player at a place.
	Rand func(place int) *rand.Rand
	// Times gets how long the decisions of each kind take.
	Times *[2]match.Times
	// Do runs work: the table, or a decision of a slow player. With nil, the caller runs it.
	Do match.Lend
}

// Play makes the players, by place, and lets play run the table with them.
func (t Table[V, A]) Play(ctx context.Context, play func(context.Context, []match.Player[V, A]) error) error {
	players := make([]match.Player[V, A], len(t.Sides))
	for place, side := range t.Sides {
		kind := t.Kinds[side]
		players[place] = match.Seat(kind.New(t.Rand(place)), kind.Slow(), &t.Times[side], t.Do)
	}
	return t.Do.Whole(ctx, t.Kinds[0].Slow() || t.Kinds[1].Slow(), func(ctx context.Context) error { return play(ctx, players) })
}
