package advice

import (
	"context"
	"errors"
	"math/rand/v2"

	"roem/internal/engine/klaverjas/worlds"
	"roem/internal/engine/piquet"
	"roem/internal/random"
)

// Sampled is a world to search and its weight, which is positive.
type Sampled struct {
	World  worlds.World
	Weight float64
}

// Options are the options of Decide.
type Options struct {
	Objective Objective
	// Worlds is how many worlds are searched, at least 1. If there are no more, all of them are.
	Worlds int
	// Draw returns n worlds to search. If it is nil, Decide draws them uniformly without replacement.
	Draw func(rng *rand.Rand, n int) []Sampled
	// Stop, if not 0, ends the search early: when each other card is more than Stop standard errors worse than the best one, or equal to
	// it in every world. This is tested after StopEvery worlds, twice as many, and so on.
	Stop float64
}

// StopEvery is the number of worlds between two tests of Options.Stop.
const StopEvery = 16

// Choose returns the card with the best mean OUTCOME over that many worlds, drawn uniformly without replacement, or over all worlds if
// there are no more. It searches nothing if only one card is legal. The errors are the errors of NewQuestion and of the solver.
func Choose(ctx context.Context, k *worlds.Knowledge, rng *rand.Rand, worlds int, s Solver) (piquet.Card, Advice, error) {
	q, err := NewQuestion(k)
	if err != nil {
		return 0, Advice{}, err
	}
	a, err := q.Decide(ctx, rng, s, Options{Worlds: worlds})
	return a.Card, a, err
}

// Decide searches worlds one after the other and returns the advice. If the deadline of ctx passes, the advice rests on the worlds that
// were searched by then; if there is none, the error is the error of the solver. Any other end of ctx is an error.
func (q *Question) Decide(ctx context.Context, rng *rand.Rand, s Solver, o Options) (Advice, error) {
	var t Tally
	distinct := o.Draw == nil
	if q.Forced() {
		return q.Advise(&t, o.Objective, distinct), nil
	}
	for i, w := range q.worlds(rng, o) {
		row, nodes, err := q.Solve(ctx, s, w.World)
		t.Nodes += nodes
		if errors.Is(err, context.DeadlineExceeded) && t.Worlds > 0 {
			break
		}
		if err != nil {
			return Advice{}, err
		}
		t.Add(q, row, w.Weight)
		if n := i + 1; o.Stop > 0 && n%StopEvery == 0 && q.Separated(&t, o.Objective, o.Stop, distinct) {
			break
		}
	}
	return q.Advise(&t, o.Objective, distinct), nil
}

// worlds returns the worlds to search.
func (q *Question) worlds(rng *rand.Rand, o Options) []Sampled {
	n := max(o.Worlds, 1)
	if o.Draw != nil {
		return o.Draw(rng, n)
	}
	return q.Uniform(rng, n)
}

// Uniform returns the worlds of Draw, which count alike.
func (q *Question) Uniform(rng *rand.Rand, n int) []Sampled {
	numbers := q.Draw(rng, n)
	list := make([]Sampled, len(numbers))
	for i, number := range numbers {
		list[i] = Sampled{q.k.World(number), 1}
	}
	return list
}

// Draw returns the numbers of n different worlds, or of all worlds if there are no more, in random order: each beginning of the list is
// a uniform sample without replacement.
func (q *Question) Draw(rng *rand.Rand, n int) []uint64 {
	numbers := q.k.SampleDistinct(rng, n)
	if uint64(len(numbers)) == q.k.Worlds() {
		random.Shuffle(rng, numbers)
	}
	return numbers
}
