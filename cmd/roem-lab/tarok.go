package main

import (
	"context"
	"flag"
	"fmt"
	"time"

	"roem/internal/cli"
	"roem/internal/engine/tarok"
	"roem/internal/engine/tarok/search"
	taroklab "roem/internal/lab/tarok"
)

// clockOf returns the clock on the wall, or that of the processor.
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
			n := flags.Int("n", 200, "the number of `endings` of each size")
			most := flags.Int("cards", 8, "the most `cards` in a hand")
			cpu := flags.Bool("cpu", false, "measure the time of the processor, for a machine that is not quiet")
			seed := cli.SeedFlag(flags)
			return func(ctx context.Context, std cli.Stdio, args []string) error {
				if len(args) > 0 || *n < 1 || *most < 4 || *most > 16 {
					return cli.Usagef("expected at least one ending, 4 to 16 cards, and no argument")
				}
				var sizes []int
				for size := 4; size <= *most; size += 2 {
					sizes = append(sizes, size)
				}
				return taroklab.Endings(ctx, std.Out, sizes, *n, seed.Value, clockOf(*cpu))
			}
		},
	}
}

func tarokTableCommand() cli.Command {
	return cli.Command{
		Name: "table2", Args: "-out DIR",
		Short: "repeats Table 2 of the paper on tarok: what each enhancement of the search brings",
		Long: `Repeats Table 2 of "A Program for Playing Tarok" over random deals: the nodes of a search for the first card
to a depth of 9 cards, with all enhancements, without each in turn, and with each alone. Selective moves leave out
cards that are provably not needed (-selection provable), or more, by a table learned from searches (learned): the
paper's own table was not published. It writes table2-SELECTION.csv, .svg and .md; the times in the last are those of
this run.`,
		Setup: func(flags *flag.FlagSet) func(context.Context, cli.Stdio, []string) error {
			out := flags.String("out", "", "the `directory` to write to")
			deals := flags.Int("n", 200, "draw so many `deals`")
			depth := flags.Int("depth", 9, "search so many `cards` deep, a multiple of 3")
			cpu := flags.Bool("cpu", false, "measure the time of the processor, for a machine that is not quiet")
			selection := search.Provable
			flags.Func("selection", "what selective moves are: `provable` or learned (default provable)", func(text string) (err error) {
				selection, err = search.ParseSelection(text)
				return err
			})
			seed := cli.SeedFlag(flags)
			return func(ctx context.Context, std cli.Stdio, args []string) error {
				if len(args) > 0 || *out == "" || *deals < 1 || *depth < 3 || *depth%3 != 0 {
					return cli.Usagef("expected -out, at least one deal, a depth that is a multiple of 3, and no other argument")
				}
				e := taroklab.Experiment{Deals: *deals, Seed: seed.Value, Depth: *depth, Selection: selection, Clock: clockOf(*cpu)}
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
				_, err = std.Out.Write(taroklab.Markdown(rows))
				return cli.Writing(err)
			}
		},
	}
}

func tarokLearnCommand() cli.Command {
	return cli.Command{
		Name:  "learn",
		Short: "makes the table of the selection learned of the search of tarok",
		Long: `Makes the table of which categories of cards a search of tarok tries in which of 36 situations (section 3.2
of "A Program for Playing Tarok"; the paper's own was not published), and prints it:
internal/engine/tarok/search/learned.txt. Random positions of each situation are searched without leaving out cards
that could be better. For each situation all sets of the nine categories are compared: by the mean logarithm of the
number of cards that are tried, and what is lost without the others, in discounted thirds of a point, times -price.`,
		Setup: func(flags *flag.FlagSet) func(context.Context, cli.Stdio, []string) error {
			l := taroklab.Learning{}
			flags.IntVar(&l.Samples, "n", 1500, "the number of `positions` of each situation")
			flags.Float64Var(&l.Price, "price", taroklab.DefaultPrice, "the `price` of a third of a point")
			seed := cli.SeedFlag(flags)
			return func(ctx context.Context, std cli.Stdio, args []string) error {
				if len(args) > 0 || l.Samples < 1 || l.Price < 0 {
					return cli.Usagef("expected at least one position, a price that is not negative, and no argument")
				}
				l.Seed = seed.Value
				table, err := l.Run(ctx)
				if err != nil {
					return err
				}
				_, err = fmt.Fprint(std.Out, table.String())
				return cli.Writing(err)
			}
		},
	}
}

func tarokLossCommand() cli.Command {
	return cli.Command{
		Name: "loss", Args: "-out DIR",
		Short: "what selective moves and tables of the search of tarok lose",
		Long: `Searches random positions of tarok with each selection of moves, with the plain table and with that of
equivalence, and compares the cards that they choose with the values of a search of every card with the plain table,
as deep. It writes loss.csv and loss.svg, and prints the first: the mean nodes, the share of positions whose card is
worse than the best one, how much worse the cards are on average, in discounted thirds of a point, and half the
intervals of 95 %. In turn none, one and two cards of the trick are played.`,
		Setup: func(flags *flag.FlagSet) func(context.Context, cli.Stdio, []string) error {
			x := taroklab.Losses{}
			out := flags.String("out", "", "the `directory` to write to")
			flags.IntVar(&x.Positions, "n", 3000, "the number of `positions` for each number of cards")
			flags.IntVar(&x.Depth, "depth", 9, "search so many `cards` deep, a multiple of 3")
			seed := cli.SeedFlag(flags)
			return func(ctx context.Context, std cli.Stdio, args []string) error {
				if len(args) > 0 || *out == "" || x.Positions < 2 || x.Depth < 3 || x.Depth%3 != 0 {
					return cli.Usagef("expected -out, at least two positions, a depth that is a multiple of 3, and no other argument")
				}
				x.Seed, x.Cards = seed.Value, []int{tarok.HandSize, 12, 8}
				list, err := x.Run(ctx)
				if err != nil {
					return err
				}
				text := taroklab.LossCSV(list)
				if err := writeFiles(*out, map[string][]byte{"loss.csv": text, "loss.svg": taroklab.LossFigure(list)}); err != nil {
					return err
				}
				_, err = std.Out.Write(text)
				return cli.Writing(err)
			}
		},
	}
}
