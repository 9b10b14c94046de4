package main

import (
	"context"
	"flag"
	"math"

	"roem/internal/cli"
	"roem/internal/engine/belote/compare"
	"roem/internal/engine/belote/search"
	"roem/lab/belote"
	"roem/lab/speed"
)

func beloteCommand() cli.Command {
	return cli.Command{
		Name: "compare", Needs: []string{"out"},
		Short: "repeats the paper's experiment on Belote Découverte: the states of each algorithm over drawn deals",
		Long: `Repeats section 3.1 of "Solving Fixed-Trump Belote Découverte" over drawn deals: the states that minimax,
alpha-beta and the search with a table generate for deals of one to four suits, for points and for the contract,
without forward pruning (figure 3.1) and with it (figure 3.2). Minimax of three suits is counted, not searched. It
writes counts.csv, figure-3-1.svg and figure-3-2.svg. The same seed gives the same files.`,
		Setup: func(flags *flag.FlagSet) func(context.Context, cli.Stdio, []string) error {
			out := flags.String("out", "", "the `directory` to write to")
			deals := cli.Number(flags, "n", 31, 1, math.MaxInt, "the number of `deals` to draw for each number of suits")
			limit := flags.Uint64("limit", 5_000_000, "end a search of four suits after this number of `states`; its count is then the limit")
			seed := seedFlag(flags)
			return func(ctx context.Context, std cli.Stdio, _ []string) error {
				s := search.New(search.Options{})
				few := compare.Experiment{Suits: []int{1, 2, 3}, Deals: *deals, Seed: *seed}
				rows, err := few.Run(ctx, s, nil, nil)
				if err != nil {
					return err
				}
				four := compare.Experiment{Suits: []int{4}, Deals: *deals, Seed: *seed, Limit: *limit}
				more, err := four.Run(ctx, s, nil, nil)
				if err != nil {
					return err
				}
				rows = append(rows, more...)
				if err := writeFiles(*out, map[string][]byte{
					"counts.csv": belote.CSV(rows), "figure-3-1.svg": belote.Figure(rows, false), "figure-3-2.svg": belote.Figure(rows, true),
				}); err != nil {
					return err
				}
				return cli.Print(std, belote.CSV(rows))
			}
		},
	}
}

func beloteSpeedCommand() cli.Command {
	return cli.Command{
		Name:  "speed",
		Short: "how long the exact search of Belote Découverte takes, and how many states it makes",
		Long: `Solves random deals of four suits for points and for the contract, and prints the mean, the median, the 99th
percentile and the worst of the times and of the states.`,
		Setup: func(flags *flag.FlagSet) func(context.Context, cli.Stdio, []string) error {
			n := cli.Number(flags, "n", 1000, 1, math.MaxInt, "the number of `deals`")
			cpu := flags.Bool("cpu", false, "measure processor time, for a machine that is not quiet")
			seed := seedFlag(flags)
			return func(ctx context.Context, std cli.Stdio, _ []string) error {
				return cli.Writing(belote.Speed(ctx, speed.Table{Out: std.Out, Clock: speed.Clock(*cpu)}, *n, *seed))
			}
		},
	}
}
