package main

import (
	"context"
	"flag"
	"fmt"
	"math"

	"roem/internal/cli"
	"roem/internal/engine/klaverjas"
	"roem/internal/engine/klaverjas/search"
	game "roem/internal/service/klaverjas"
	"roem/internal/service/klaverjas/hybrid"
	"roem/lab/klaverjas/dataset"
	"roem/lab/klaverjas/tradeoff"
)

// measuredSets reads the first n deals of each set, and searches them again.
func measuredSets(ctx context.Context, std cli.Stdio, dirs []string, n int) ([]tradeoff.Set, error) {
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
			Name: string(data.Settings.Sampling), Seed: data.Settings.Seed, Measured: deals, Predict: took,
			Interrupt: tradeoff.NewInterrupt(ctx, search.DefaultTableBytes),
		}
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

func routesCommand() cli.Command {
	return cli.Command{
		Name: "routes", Args: "DIR ...",
		Short: "measures the routes of the hybrid: by the suit distribution, by doubt, and auto",
		Long: `Reads data sets of goal win, on which the model must not have been trained, predicts every deal, and searches
it again to measure the time on one core of this machine. It writes Markdown tables: how well the suit distribution says how long a search
takes, and the accuracy of each route for several budgets, of a deal and of a list. With -out it writes accuracy against
time as CSV and SVG.`,
		Setup: func(flags *flag.FlagSet) func(context.Context, cli.Stdio, []string) error {
			var (
				n   = cli.Number(flags, "n", 20_000, 1, math.MaxInt, "read the first `n` deals of each set")
				out = flags.String("out", "", "the `directory` to write the curves to")
			)
			return func(ctx context.Context, std cli.Stdio, args []string) error {
				sets, err := measuredSets(ctx, std, args, *n)
				if err != nil {
					return err
				}
				if *out != "" {
					if err := writeFiles(*out, tradeoff.RoutesFiles(sets)); err != nil {
						return err
					}
				}
				text, err := tradeoff.RoutesMarkdown(sets)
				if err != nil {
					return err
				}
				return cli.Print(std, text)
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
