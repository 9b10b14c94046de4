package main

import (
	"context"
	"errors"
	"flag"
	"math"
	"strconv"
	"time"

	"roem/internal/cli"
	"roem/internal/engine/tarok"
	"roem/internal/engine/tarok/search"
	taroklab "roem/internal/lab/tarok"
)

// clockOf returns the wall clock, or the clock of the processor.
func clockOf(cpu bool) func() time.Duration {
	if cpu {
		return processorTime
	}
	began := time.Now()
	return func() time.Duration { return time.Since(began) }
}

func tarokEndingsCommand() cli.Command {
	return cli.Command{
		Name:  "endings",
		Short: "how long the exact search of tarok endings takes, and how many nodes it makes",
		Long: `Solves random endings with open cards, of 4 cards a hand up to -cards by two, and prints the mean, the
median, the 99th percentile and the worst of the times and of the nodes. Each ending is at the start of a trick of
three, two, one or zero, after random play.`,
		Setup: func(flags *flag.FlagSet) func(context.Context, cli.Stdio, []string) error {
			n := cli.Number(flags, "n", 200, 1, math.MaxInt, "the number of `endings` of each size")
			most := cli.Number(flags, "cards", 8, 4, 16, "the largest number of `cards` in a hand")
			cpu := flags.Bool("cpu", false, "measure processor time, for a machine that is not quiet")
			seed := seedFlag(flags)
			return func(ctx context.Context, std cli.Stdio, _ []string) error {
				var sizes []int
				for size := 4; size <= *most; size += 2 {
					sizes = append(sizes, size)
				}
				return taroklab.Endings(ctx, std.Out, sizes, *n, *seed, clockOf(*cpu))
			}
		},
	}
}

func tarokTableCommand() cli.Command {
	return cli.Command{
		Name: "table2", Needs: []string{"out"},
		Short: "repeats Table 2 of the paper on tarok: what each enhancement of the search brings",
		Long: `Repeats Table 2 of "A Program for Playing Tarok" over random deals: the nodes of a search for the first card
to a depth of 9 cards, with all enhancements, without each in turn, and with each alone. Selective moves leave out
cards that are provably not needed (-selection provable), or more, by a table learned from searches (learned): the
paper's own table was not published. It writes table2-SELECTION.csv, .svg and .md; the times in the last are the times of
this run.`,
		Setup: func(flags *flag.FlagSet) func(context.Context, cli.Stdio, []string) error {
			out := flags.String("out", "", "the `directory` to write to")
			deals := cli.Number(flags, "n", 200, 1, math.MaxInt, "the number of `deals` to draw")
			depth := depthFlag(flags)
			cpu := flags.Bool("cpu", false, "measure processor time, for a machine that is not quiet")
			selection := search.Provable
			flags.Func("selection", "what selective moves are: `provable` or learned (default provable)", func(text string) (err error) {
				selection, err = search.ParseSelection(text)
				return err
			})
			seed := seedFlag(flags)
			return func(ctx context.Context, std cli.Stdio, _ []string) error {
				e := taroklab.Experiment{Deals: *deals, Seed: *seed, Depth: *depth, Selection: selection, Clock: clockOf(*cpu)}
				rows, err := e.Run(ctx, nil)
				if err != nil {
					return err
				}
				name := "table2-" + selection.String()
				if err := writeFiles(*out, map[string][]byte{
					name + ".csv": taroklab.CSV(selection, rows), name + ".svg": taroklab.Figure(selection, rows), name + ".md": taroklab.Markdown(rows),
				}); err != nil {
					return err
				}
				return cli.Print(std, taroklab.Markdown(rows))
			}
		},
	}
}

func tarokLearnCommand() cli.Command {
	return cli.Command{
		Name:  "learn",
		Short: "makes the table of the `learned` selection for the search of tarok",
		Long: `Makes the table of which categories of cards a search of tarok tries in which of 36 situations (section 3.2
of "A Program for Playing Tarok"; the paper's own was not published), and prints it:
internal/engine/tarok/search/learned.txt. Random positions of each situation are searched without leaving out cards
that could be better. For each situation all sets of the nine categories are compared: by the mean logarithm of the
number of cards that are tried, and what is lost without the others, in discounted thirds of a point, times -price.`,
		Setup: func(flags *flag.FlagSet) func(context.Context, cli.Stdio, []string) error {
			l := taroklab.Learning{Samples: 1500}
			cli.NumberFlag(flags, &l.Samples, "n", 1, math.MaxInt, "the number of `positions` of each situation")
			flags.Float64Var(&l.Price, "price", taroklab.DefaultPrice, "the `price` of a third of a point")
			seed := seedFlag(flags)
			return func(ctx context.Context, std cli.Stdio, _ []string) error {
				if l.Price < 0 {
					return cli.Usagef("-price %g: expected a price that is not negative", l.Price)
				}
				l.Seed = *seed
				table, err := l.Run(ctx)
				if err != nil {
					return err
				}
				return cli.Print(std, table.String())
			}
		},
	}
}

func tarokLossCommand() cli.Command {
	return cli.Command{
		Name: "loss", Needs: []string{"out"},
		Short: "what selective moves and tables cost in the search of tarok",
		Long: `Searches random positions of tarok with each selection of moves, with the plain table and with the table of
equivalence, and compares the cards that they choose with the values of a search of every card with the plain table,
as deep. It writes loss.csv and loss.svg, and prints the first: the mean nodes, the share of positions whose card is
worse than the best one, how much worse the cards are on average, in discounted thirds of a point, and half the
intervals of 95 %. In turn none, one and two cards of the trick are played.`,
		Setup: func(flags *flag.FlagSet) func(context.Context, cli.Stdio, []string) error {
			x := taroklab.Losses{Positions: 3000}
			out := flags.String("out", "", "the `directory` to write to")
			cli.NumberFlag(flags, &x.Positions, "n", 2, math.MaxInt, "the number of `positions` for each number of cards")
			depth := depthFlag(flags)
			seed := seedFlag(flags)
			return func(ctx context.Context, std cli.Stdio, _ []string) error {
				x.Seed, x.Depth, x.Cards = *seed, *depth, []int{tarok.HandSize, 12, 8}
				list, err := x.Run(ctx)
				if err != nil {
					return err
				}
				text := taroklab.LossCSV(list)
				if err := writeFiles(*out, map[string][]byte{"loss.csv": text, "loss.svg": taroklab.LossFigure(list)}); err != nil {
					return err
				}
				return cli.Print(std, text)
			}
		},
	}
}

// depthFlag adds the flag of the depth of a search, in cards.
func depthFlag(flags *flag.FlagSet) *int {
	depth := 9
	flags.Func("depth", "the depth of the search in `cards`, a multiple of 3 (default 9)", func(text string) (err error) {
		if depth, err = strconv.Atoi(text); err != nil || depth < 3 || depth%3 != 0 {
			return errors.New("expected a multiple of 3")
		}
		return nil
	})
	return &depth
}
