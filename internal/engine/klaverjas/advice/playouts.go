package advice

import (
	"context"
	"math"
	"math/rand/v2"

	"roem/internal/engine/klaverjas/playout"
	"roem/internal/engine/klaverjas/worlds"
	"roem/internal/engine/pause"
	"roem/internal/random"
)

// PlayoutOptions are the options of PlayOuts.
type PlayoutOptions struct {
	Objective Objective
	// Candidates is the number of worlds that are drawn uniformly without replacement and weighed, at least 1. If there are no more, all are.
	Candidates int
	// Worlds is the number of worlds that are played out, at least 1. They are drawn from the candidates by their weights.
	Worlds  int
	Weights playout.Weights
}

// CandidatesEach is how many worlds the playout player weighs for each that it plays out.
const CandidatesEach = 3

// DefaultPlayouts returns the options of the playout player for a number of worlds.
func DefaultPlayouts(worlds int) PlayoutOptions {
	return PlayoutOptions{Candidates: CandidatesEach * worlds, Worlds: worlds, Weights: playout.Weights{Power: 0.7, Floor: 0.03}}
}

// Weighed are worlds with weights that follow from what was played.
type Weighed struct {
	Worlds    []Sampled
	Effective float64 // the effective number of candidates, (sum w)^2 / sum w^2
}

// wholeWeight is the weight of the likeliest world. Weights are rounded to whole numbers, so that a Tally does not depend on the order of
// the worlds.
const wholeWeight = 1e6

// Weigh draws the worlds of PlayOuts. If there are no more candidates than Options.Worlds, it returns all of them with their weights.
func (q *Question) Weigh(rng *rand.Rand, players []playout.Policy, o PlayoutOptions) Weighed {
	view := q.k.View()
	numbers := q.Draw(rng, max(o.Candidates, 1))
	worlds := make([]worlds.World, len(numbers))
	for i, number := range numbers {
		worlds[i] = q.k.World(number)
	}
	weights, effective := playout.Weigh(players, &view, worlds, o.Weights)
	drawn := Weighed{Effective: effective}
	if len(worlds) <= max(o.Worlds, 1) {
		for i, w := range worlds {
			drawn.Worlds = append(drawn.Worlds, Sampled{w, max(1, math.Round(wholeWeight*weights[i]))})
		}
		return drawn
	}
	indices, times := playout.Resample(weights, max(o.Worlds, 1), random.Float64(rng))
	for i, index := range indices {
		drawn.Worlds = append(drawn.Worlds, Sampled{worlds[index], float64(times[i])})
	}
	return drawn
}

// PlayOut plays each legal card to the end of the hand in a world.
func (q *Question) PlayOut(policy playout.Policy, t playout.Table, w worlds.World) (row Row) {
	for i, c := range q.cards {
		row[i] = int16(playout.Outcome(policy, t, w, c))
	}
	return row
}

// PlayOuts weighs worlds by what was played, and plays each legal card to the end of the hand in them with a policy in all seats. The
// result is nil only with the error of the context.
func (q *Question) PlayOuts(ctx context.Context, rng *rand.Rand, m playout.Models, o PlayoutOptions) (*Tally, error) {
	view := q.k.View()
	table := playout.TableOf(&view)
	t := new(Tally)
	for _, w := range q.Weigh(rng, m.Players, o).Worlds {
		pause.Point()
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		t.Add(q, q.PlayOut(m.Play, table, w.World), w.Weight)
	}
	return t, nil
}

// AdvisePlayouts returns the advice of PlayOuts.
func (q *Question) AdvisePlayouts(ctx context.Context, rng *rand.Rand, m playout.Models, o PlayoutOptions) (Advice, error) {
	if q.Forced() {
		return q.Advise(new(Tally), o.Objective, false), nil
	}
	t, err := q.PlayOuts(ctx, rng, m, o)
	if err != nil {
		return Advice{}, err
	}
	return q.Advise(t, o.Objective, uint64(t.Worlds) == q.k.Worlds()), nil
}
