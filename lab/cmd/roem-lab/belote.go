package main

import (
	"context"
	"flag"
	"math"
	"syscall"
	"time"

	"roem/internal/cli"
	"roem/internal/engine/belote/compare"
	"roem/internal/engine/belote/search"
	"roem/lab/belote"
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

func belotePaperCommand() cli.Command {
	return cli.Command{
		Name:  "paper",
		Short: "where the deal of the paper on Belote Découverte lies among drawn deals",
		Long: `Counts the states of the paper's alpha-beta over drawn deals, without and with forward pruning, and prints how
many searches ended at the limit. For four suits and the contract it also prints how many took at most as many states as
the paper's deal: 4,066,474 and 3,669,142. The deals are the first deals of roem-lab belote compare.`,
		Setup: func(flags *flag.FlagSet) func(context.Context, cli.Stdio, []string) error {
			e := compare.Experiment{}
			deals := cli.Number(flags, "n", 300, 1, math.MaxInt, "the number of `deals` to draw")
			suits := cli.Number(flags, "suits", 4, 1, 4, "the number of `suits`, 1 to 4")
			flags.Uint64Var(&e.Limit, "limit", 5_000_000, "end a search after this number of `states`, which is then its count; 0 for no limit")
			flags.BoolVar(&e.Infinite, "infinite", false, "start from an infinite window")
			utility := search.Contract
			flags.Func("utility", "what is searched: contract (the default) or `points`", func(text string) (err error) {
				utility, err = search.ParseUtility(text)
				return err
			})
			seed := seedFlag(flags)
			return func(ctx context.Context, std cli.Stdio, _ []string) error {
				e.Suits, e.Deals, e.Seed = []int{*suits}, *deals, *seed
				for _, pruning := range []bool{false, true} {
					e.Only = append(e.Only, compare.Way{Algorithm: search.AlphaBeta, Utility: utility, Pruning: pruning})
				}
				rows, err := e.Run(ctx, search.New(search.Options{}), nil, nil)
				if err != nil {
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
percentile and the worst of the times and of the states, and how many deals took fewer states than the deal of the
paper (3,669,142).`,
		Setup: func(flags *flag.FlagSet) func(context.Context, cli.Stdio, []string) error {
			n := cli.Number(flags, "n", 1000, 1, math.MaxInt, "the number of `deals`")
			cpu := flags.Bool("cpu", false, "measure processor time, for a machine that is not quiet")
			seed := seedFlag(flags)
			return func(ctx context.Context, std cli.Stdio, _ []string) error {
				return cli.Writing(belote.Speed(ctx, std.Out, *n, *seed, clockOf(*cpu)))
			}
		},
	}
}

func beloteHiddenCommand() cli.Command {
	return cli.Command{
		Name:  "hidden",
		Short: "how far exact searches of worlds are from expectimax while cards are face down, in Belote Découverte",
		Long: `Plays random deals with the player simple. Of every view with two or more cards face down in which package
advice computes expectimax and more than one card is legal, it searches all worlds, and computes expectimax. It prints
a row for each utility and number of cards face down: the mean of how much better the best mean over the worlds is
than expectimax for the player to move, with its standard error over the deals, the share of the views in which they
differ, what the card of the worlds costs by expectimax, and the most states of an expectimax.`,
		Setup: func(flags *flag.FlagSet) func(context.Context, cli.Stdio, []string) error {
			n := cli.Number(flags, "n", 300, 1, math.MaxInt, "the number of `deals`")
			suits := cli.Number(flags, "suits", 4, 1, 4, "the number of `suits`, 1 to 4")
			most := flags.Int("left", 14, "leave out views with more cards `left` to play")
			seed := seedFlag(flags)
			return func(ctx context.Context, std cli.Stdio, _ []string) error {
				return cli.Writing(belote.Hidden(ctx, std.Out, *n, *suits, *most, *seed))
			}
		},
	}
}

// processorTime returns the time that the process has used in user mode.
func processorTime() time.Duration {
	var usage syscall.Rusage
	if syscall.Getrusage(syscall.RUSAGE_SELF, &usage) != nil {
		return 0
	}
	return time.Duration(usage.Utime.Nano())
}
