package main

import (
	"context"
	"flag"
	"fmt"
	"math"
	"slices"

	"roem/internal/cli"
	"roem/internal/engine/klaverjas"
	"roem/internal/engine/klaverjas/search"
	game "roem/internal/service/klaverjas"
	"roem/internal/service/klaverjas/hybrid"
	"roem/lab/klaverjas/dataset"
	"roem/lab/klaverjas/tradeoff"
)

func tradeoffCommand() cli.Command {
	return cli.Command{
		Name: "tradeoff", Args: "DIR ...",
		Short: "measures the accuracy and the cost of the model, the search and the hybrid",
		Long: `Reads data sets of goal win, on which the model must not have been trained, predicts every deal, and searches
a part of the deals again to measure the time on one core of this machine. It writes Markdown tables with the accuracy
of the model alone, of the search alone and of the hybrid for several confidences and budgets, with the time and the
cards played. With -out it writes the tradeoffs, accuracy against cards played for every threshold, as CSV and SVG.`,
		Setup: func(flags *flag.FlagSet) func(context.Context, cli.Stdio, []string) error {
			var (
				n      = cli.Number(flags, "n", 0, 0, math.MaxInt, "read the first `n` deals of each set (default all)")
				sample = cli.Number(flags, "sample", 20_000, 1, math.MaxInt, "search the first `n` deals of each set")
				out    = flags.String("out", "", "the `directory` to write the tradeoffs to")
			)
			return func(ctx context.Context, std cli.Stdio, args []string) error {
				return measureTradeoff(ctx, std, args, *n, *sample, *out)
			}
		},
	}
}

func measureTradeoff(ctx context.Context, std cli.Stdio, dirs []string, n, sample int, out string) error {
	sets, err := measuredSets(ctx, std, dirs, n, sample)
	if err != nil {
		return err
	}
	return report(std, sets, out, tradeoff.Files, tradeoff.Markdown)
}

// measuredSets reads the first n deals of each set, and searches the first of them again.
func measuredSets(ctx context.Context, std cli.Stdio, dirs []string, n, sample int) ([]tradeoff.Set, error) {
	predict, err := defaultPredict()
	if err != nil {
		return nil, err
	}
	var sets []tradeoff.Set
	for _, dir := range dirs {
		data, err := dataset.Open(dir)
		if err != nil {
			return nil, err
		}
		deals, took, err := tradeoff.Read(data, n, predict)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", dir, err)
		}
		set := tradeoff.Set{
			Name: string(data.Settings.Sampling), Seed: data.Settings.Seed, Deals: deals, Predict: took,
			Interrupt: tradeoff.NewInterrupt(ctx, search.DefaultTableBytes),
		}
		set.Measured = slices.Clone(deals[:min(sample, len(deals))])
		bar := cli.TerminalProgress(std, "deals", len(set.Measured))
		err = tradeoff.Measure(ctx, set.Measured, search.DefaultTableBytes, func() { bar.Add(1) })
		bar.Stop()
		if err != nil {
			return nil, fmt.Errorf("%s: %w", dir, err)
		}
		sets = append(sets, set)
	}
	return sets, nil
}

// report writes the files of the sets to the directory out, unless it is empty, and their tables to the output.
func report(
	std cli.Stdio, sets []tradeoff.Set, out string, files func([]tradeoff.Set) map[string][]byte,
	tables func([]tradeoff.Set) ([]byte, error),
) error {
	if out != "" {
		if err := writeFiles(out, files(sets)); err != nil {
			return err
		}
	}
	text, err := tables(sets)
	if err != nil {
		return err
	}
	return cli.Print(std, text)
}

func routesCommand() cli.Command {
	return cli.Command{
		Name: "routes", Args: "DIR ...",
		Short: "measures the routes of the hybrid: by the suit distribution, by doubt, and auto",
		Long: `Reads data sets of goal win, on which the model must not have been trained, predicts every deal, and searches
it again to measure the time on one core of this machine. It writes Markdown tables: how well the suit distribution says how long a search
takes, the accuracy of each route for several budgets, of a deal and of a list, and the share of deals that goes to the model by decile
of the true effort. With -out it writes accuracy against time as CSV and SVG.`,
		Setup: func(flags *flag.FlagSet) func(context.Context, cli.Stdio, []string) error {
			var (
				n   = cli.Number(flags, "n", 20_000, 1, math.MaxInt, "read the first `n` deals of each set")
				out = flags.String("out", "", "the `directory` to write the curves to")
			)
			return func(ctx context.Context, std cli.Stdio, args []string) error {
				sets, err := measuredSets(ctx, std, args, *n, *n)
				if err != nil {
					return err
				}
				return report(std, sets, *out, tradeoff.RoutesFiles, tradeoff.RoutesMarkdown)
			}
		},
	}
}

// defaultPredict returns the predictions of the embedded model.
func defaultPredict() (tradeoff.Predict, error) {
	predictor, err := game.DefaultPredictor()
	if err != nil {
		return nil, err
	}
	return func(rules klaverjas.Rules, deal klaverjas.Deal) (hybrid.Prediction, error) {
		p, _, unknown := predictor.Predict(rules, deal)
		if unknown != nil {
			return p, fmt.Errorf("no model predicts it: %s %s", unknown.Pointer, unknown.Detail)
		}
		return p, nil
	}, nil
}
