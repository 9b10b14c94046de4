package main

import (
	"context"
	"flag"
	"fmt"
	"os"
	"runtime"
	"strings"

	"roem/internal/cli"
	"roem/internal/lab/klaverjas/beliefnet"
	"roem/internal/lab/klaverjas/games"
	"roem/internal/lab/klaverjas/holders"
	"roem/internal/model/klaverjas/belief"
)

func beliefCompareCommand() cli.Command {
	return cli.Command{
		Name: "belief-compare", Args: "FILE ...",
		Short: "compares beliefs with forests and logistic regression, trained on games",
		Long: `Trains multi-output random forests and a logistic regression on files of roem-lab klaverjas games, and measures them,
exact uniform knowledge and the embedded network of beliefs on the games of -held, whose deals must not be among the
others. It writes Markdown tables: the log score of a card by the trick, paired gains, Brier scores, calibration
errors, and accuracy, precision, recall and F1 by seat. -csv writes all figures.`,
		Setup: func(flags *flag.FlagSet) func(context.Context, cli.Stdio, []string) error {
			var (
				s           = holders.Settings{}
				held        = flags.String("held", "", "the `files` of the games to measure on, separated by commas")
				file        = flags.String("model", "", "a `file` of weights in place of the embedded ones")
				out         = flags.String("csv", "", "the `file` to write all figures to")
				simulations = flags.Int("simulations", 20, "simulate the error of a calibrated estimate `n` times")
			)
			flags.IntVar(&s.Views, "views", 20_000, "train on `n` views, drawn at random")
			flags.IntVar(&s.Trees, "trees", 50, "the `number` of trees of a forest")
			flags.IntVar(&s.MinLeaf, "min-leaf", 10, "the least `number` of rows of a leaf")
			flags.Float64Var(&s.Ridge, "ridge", 1e-4, "the `ridge` of the regression")
			flags.IntVar(&s.Workers, "workers", runtime.GOMAXPROCS(0), "use `n` cores")
			seed := cli.SeedFlag(flags)
			return func(ctx context.Context, std cli.Stdio, args []string) error {
				switch {
				case *held == "":
					return cli.Usagef("-held is missing")
				case s.Views < 1 || s.Trees < 1 || s.MinLeaf < 1 || s.Workers < 1 || !(s.Ridge > 0):
					return cli.Usagef("expected -views, -trees, -min-leaf and -workers from 1, and a positive -ridge")
				}
				train, err := readGames(args)
				if err != nil {
					return err
				}
				test, err := readGames(strings.Split(*held, ","))
				if err != nil {
					return err
				}
				if err := separate(train, test); err != nil {
					return err
				}
				network, err := readBelief(*file)
				if err != nil {
					return err
				}
				s.Seed = seed.Value
				results, err := compareBeliefs(ctx, std, network, train, test, s, *simulations)
				if err != nil {
					return err
				}
				if *out != "" {
					if err := writeDocument(*out, holders.CSV(results)); err != nil {
						return cli.Plain(err)
					}
				}
				_, err = fmt.Fprint(std.Out, holders.Markdown(results))
				return cli.Writing(err)
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

// readBelief reads the weights of a file, or returns the embedded network if there is no name.
func readBelief(name string) (*belief.Network, error) {
	if name == "" {
		return belief.Default()
	}
	text, err := os.ReadFile(name) //nolint:gosec // the user names the file
	if err != nil {
		return nil, cli.UsageError{Err: cli.Plain(err)}
	}
	return belief.Decode(text)
}
