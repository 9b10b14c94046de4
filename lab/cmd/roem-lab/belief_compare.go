package main

import (
	"context"
	"flag"
	"fmt"
	"math"
	"strings"

	"roem/internal/cli"
	"roem/internal/model/klaverjas/belief"
	"roem/lab/klaverjas/beliefnet"
	"roem/lab/klaverjas/games"
	"roem/lab/klaverjas/holders"
)

func beliefCompareCommand() cli.Command {
	return cli.Command{
		Name: "belief-compare", Args: "FILE ...", Needs: []string{"held"},
		Short: "compares beliefs with forests and logistic regression, trained on games",
		Long: `Trains multi-output random forests and a logistic regression on files of roem-lab klaverjas games, and measures them,
exact uniform knowledge and the embedded network of beliefs on the games of -held, whose deals must not be among the
others. It writes Markdown tables: the log score of a card by the trick, paired gains, Brier scores, calibration
errors, and accuracy, precision, recall and F1 by seat. -csv writes all figures.`,
		Setup: func(flags *flag.FlagSet) func(context.Context, cli.Stdio, []string) error {
			var (
				s           = holders.Settings{Views: 20_000, Trees: 50, MinLeaf: 10}
				held        = flags.String("held", "", "the `files` of the games to measure on, separated by commas")
				file        = flags.String("model", "", "a `file` of weights in place of the embedded ones")
				out         = flags.String("csv", "", "the `file` to write all figures to")
				simulations = flags.Int("simulations", 20, "simulate the error of a calibrated estimate `n` times")
			)
			cli.NumberFlag(flags, &s.Views, "views", 1, math.MaxInt, "train on `n` views, drawn at random")
			cli.NumberFlag(flags, &s.Trees, "trees", 1, math.MaxInt, "the `number` of trees of a forest")
			cli.NumberFlag(flags, &s.MinLeaf, "min-leaf", 1, math.MaxInt, "the least `number` of rows of a leaf")
			flags.Float64Var(&s.Ridge, "ridge", 1e-4, "the `ridge` of the regression")
			cli.WorkersFlag(flags, &s.Workers, "use `n` cores")
			seed := seedFlag(flags)
			return func(ctx context.Context, std cli.Stdio, args []string) error {
				if !(s.Ridge > 0) {
					return cli.Usagef("-ridge %g: expected a positive number", s.Ridge)
				}
				train, err := readRows(args, games.Read)
				if err != nil {
					return err
				}
				test, err := readRows(strings.Split(*held, ","), games.Read)
				if err != nil {
					return err
				}
				if err := separate(train, test); err != nil {
					return err
				}
				network, err := readWeights(*file, belief.Default, belief.Decode)
				if err != nil {
					return err
				}
				s.Seed = *seed
				results, err := compareBeliefs(ctx, std, network, train, test, s, *simulations)
				if err != nil {
					return err
				}
				if *out != "" {
					if err := writeDocument(*out, holders.CSV(results)); err != nil {
						return cli.Plain(err)
					}
				}
				return cli.Print(std, holders.Markdown(results))
			}
		},
	}
}

// compareBeliefs trains the models and measures the estimators.
func compareBeliefs(
	ctx context.Context, std cli.Stdio, n *belief.Network, train, test []games.Game, s holders.Settings, simulations int,
) ([]holders.Result, error) {
	views, err := beliefnet.Views(test, s.Seed)
	if err != nil {
		return nil, err
	}
	var results []holders.Result
	measure := func(e beliefnet.Estimator) error {
		_, _ = fmt.Fprintf(std.Err, "measuring %s\n", e.Name)
		scores, err := beliefnet.Measure(e, &views, s.Seed, simulations)
		results = append(results, holders.Result{Name: e.Name, Scores: scores})
		return err
	}
	if err := measure(beliefnet.Uniform()); err != nil {
		return nil, err
	}
	for _, kind := range []struct {
		name  string
		train func() (holders.Model, error)
	}{
		{"forest of views", func() (holders.Model, error) { return holders.TrainViewForest(ctx, train, s) }},
		{"forest", func() (holders.Model, error) { return holders.TrainForest(ctx, train, s) }},
		{"logistic", func() (holders.Model, error) { return holders.TrainLogistic(ctx, train, s) }},
	} {
		_, _ = fmt.Fprintf(std.Err, "training %s\n", kind.name)
		m, err := kind.train()
		if err != nil {
			return nil, err
		}
		for _, e := range []beliefnet.Estimator{holders.Masked(kind.name+", masked", m), holders.Exact(kind.name+", exact", m)} {
			if err := measure(e); err != nil {
				return nil, err
			}
		}
	}
	err = measure(beliefnet.Belief("network", n))
	return results, err
}

// separate returns an error if a deal is in both sets of games.
func separate(train, test []games.Game) error {
	seen := make(map[any]struct{}, len(train))
	for i := range train {
		seen[train[i].Deal.Hands] = struct{}{}
	}
	for i := range test {
		if _, both := seen[test[i].Deal.Hands]; both {
			return fmt.Errorf("the deal of game %d of -held is among those to train on", i)
		}
	}
	return nil
}
