package main

import (
	"context"
	"flag"
	"fmt"
	"slices"

	"roem/internal/cli"
	"roem/internal/engine/klaverjas"
	"roem/internal/engine/klaverjas/search"
	"roem/internal/lab/klaverjas/dataset"
	"roem/internal/lab/klaverjas/tradeoff"
	game "roem/internal/service/klaverjas"
	"roem/internal/service/klaverjas/hybrid"
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
				n      = flags.Int("n", 0, "read the first `n` deals of each set (default all)")
				sample = flags.Int("sample", 20_000, "search the first `n` deals of each set")
				out    = flags.String("out", "", "the `directory` to write the tradeoffs to")
			)
			return func(ctx context.Context, std cli.Stdio, args []string) error {
				switch {
				case len(args) == 0:
					return cli.Usagef("no data set: give their directories")
				case *n < 0:
					return cli.Usagef("-n %d: expected 0 or more", *n)
				case *sample < 1:
					return cli.Usagef("-sample %d: expected at least 1", *sample)
				}
				return measureTradeoff(ctx, std, args, *n, *sample, *out)
			}
		},
	}
}

func measureTradeoff(ctx context.Context, std cli.Stdio, dirs []string, n, sample int, out string) error {
	predict, err := defaultPredict()
	if err != nil {
		return err
	}
	var sets []tradeoff.Set
	for _, dir := range dirs {
		data, err := dataset.Open(dir)
		if err != nil {
			return err
		}
		deals, took, err := tradeoff.Read(data, n, predict)
		if err != nil {
			return fmt.Errorf("%s: %w", dir, err)
		}
		set := tradeoff.Set{
			Name: string(data.Settings.Sampling), Seed: data.Settings.Seed, Deals: deals, Predict: took,
			Interrupt: tradeoff.NewInterrupt(ctx, search.DefaultTableBytes),
		}
		set.Measured = slices.Clone(deals[:min(sample, len(deals))])
		var bar *cli.Progress
		if cli.IsTerminal(std.Err) {
			bar = cli.NewProgress(std.Err, "deals", int64(len(set.Measured)), cli.ProgressDelay)
		}
		err = tradeoff.Measure(ctx, set.Measured, search.DefaultTableBytes, func() { bar.Add(1) })
		bar.Stop()
		if err != nil {
			return fmt.Errorf("%s: %w", dir, err)
		}
		sets = append(sets, set)
	}
	if out != "" {
		if err := writeFiles(out, tradeoff.Files(sets)); err != nil {
			return err
		}
	}
	text, err := tradeoff.Markdown(sets)
	if err != nil {
		return err
	}
	_, err = std.Out.Write(text)
	return cli.Writing(err)
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
