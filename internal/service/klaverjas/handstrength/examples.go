package handstrength

import (
	"context"
	"slices"

	"roem/internal/engine/klaverjas/search"
)

// exampleLevels are the kinds of examples and the quantiles of the outcome at which they are.
var exampleLevels = [3]struct {
	kind  string
	level float64
}{{"typical", 0.5}, {"lucky", 0.95}, {"unlucky", 0.05}}

// examples returns the worlds whose predicted outcomes are at the levels among all sampled worlds.
func (p *predictions) examples() []Example {
	order := inOrder(p.outcome)
	out := make([]Example, len(exampleLevels))
	for i, e := range exampleLevels {
		at := order[int(e.level*float64(len(order)-1))]
		out[i] = Example{Kind: e.kind, Hands: p.worlds[at], Outcome: p.outcome[at]}
	}
	return out
}

// inOrder returns the indices of the values from the smallest to the largest. Equal values are in the order of their indices.
func inOrder(values []float64) []int {
	order := make([]int, len(values))
	for i := range order {
		order[i] = i
	}
	slices.SortStableFunc(order, func(a, b int) int {
		switch {
		case values[a] < values[b]:
			return -1
		case values[a] > values[b]:
			return 1
		}
		return 0
	})
	return order
}

// solve replaces the predicted outcome by the outcome of a search, which it adds to the work of s.
func (e *Example) solve(ctx context.Context, q Question, solver Solver, s *Strength) error {
	result, err := solve(ctx, q, e.Hands, search.Value, solver)
	if err != nil {
		return err
	}
	e.Outcome, e.Exact = float64(result.Outcome), true
	s.Searches++
	s.Nodes += result.Nodes
	return nil
}
