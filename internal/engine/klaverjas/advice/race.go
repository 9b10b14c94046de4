package advice

import (
	"context"
	"math"
	"math/rand/v2"

	"roem/internal/cards"
	"roem/internal/engine/klaverjas"
	"roem/internal/engine/klaverjas/playout"
)

// What Race does.
const (
	RaceFirst   = 24  // the number of worlds before its first test; before each other test there are half as many again
	RaceErrors  = 2.5 // a card that is worse than the best one by more standard errors is given up
	ExactTricks = 4   // in so many last tricks the worlds are searched
)

// Race returns the card with the best mean OUTCOME over the worlds of Weigh. In the last ExactTricks tricks the worlds are searched exactly, which
// takes less time there than playouts. Before that they are played out as PlayOuts does. Then cards that are clearly worse are given up, and the
// race stops when one is left: so most playouts are of the cards that are hard to tell apart. The objective is the score. The error is that of the
// solver or of the context.
func (q *Question) Race(ctx context.Context, rng *rand.Rand, m playout.Models, s Solver, o PlayoutOptions) (cards.Card, error) {
	if q.Forced() {
		return q.cards[0], nil
	}
	view := q.k.View()
	table := playout.TableOf(&view)
	r := race{left: uint8(1<<len(q.cards) - 1)}
	worlds := q.Weigh(rng, m.Players, o).Worlds
	if len(view.Played) >= cards.Deck.Len()-4*ExactTricks {
		for _, w := range worlds {
			row, _, err := q.Solve(ctx, s, w.World)
			if err != nil {
				return 0, err
			}
			var score [klaverjas.HandSize]float64
			for j := range q.cards {
				score[j] = q.sign * float64(row[j])
			}
			r.add(&score, w.Weight)
		}
		return q.cards[r.best()], nil
	}
	test := RaceFirst
	for i, w := range worlds {
		if err := ctx.Err(); err != nil {
			return 0, err
		}
		var score [klaverjas.HandSize]float64
		for j, c := range q.cards {
			if r.left>>j&1 != 0 {
				score[j] = q.sign * float64(playout.Outcome(m.Play, table, w.World, c))
			}
		}
		r.add(&score, w.Weight)
		if i+1 == test {
			test += test / 2
			if r.giveUp(); r.left&(r.left-1) == 0 {
				break
			}
		}
	}
	return q.cards[r.best()], nil
}

// race adds up the results of the cards that are left.
type race struct {
	left            uint8 // the cards, as bits
	weight, weight2 float64
	sum             [klaverjas.HandSize]float64                     // of the score
	apart           [klaverjas.HandSize][klaverjas.HandSize]float64 // of the squared difference of a card and an earlier one
}

func (r *race) add(score *[klaverjas.HandSize]float64, weight float64) {
	r.weight += weight
	r.weight2 += weight * weight
	for i, x := range score {
		if r.left>>i&1 == 0 {
			continue
		}
		r.sum[i] += weight * x
		for j, y := range score[:i] {
			r.apart[i][j] += weight * (x - y) * (x - y)
		}
	}
}

// best returns the best card, the first one of equals.
func (r *race) best() int {
	best := -1
	for i, x := range r.sum {
		if r.left>>i&1 != 0 && (best < 0 || x > r.sum[best]) {
			best = i
		}
	}
	return best
}

// giveUp gives up the cards that are clearly worse than the best one. n is Kish's effective number of worlds.
func (r *race) giveUp() {
	n := r.weight * r.weight / r.weight2
	if n <= 1 {
		return
	}
	best := r.best()
	for i := range r.sum {
		if r.left>>i&1 == 0 || i == best {
			continue
		}
		cost := (r.sum[best] - r.sum[i]) / r.weight
		variance := max(r.apart[max(best, i)][min(best, i)]/r.weight-cost*cost, 0)
		if cost > RaceErrors*math.Sqrt(variance/(n-1)) {
			r.left &^= 1 << i
		}
	}
}
