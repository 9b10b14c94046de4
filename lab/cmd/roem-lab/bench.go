package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"math"
	"os"
	"runtime/pprof"
	"strconv"
	"strings"

	"roem/internal/cli"
	"roem/internal/engine/klaverjas"
	"roem/internal/engine/klaverjas/dealstest"
	"roem/internal/engine/klaverjas/search"
	"roem/lab/klaverjas/bench"
)

// benchSeed is the seed of the figures in the documentation.
const benchSeed = 1

func benchCommand() cli.Command {
	return cli.Command{
		Name:  "bench",
		Short: "measures the search on this machine",
		Long: `Solves sets of deals one after the other, on one core, each with an empty table, and writes a Markdown table of milliseconds
and nodes (cards played by the search): mean, median, 99th percentile and maximum. The sets are
  uniform        random deals with random trump, leader and declarers
  class-uniform  deals of random suit-distribution classes, with more uneven suit lengths; the leader's team declares
  hard           20 deals for which the search takes longest`,
		Setup: func(flags *flag.FlagSet) func(context.Context, cli.Stdio, []string) error {
			var (
				n      = cli.Number(flags, "n", 100, 1, math.MaxInt, "the number of `deals` of each set; the set hard has only 20")
				asJSON = flags.Bool("json", false, "write JSON instead of Markdown")
				prof   = flags.String("cpuprofile", "", "write a CPU profile to this `file`, for go tool pprof")
				sets   = dealstest.Sets()
				goals  = bench.Goals()
				seed   = flags.Uint64("seed", benchSeed, "the `number` that the deals are drawn from")
			)
			listFlag(flags, "set", "the sets of deals to measure: a `list` of any of uniform,class-uniform,hard (default all)", &sets,
				dealstest.ParseSet)
			listFlag(flags, "goal", "the goals to measure: a `list` of any of win,value,moves (default all)", &goals, search.ParseGoal)
			return func(ctx context.Context, std cli.Stdio, _ []string) error {
				r := bench.NewReport(version, strconv.FormatUint(*seed, 10))
				stop, err := startProfile(*prof)
				if err != nil {
					return err
				}
				err = errors.Join(measure(ctx, std, &r, sets, goals, *n, *seed), stop())
				// After an interruption, the results so far are written.
				if failed := writeReport(std, r, *asJSON); err == nil {
					err = failed
				}
				return err
			}
		},
	}
}

// startProfile writes a CPU profile to the file at the path, if the path is not empty, until the returned function is called.
func startProfile(path string) (stop func() error, err error) {
	if path == "" {
		return func() error { return nil }, nil
	}
	file, err := os.Create(path) //nolint:gosec // the user names the file
	if err != nil {
		return nil, fmt.Errorf("making the profile: %w", err)
	}
	if err := pprof.StartCPUProfile(file); err != nil {
		return nil, errors.Join(fmt.Errorf("starting the profile: %w", err), file.Close())
	}
	return func() error {
		pprof.StopCPUProfile()
		return file.Close()
	}, nil
}

// listFlag adds a flag whose value is a list with commas.
func listFlag[T any](flags *flag.FlagSet, name, usage string, to *[]T, parse func(string) (T, error)) {
	flags.Func(name, usage, func(text string) error {
		*to = nil
		for word := range strings.SplitSeq(text, ",") {
			value, err := parse(word)
			if err != nil {
				return err
			}
			*to = append(*to, value)
		}
		return nil
	})
}

func measure(
	ctx context.Context, std cli.Stdio, r *bench.Report, sets []dealstest.Set, goals []search.Goal, n int, seed uint64,
) error {
	deals := make(map[dealstest.Set][]klaverjas.Position)
	total := 0
	for _, set := range sets {
		drawn, err := dealstest.Deals(set, n, seed)
		if err != nil {
			return err
		}
		deals[set] = drawn
		total += len(drawn) * len(goals)
	}
	p := cli.TerminalProgress(std, "deals", total)
	defer p.Stop()
	for _, set := range sets {
		for _, goal := range goals {
			row, err := bench.Measure(ctx, set, goal, deals[set], func() { p.Add(1) })
			if err != nil {
				return err
			}
			r.Rows = append(r.Rows, row)
		}
	}
	return nil
}

func writeReport(std cli.Stdio, r bench.Report, asJSON bool) error {
	if !asJSON {
		return cli.Writing(r.Markdown(std.Out))
	}
	text, err := cli.Encode(r)
	if err != nil {
		return err
	}
	return cli.Print(std, text)
}
