// Package leaves counts the leaves of the paper's search, plain alpha-beta without a table, on a sample of deals: Figures 1 and 3 of
// "Computing and Predicting Winning Hands in the Trick-Taking Game of Klaverjas" in the unit of the paper. Package paper has both figures
// for all deals in nodes of this project's search.
package leaves

import (
	"context"
	"errors"
	"fmt"
	"math"
	"slices"
	"strings"

	"roem/internal/engine/klaverjas"
	"roem/internal/engine/klaverjas/search"
	"roem/internal/engine/match"
	model "roem/internal/model/klaverjas/forest"
	"roem/lab/klaverjas/dataset"
)

// Options are the options of Run.
type Options struct {
	Deals   int    // the first deals of the set
	Most    uint64 // leaves after which a deal is given up
	Workers int
	Done    func() // called after each deal, by one goroutine; may be nil
}

// Deal is what was counted of a deal.
type Deal struct {
	Won    bool   `json:"won"`
	Right  bool   `json:"right"`  // the forest predicts the winner
	Ended  bool   `json:"ended"`  // within the limit
	Leaves uint64 `json:"leaves"` // of the search, or the limit and one more
	Nodes  uint64 `json:"nodes"`  // of this project's search for the same outcome
}

// Run counts the first deals of a set, in its order, and compares each outcome with this project's search. The forest must not have been
// trained on them.
func Run(ctx context.Context, set *dataset.Set, m *model.Model, o Options) (deals []Deal, err error) {
	if rules := set.Settings.Rules; rules != klaverjas.DefaultRules(klaverjas.Rotterdam) {
		return nil, errors.New("the data set is not of the paper's rules")
	}
	var rows []dataset.Row
	for row, err := range set.Rows() {
		if err != nil {
			return nil, err
		}
		if !m.Covers(set.Settings.Rules, row.Deal()) {
			return nil, errors.New("the forest is not trained for the rules or the declarers of the data set")
		}
		if rows = append(rows, row); len(rows) == o.Deals {
			break
		}
	}
	solvers := make([]*search.Solver, max(o.Workers, 1))
	err = match.Run(ctx, len(rows), o.Workers, func(ctx context.Context, worker, i int) (Deal, error) {
		if solvers[worker] == nil {
			solvers[worker] = search.New(search.Options{})
		}
		d, err := count(ctx, solvers[worker], rows[i], o.Most)
		d.Right = m.Predict(rows[i].Deal()) > 0.5 == d.Won
		return d, err
	}, func(_ int, d Deal) error {
		deals = append(deals, d)
		if o.Done != nil {
			o.Done()
		}
		return nil
	})
	return deals, err
}

// count solves a deal in both ways.
func count(ctx context.Context, solver *search.Solver, row dataset.Row, most uint64) (Deal, error) {
	start, err := klaverjas.NewPosition(klaverjas.DefaultRules(klaverjas.Rotterdam), row.Deal())
	if err != nil {
		return Deal{}, err
	}
	result, err := solver.Solve(ctx, search.Query{Position: start, Goal: search.Value})
	if err != nil {
		return Deal{}, err
	}
	p, err := newPlain(start, most)
	if err != nil {
		return Deal{}, err
	}
	outcome, leaves, err := p.solve()
	d := Deal{Won: result.Won, Ended: err == nil, Leaves: leaves, Nodes: result.Nodes}
	want := result.Outcome
	if !result.Won {
		want = loss
	}
	if err == nil && outcome != want {
		return d, fmt.Errorf("row %d: the outcome is %d by the paper's search and %d by this project's", row.Number, outcome, want)
	}
	return d, ctx.Err()
}

// Report returns both figures as tables in Markdown.
func Report(deals []Deal, most uint64) string {
	var b strings.Builder
	ended := 0
	for _, d := range deals {
		if d.Ended {
			ended++
		}
	}
	fmt.Fprintf(&b, "%d deals, of which %d ended within %s leaves.\n\n", len(deals), ended, power(most))
	b.WriteString("| leaves below | deals | cumulative share |\n|---|---|---|\n")
	sum := 0
	for exponent := 1; sum < ended; exponent++ {
		n := 0
		for _, d := range deals {
			if d.Ended && d.Leaves >= uint64(math.Pow10(exponent-1)) && d.Leaves < uint64(math.Pow10(exponent)) {
				n++
			}
		}
		sum += n
		fmt.Fprintf(&b, "| 10<sup>%d</sup> | %d | %.1f %% |\n", exponent, n, 100*float64(sum)/float64(len(deals)))
	}
	b.WriteString("\n| declarers | forest | deals | ended | median leaves | 5 % | 95 % | median nodes of our search |\n" +
		"|---|---|---|---|---|---|---|---|\n")
	for _, won := range []bool{true, false} {
		for _, right := range []bool{true, false} {
			group(&b, deals, won, right)
		}
	}
	return b.String()
}

// group writes the row of one of the four groups of Figure 3. A deal that was given up counts as the limit, so quantiles above it are
// lower bounds.
func group(b *strings.Builder, deals []Deal, won, right bool) {
	var leaves, nodes []uint64
	ended := 0
	for _, d := range deals {
		if d.Won != won || d.Right != right {
			continue
		}
		leaves, nodes = append(leaves, d.Leaves), append(nodes, d.Nodes)
		if d.Ended {
			ended++
		}
	}
	words := map[bool][2]string{true: {"win", "right"}, false: {"lose", "wrong"}}
	fmt.Fprintf(b, "| %s | %s | %d | %d |", words[won][0], words[right][1], len(leaves), ended)
	slices.Sort(leaves)
	slices.Sort(nodes)
	for _, q := range []float64{0.5, 0.05, 0.95} {
		fmt.Fprintf(b, " %d |", quantile(leaves, q))
	}
	fmt.Fprintf(b, " %d |\n", quantile(nodes, 0.5))
}

// quantile returns the quantile of sorted numbers by nearest rank, or 0 if there are none.
func quantile(sorted []uint64, share float64) uint64 {
	if len(sorted) == 0 {
		return 0
	}
	return sorted[max(0, int(math.Ceil(share*float64(len(sorted))))-1)]
}

// power formats a number in decimal, with commas.
func power(n uint64) string {
	text := fmt.Sprint(n)
	for i := len(text) - 3; i > 0; i -= 3 {
		text = text[:i] + "," + text[i:]
	}
	return text
}
