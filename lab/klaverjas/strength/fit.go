// Package strength makes the table of outcomes that package handstrength uses, and measures how good its estimates are.
package strength

import (
	"context"
	"errors"
	"slices"

	"roem/internal/engine/klaverjas"
	"roem/internal/engine/klaverjas/index"
	"roem/internal/engine/klaverjas/search"
	"roem/internal/engine/piquet"
	"roem/internal/model/klaverjas/deal"
	"roem/internal/service/klaverjas/handstrength"
)

// leastRows is the number of solved deals that a distribution needs. A bin with fewer gets the distribution of the nearest bin with enough.
const leastRows = 40

// Fit solves n random deals and returns the distributions of their outcomes by prediction and winner.
func Fit(ctx context.Context, m *deal.Model, rules klaverjas.Rules, n int, seed uint64,
	progress func(int),
) (*handstrength.Outcomes, error) {
	var rows [2][handstrength.Bins][]row
	solver := search.New(search.Options{})
	rng := index.NewRand(seed)
	for i := range n {
		deal := klaverjas.Deal{Trump: piquet.Clubs, Leader: piquet.North, Declarer: piquet.Team(i & 1)}
		deal.Hands = index.Random(rng, deal.Trump, deal.Leader)
		prediction, ok := m.Predict(rules, deal)
		if !ok {
			return nil, errors.New("the model does not cover these rules")
		}
		start, err := klaverjas.NewPosition(rules, deal)
		if err != nil {
			return nil, err
		}
		result, err := solver.Solve(ctx, search.Query{Position: start, Goal: search.Value})
		if err != nil {
			return nil, err
		}
		end, err := start.Replay(result.Line)
		if err != nil {
			return nil, err
		}
		winner := 0
		if result.Won {
			winner = 1
		}
		bin := handstrength.Bin(prediction.Outcome)
		rows[winner][bin] = append(rows[winner][bin], row{result.Outcome, end.TricksTaken()[deal.Declarer.Opponents()] == 0})
		progress(i + 1)
	}
	out := new(handstrength.Outcomes)
	for winner := range rows {
		for bin := range rows[winner] {
			in := rows[winner][nearest(len(rows[winner]), bin, func(b int) int { return len(rows[winner][b]) })]
			if len(in) == 0 {
				return nil, errors.New("too few deals")
			}
			c := &out[winner][bin]
			c.Rows = len(rows[winner][bin])
			summarise(in, c)
		}
	}
	return out, nil
}

// row is a solved deal.
type row struct {
	outcome int
	pit     bool
}

// summarise sets the mean, the share of pits and the atoms of a distribution from rows.
func summarise(in []row, c *handstrength.Conditional) {
	values := make([]int, len(in))
	for i, r := range in {
		values[i] = r.outcome
		c.Mean += float64(r.outcome) / float64(len(in))
		if r.pit {
			c.Pit += 1 / float64(len(in))
		}
	}
	slices.Sort(values)
	for i := range c.Atoms {
		c.Atoms[i] = values[(2*i+1)*len(values)/(2*handstrength.Atoms)]
	}
}

// nearest returns the bin nearest to one that has enough rows, or the one with the most.
func nearest(bins, bin int, rows func(int) int) int {
	most := 0
	for b := range bins {
		if rows(b) > rows(most) {
			most = b
		}
	}
	for distance := range bins {
		for _, b := range [2]int{bin - distance, bin + distance} {
			if b >= 0 && b < bins && rows(b) >= leastRows {
				return b
			}
		}
	}
	return most
}
