package advice

import (
	"context"
	"math"
	"math/rand/v2"

	"roem/internal/engine/klaverjas"
	"roem/internal/engine/klaverjas/playout"
	"roem/internal/engine/klaverjas/worlds"
	"roem/internal/engine/pause"
	"roem/internal/engine/piquet"
	"roem/internal/random"
)

// What Race does.
const (
	RaceFirst   = 24  // the number of worlds before its first test; before each other test there are half as many again
	RaceErrors  = 2.5 // a card that is worse than the best one by more standard errors is given up
	ExactTricks = 4   // the number of last tricks in which the worlds are searched
)

// Raced is the result of a race: the best card and the next one of the cards that were left.
type Raced struct {
	Card   piquet.Card
	Mean   float64 // of the OUTCOME after Card, from the side of the seat's team
	Next   piquet.Card
	Second bool    // whether there is a Next
	Cost   float64 // what Next has less, over the same worlds
	Worlds int     // that were played out or searched; equal ones of a sample count once
	Solved bool    // the worlds were searched
}

// Race returns the card with the best mean OUTCOME over the worlds of Weigh. In the last ExactTricks tricks the worlds are searched
// exactly, which takes less time there than playouts. Before that they are played out as PlayOuts does. Then cards that are clearly worse
// are given up, and the race stops when one is left: so most playouts are of the cards that are hard to tell apart. The objective is the
// score. The error is the error of the solver or of the context.
func (q *Question) Race(ctx context.Context, rng *rand.Rand, m playout.Models, s Solver, o PlayoutOptions) (Raced, error) {
	if q.Forced() {
		return Raced{Card: q.cards[0]}, nil
	}
	view := q.k.View()
	table := playout.TableOf(&view)
	r := race{left: uint8(1<<len(q.cards) - 1)}
	worlds := q.weighKinds(rng, &m, o)
	if len(view.Played) >= piquet.Deck.Len()-4*ExactTricks {
		for i, w := range worlds {
			if i+1 < len(worlds) && worlds[i+1].World == w.World {
				worlds[i+1].Weight += w.Weight // the kind of the opponents does not matter here
				continue
			}
			row, _, err := q.Solve(ctx, s, w.World)
			if err != nil {
				return Raced{}, err
			}
			var score [klaverjas.HandSize]float64
			for j := range q.cards {
				score[j] = q.sign * float64(row[j])
			}
			r.add(&score, w.Weight)
		}
		return q.raced(&r, true), nil
	}
	own := view.Seat.Team()
	teams := make([][2]playout.Policy, 1+len(m.Rules))
	for k := range teams {
		teams[k] = [2]playout.Policy{m.Play, m.Play}
		if k > 0 {
			teams[k][own.Opponents()] = m.Rules[k-1]
		}
	}
	test := RaceFirst
	for i, w := range worlds {
		pause.Point()
		if err := ctx.Err(); err != nil {
			return Raced{}, err
		}
		var score [klaverjas.HandSize]float64
		for j, c := range q.cards {
			if r.left>>j&1 != 0 {
				score[j] = q.sign * float64(playout.OutcomeOf(teams[w.kind], table, w.World, c))
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
	return q.raced(&r, false), nil
}

// kindly is a world in which the opponents are of a kind.
type kindly struct {
	Sampled
	kind int // 0 is the kind of Models.Players, k the kind of Models.Rules[k-1]
}

// weighKinds draws worlds as Weigh does, each with the kind of the opponents. Equal worlds follow each other.
func (q *Question) weighKinds(rng *rand.Rand, m *playout.Models, o PlayoutOptions) (drawn []kindly) {
	if len(m.Rules) == 0 {
		for _, w := range q.Weigh(rng, m.Players, o).Worlds {
			drawn = append(drawn, kindly{w, 0})
		}
		return drawn
	}
	view := q.k.View()
	numbers := q.Draw(rng, max(o.Candidates, 1))
	worlds := make([]worlds.World, len(numbers))
	for i, number := range numbers {
		worlds[i] = q.k.World(number)
	}
	weights, kinds := playout.WeighKinds(m, &view, worlds, o.Weights)
	if len(worlds) <= max(o.Worlds, 1) {
		for i, w := range weights {
			if w = math.Round(wholeWeight * w); w >= 1 {
				drawn = append(drawn, kindly{Sampled{worlds[i/kinds], w}, i % kinds})
			}
		}
		return drawn
	}
	indices, times := playout.Resample(weights, max(o.Worlds, 1), random.Float64(rng))
	for i, index := range indices {
		drawn = append(drawn, kindly{Sampled{worlds[index/kinds], float64(times[i])}, index % kinds})
	}
	return drawn
}

// race adds up the results of the cards that are left.
type race struct {
	left            uint8 // the cards, as bits
	weight, weight2 float64
	worlds          int
	sum             [klaverjas.HandSize]float64                     // of the score
	apart           [klaverjas.HandSize][klaverjas.HandSize]float64 // of the squared difference of a card and an earlier one
}

func (r *race) add(score *[klaverjas.HandSize]float64, weight float64) {
	r.worlds++
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

// raced returns the result of the race.
func (q *Question) raced(r *race, solved bool) Raced {
	best := r.best()
	out := Raced{Card: q.cards[best], Mean: r.sum[best] / r.weight, Worlds: r.worlds, Solved: solved}
	for i, x := range r.sum {
		if cost := (r.sum[best] - x) / r.weight; i != best && r.left>>i&1 != 0 && (!out.Second || cost < out.Cost) {
			out.Next, out.Cost, out.Second = q.cards[i], cost, true
		}
	}
	return out
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
