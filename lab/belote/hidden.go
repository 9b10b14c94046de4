package belote

import (
	"context"
	"fmt"
	"io"

	"roem/internal/engine/belote/advice"
	"roem/internal/engine/belote/players"
	"roem/internal/engine/belote/search"
	"roem/internal/engine/belote/worlds"
	"roem/internal/engine/match"
)

// hiddenRow is what the views with a number of cards face down show.
type hiddenRow struct {
	views, apart  int
	differences   []float64 // the mean of each deal
	costs         []float64
	larger, worse float64 // the largest difference and cost
	states        uint64  // the most of an expectimax
}

// allWorlds is more than the worlds of a view in which expectimax is computed.
const allWorlds = 1000

// Hidden plays n deals with the player simple, and compares in their views the means over all worlds with expectimax: how much better for
// the player to move the best mean is than the value by expectimax, and what the card of the means costs by expectimax. It leaves out
// views with fewer than two cards face down, with more than the given number of cards left, and with one legal card.
func Hidden(ctx context.Context, out io.Writer, n, suits, mostLeft int, seed uint64) error {
	if _, err := fmt.Fprintf(out, "%-9s %6s %6s  %8s %7s %8s %8s  %8s %7s %8s  %9s\n",
		"", "hidden", "views", "mean", "+-", "largest", "differ", "cost", "+-", "largest", "states"); err != nil {
		return err
	}
	simple, err := players.ParseKind("simple", players.DefaultWorlds)
	if err != nil {
		return err
	}
	for _, utility := range []search.Utility{search.Points, search.Contract} {
		rows := map[int]*hiddenRow{}
		s := search.New(search.Options{})
		c := players.Contest{A: simple, B: simple, Deals: n, Suits: suits, Seed: seed, Watch: func(_ int, views []*worlds.View) error {
			return watchHidden(ctx, s, rows, views, utility, mostLeft)
		}}
		if _, err := c.Run(ctx); err != nil {
			return err
		}
		for h := range 17 {
			r := rows[h]
			if r == nil {
				continue
			}
			d, cost := match.MeanOf(r.differences), match.MeanOf(r.costs)
			if _, err := fmt.Fprintf(out, "%-9s %6d %6d  %8.3f %7.3f %8.3f %7.1f%%  %8.3f %7.3f %8.3f  %9d\n",
				utility, h, r.views, d.Mean, d.Error, r.larger, 100*float64(r.apart)/float64(r.views), cost.Mean, cost.Error, r.worse,
				r.states); err != nil {
				return err
			}
		}
	}
	return nil
}

// watchHidden adds the views of a deal.
func watchHidden(
	ctx context.Context, s *search.Solver, rows map[int]*hiddenRow, views []*worlds.View, utility search.Utility, mostLeft int,
) error {
	type sum struct {
		n                int
		difference, cost float64
	}
	sums := map[int]*sum{}
	for _, v := range views {
		now := v.Now()
		q := advice.Question{View: v, Utility: utility, Method: advice.Auto, Worlds: allWorlds}
		if v.Hidden() < 2 || v.Left() > mostLeft || now.Legal().Len() < 2 || !q.Exact() {
			continue
		}
		t, err := q.Ask(ctx, s, nil, nil)
		if err != nil {
			return err
		}
		f := q.Advise(t).Fusion
		row := rows[v.Hidden()]
		if row == nil {
			row = &hiddenRow{}
			rows[v.Hidden()] = row
		}
		row.views++
		if f.Difference > 1e-9 || f.Difference < -1e-9 {
			row.apart++
		}
		row.larger, row.worse, row.states = max(row.larger, f.Difference), max(row.worse, f.Cost), max(row.states, t.States)
		if sums[v.Hidden()] == nil {
			sums[v.Hidden()] = &sum{}
		}
		one := sums[v.Hidden()]
		one.n++
		one.difference += f.Difference
		one.cost += f.Cost
	}
	for h, one := range sums {
		row := rows[h]
		row.differences = append(row.differences, one.difference/float64(one.n))
		row.costs = append(row.costs, one.cost/float64(one.n))
	}
	return nil
}
