// Command paperleaves solves deals by the paper's own method, plain alpha-beta without a table or any heuristics
// (section 4.2), and by Roem's search, and compares the leaves of the one with the nodes of the other:
//
//	go run ./internal/bench/paperleaves
//
// A deal whose leaves exceed the limit is given up. docs/search.md shows the result. The two values of every deal are
// compared too, and differing ones are an error.
package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"math"
	"os"
	"slices"
	"time"

	"roem/internal/bench"
	"roem/internal/engine/klaverjas"
	"roem/internal/engine/klaverjas/search"
)

func main() {
	var o options
	flag.IntVar(&o.uniform, "uniform", 250, "how many uniform `deals`")
	flag.IntVar(&o.classUniform, "class-uniform", 150, "how many class-uniform `deals`")
	flag.Uint64Var(&o.seed, "seed", 1, "the `number` that the deals are drawn from")
	flag.Uint64Var(&o.most, "most", 20_000_000, "the `leaves` after which a deal is given up")
	flag.BoolVar(&o.backwards, "backwards", false, "try the cards in the opposite order, the strongest spade first")
	flag.BoolVar(&o.verbose, "v", false, "write a line for each deal to standard error")
	flag.Parse()
	if err := run(context.Background(), os.Stdout, os.Stderr, o); err != nil {
		fmt.Fprintf(os.Stderr, "paperleaves: %v\n", err)
		os.Exit(1) //nolint:forbidigo // this is main
	}
}

type options struct {
	uniform, classUniform int
	seed, most            uint64
	backwards, verbose    bool
}

// comparison is what was counted of one deal.
type comparison struct {
	leaves     uint64
	finished   bool
	win, value uint64 // nodes
}

func run(ctx context.Context, out, log io.Writer, o options) error {
	if o.uniform < 1 || o.classUniform < 1 {
		return errors.New("expected at least one deal of each set")
	}
	var compared [2][]comparison
	for i, set := range []bench.Set{bench.Uniform, bench.ClassUniform} {
		deals, err := bench.Deals(set, []int{o.uniform, o.classUniform}[i], o.seed)
		if err != nil {
			return err
		}
		began := time.Now()
		for k, deal := range deals {
			c, err := compare(ctx, deal, o)
			if err != nil {
				return fmt.Errorf("%s deal %d: %w", set, k+1, err)
			}
			compared[i] = append(compared[i], c)
			if o.verbose {
				if _, err := fmt.Fprintf(log, "%s %d: %+v\n", set, k+1, c); err != nil {
					return err
				}
			}
		}
		if _, err := fmt.Fprintf(log, "%s: %v\n", set, time.Since(began).Round(time.Second)); err != nil {
			return err
		}
	}
	return write(out, compared, o)
}

// compare solves a deal both ways, each time with a cold table.
func compare(ctx context.Context, deal klaverjas.Position, o options) (c comparison, err error) {
	var results [2]search.Result
	for i, goal := range []search.Goal{search.Win, search.Value} {
		results[i], err = search.New(search.Options{}).Solve(ctx, search.Query{Position: deal, Goal: goal})
		if err != nil {
			return c, err
		}
	}
	win, value := results[0], results[1]
	// Some deals are decided without a search: one node, so that ratios exist.
	c.win, c.value = max(win.Nodes, 1), max(value.Nodes, 1)
	p, err := newPlain(deal, o.backwards, o.most)
	if err != nil {
		return c, err
	}
	outcome, leaves, err := p.solve()
	c.leaves, c.finished = leaves, err == nil
	switch {
	case errors.Is(err, errTooLong):
		return c, nil
	case err != nil:
		return c, err
	case outcome != value.Outcome || win.Won != (outcome > 0):
		return c, fmt.Errorf("plain alpha-beta says %d, the search %d and won %v", outcome, value.Outcome, win.Won)
	}
	return c, nil
}

// write writes a column for each set.
func write(out io.Writer, compared [2][]comparison, o options) error {
	order := "C D H S, the weakest card of a suit first"
	if o.backwards {
		order = "S H D C, the strongest card of a suit first"
	}
	if _, err := fmt.Fprintf(out, "Seed %d; cards in the order %s; at most %d leaves a deal.\n\n", o.seed, order, o.most); err != nil {
		return err
	}
	leaves := func(c comparison) float64 { return float64(c.leaves) }
	win := func(c comparison) float64 { return float64(c.win) }
	value := func(c comparison) float64 { return float64(c.value) }
	toWin := func(c comparison) float64 { return float64(c.leaves) / float64(c.win) }
	toValue := func(c comparison) float64 { return float64(c.leaves) / float64(c.value) }
	var done [2][]comparison
	for i, all := range compared {
		for _, c := range all {
			if c.finished {
				done[i] = append(done[i], c)
			}
		}
	}
	number := func(of []comparison) float64 { return float64(len(of)) }
	rows := []struct {
		name string
		of   *[2][]comparison
		cell func([]comparison) float64
	}{
		{"deals", &compared, number},
		{"finished", &done, number},
		{"of those: leaves, mean", &done, func(of []comparison) float64 { return mean(of, leaves) }},
		{"leaves, median", &done, func(of []comparison) float64 { return median(of, leaves) }},
		{"nodes for `win`, mean", &done, func(of []comparison) float64 { return mean(of, win) }},
		{"nodes for `win`, median", &done, func(of []comparison) float64 { return median(of, win) }},
		{"nodes for `value`, mean", &done, func(of []comparison) float64 { return mean(of, value) }},
		{"nodes for `value`, median", &done, func(of []comparison) float64 { return median(of, value) }},
		{"leaves a node for `win`, geometric mean", &done, func(of []comparison) float64 { return geometricMean(of, toWin) }},
		{"leaves a node for `win`, median", &done, func(of []comparison) float64 { return median(of, toWin) }},
		{"leaves a node for `value`, geometric mean", &done, func(of []comparison) float64 { return geometricMean(of, toValue) }},
		{"leaves a node for `value`, median", &done, func(of []comparison) float64 { return median(of, toValue) }},
		// A deal that was given up has more leaves than were counted.
		{"all deals: leaves a node for `win`, geometric mean, at least", &compared, func(of []comparison) float64 { return geometricMean(of, toWin) }},
		{"leaves a node for `value`, geometric mean, at least", &compared, func(of []comparison) float64 { return geometricMean(of, toValue) }},
	}
	if _, err := fmt.Fprintf(out, "| | %s | %s |\n|---|---:|---:|\n", bench.Uniform, bench.ClassUniform); err != nil {
		return err
	}
	for _, row := range rows {
		if _, err := fmt.Fprintf(out, "| %s | %.0f | %.0f |\n", row.name, row.cell(row.of[0]), row.cell(row.of[1])); err != nil {
			return err
		}
	}
	return nil
}

func median(of []comparison, f func(comparison) float64) float64 {
	if len(of) == 0 {
		return math.NaN()
	}
	v := make([]float64, 0, len(of))
	for _, c := range of {
		v = append(v, f(c))
	}
	slices.Sort(v)
	return (v[(len(v)-1)/2] + v[len(v)/2]) / 2
}

func mean(of []comparison, f func(comparison) float64) float64 {
	sum := 0.0
	for _, c := range of {
		sum += f(c)
	}
	return sum / float64(len(of))
}

func geometricMean(of []comparison, f func(comparison) float64) float64 {
	return math.Exp(mean(of, func(c comparison) float64 { return math.Log(f(c)) }))
}
