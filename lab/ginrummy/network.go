package ginrummy

import (
	"context"

	"roem/internal/engine/ginrummy/worlds"
	"roem/internal/model/ginrummy/hand"
)

// Estimator is a named function from a row to an estimate. It must use only what the player has seen, the view.
type Estimator struct {
	Name string
	Of   func(row *Row) Estimate
}

// Network returns the estimator of a network, for one goroutine at a time.
func Network(name string, n *hand.Network) Estimator {
	sp := n.NewSpace()
	d := new(worlds.Distribution)
	return Estimator{name, func(row *Row) Estimate { return n.Estimate(&row.View, sp, d) }}
}

// Uniform returns the estimator for which all hands that agree with what was seen are equally likely.
func Uniform() Estimator {
	d := new(worlds.Distribution)
	return Estimator{"uniform", func(row *Row) Estimate {
		seen := row.View.Seen()
		d.Uniform(seen.Kept, seen.Unknown(), 10-seen.Kept.Len())
		return d.Probabilities()
	}}
}

// Held are the rows that estimates are measured on: some of each of the deals of a seed, all after a discard of the opponent.
func Held(ctx context.Context, seed, deals uint64) (rows []Row, err error) {
	err = EachRow(ctx, seed, 0, deals, func(r *Row) {
		if r.Moment == AfterDiscard {
			rows = append(rows, *r)
		}
	})
	return rows, err
}

// Measure returns the score of an estimator.
func Measure(e Estimator, rows []Row) *Score {
	s := new(Score)
	for i := range rows {
		p := e.Of(&rows[i])
		s.Add(&rows[i], &p)
	}
	return s
}
