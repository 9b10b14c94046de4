package contest

import (
	"context"
	"math/rand/v2"

	"roem/internal/engine/match"
	"roem/internal/engine/table"
	"roem/internal/random"
)

// Duel is a duplicate match of a game with two seats, in which a deal is one hand. Each deal is played twice: first the kind A has the
// first seat, then the kind B. What is drawn depends only on the seed and on the number of the deal.
type Duel[H table.Hand[H, P, V, A], P ~uint8, V, A any] struct {
	Kinds [2]match.Kind[match.Player[V, A]]
	Seed  uint64
	Deal  func(rng *rand.Rand) H
	Score func(end H) [2]float64 // by seat, of a hand that is over
	Do    match.Lend             // runs work: a hand, or a decision of a slow player
}

// Side is what one side of a duel did.
type Side struct {
	Name     string
	Decision match.Times
}

// Outcome is the result of a duel. The summary is of what A scores above B in a hand.
type Outcome struct {
	match.Summary
	Sides [2]Side
}

// The streams of a seed.
const (
	dealStream   = 1
	playerStream = 2
)

// Run plays the deals of a plan. The result does not depend on the number of workers, except for the times. The error is a *table.Fault, or
// the error of a player or of the context.
func (d Duel[H, P, V, A]) Run(ctx context.Context, p Plan) (out Outcome, err error) {
	type unit struct {
		score match.Pair
		times [2]match.Times
	}
	tally := struct {
		Pairs []match.Pair
		Times [2]match.Times
	}{}
	err = Run(ctx, p, &tally, func(ctx context.Context, _, number int) (u unit, err error) {
		start := d.Deal(random.New(d.Seed, dealStream, uint64(number)))
		for at, sides := range [2][2]int{{0, 1}, {1, 0}} {
			seats := Table[V, A]{
				Kinds: d.Kinds, Sides: sides[:], Times: &u.times, Do: d.Do,
				Rand: func(place int) *rand.Rand {
					return random.New(d.Seed, playerStream, 2*uint64(number)+uint64(at), uint64(place))
				},
			}
			if err := seats.Play(ctx, func(ctx context.Context, players []match.Player[V, A]) error {
				end, err := table.Play(ctx, start, players, nil)
				if err == nil {
					score := d.Score(end)
					u.score[at] = score[at] - score[1-at]
				}
				return err
			}); err != nil {
				return u, err
			}
		}
		return u, nil
	}, func(_ int, u unit) error {
		tally.Pairs = append(tally.Pairs, u.score)
		for i := range u.times {
			tally.Times[i].Join(u.times[i])
		}
		return nil
	})
	out.Summary = match.Summarise(tally.Pairs)
	for i, kind := range d.Kinds {
		out.Sides[i] = Side{kind.Name(), tally.Times[i]}
	}
	return out, err
}
