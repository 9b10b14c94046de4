package main

import (
	"context"
	"flag"
	"io"
	"time"

	"roem/internal/cli"
	"roem/internal/model/klaverjas/forest"
	"roem/internal/service/klaverjas"
	"roem/lab/klaverjas/dataset"
	"roem/lab/klaverjas/leaves"
)

func leavesCommand() cli.Command {
	return cli.Command{
		Name: "leaves", Needs: []string{"data", "forest"},
		Short: "counts the leaves of the paper's search: Figures 1 and 3 in the unit of the paper",
		Long: `Solves the first deals of a data set by the search of the paper, plain alpha-beta without a transposition table and with its one
cut-off, and counts the leaves. A deal with more leaves than -most is given up, and the tables say how many ended. The outcome of each deal
that ended is compared with this project's search. The forest, which must not have been trained on the deals, divides them as in Figure 3.

  roem-lab klaverjas leaves -data data/test -forest klaverjas.forest

With the defaults it takes at most a quarter of an hour on 2 cores: 10,000,000,000 leaves, some 6,000,000 in a second on a core.`,
		Setup: func(flags *flag.FlagSet) func(context.Context, cli.Stdio, []string) error {
			var data, file string
			var most int
			o := leaves.Options{Deals: 100}
			flags.StringVar(&data, "data", "", "the `directory` of the data set")
			flags.StringVar(&file, "forest", "", "the `file` of the forest")
			most = 100_000_000
			cli.NumberFlag(flags, &o.Deals, "n", 1, 1_000_000, "the first `n` deals of the set")
			cli.NumberFlag(flags, &most, "most", 1, 1_000_000_000_000, "the `leaves` after which a deal is given up")
			cli.WorkersFlag(flags, &o.Workers, "solve `n` deals at a time, each on one core")
			return func(ctx context.Context, std cli.Stdio, _ []string) error {
				o.Most = uint64(most)
				return countLeaves(ctx, std, data, file, o)
			}
		},
	}
}

func countLeaves(ctx context.Context, std cli.Stdio, data, file string, o leaves.Options) error {
	set, err := dataset.Open(data)
	if err != nil {
		return cli.Plain(err)
	}
	models, err := klaverjas.OpenForest(file, forest.Forest)
	if err != nil {
		return cli.Plain(err)
	}
	m := newMeter(std.Err, "roem-lab klaverjas leaves", "deals", o.Deals, 10*time.Second)
	o.Done = m.add
	deals, err := leaves.Run(ctx, set, models[0], o)
	m.stop()
	if err != nil {
		return err
	}
	_, err = io.WriteString(std.Out, leaves.Report(deals, o.Most))
	return cli.Writing(err)
}
