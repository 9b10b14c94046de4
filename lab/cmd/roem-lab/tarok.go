package main

import (
	"context"
	"errors"
	"flag"
	"math"
	"strconv"

	"roem/internal/cli"
	"roem/internal/engine/tarok"
	"roem/internal/engine/tarok/advice"
	"roem/internal/engine/tarok/search"
	"roem/lab/speed"
	taroklab "roem/lab/tarok"
)

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
				return taroklab.Endings(ctx, speed.Table{Out: std.Out, Clock: speed.Clock(*cpu)}, sizes, *n, *seed)
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
paper's own table was not published. It writes table2-SELECTION.csv, and prints the table with the times of this run.`,
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
				e := taroklab.Experiment{Deals: *deals, Seed: *seed, Depth: *depth, Selection: selection, Clock: speed.Clock(*cpu)}
				rows, err := e.Run(ctx)
				if err != nil {
					return err
				}
				if err := writeFiles(*out, map[string][]byte{"table2-" + selection.String() + ".csv": taroklab.CSV(selection, rows)}); err != nil {
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
as deep. It writes loss.csv and prints it: the mean nodes, the share of positions whose card is
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
				if err := writeFiles(*out, map[string][]byte{"loss.csv": text}); err != nil {
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

// tarokCompareCommand is a command that compares pairs of settings of the program of tarok.
func tarokCompareCommand(name, short, long string, c taroklab.Comparison, pairs func() []taroklab.Pair) cli.Command {
	return cli.Command{
		Name: name, Short: short,
		Long: long + `
Each pair plays a duplicate match, the first once in each seat of every deal against two of the second. Intervals are of
95 %, over the deals.`,
		Setup: func(flags *flag.FlagSet) func(context.Context, cli.Stdio, []string) error {
			if c.Decisions > 0 {
				cli.NumberFlag(flags, &c.Decisions, "n", 0, math.MaxInt, "the number of `decisions`, each of a deal of its own")
				cli.NumberFlag(flags, &c.Worlds, "worlds", 2, math.MaxInt, "the number of `worlds` that judge a card")
			}
			cli.NumberFlag(flags, &c.Deals, "deals", 0, math.MaxInt, "the number of `deals` of each match")
			cli.WorkersFlag(flags, &c.Workers, "take `n` deals at a time, each on one core")
			seed := seedFlag(flags)
			return func(ctx context.Context, std cli.Stdio, _ []string) error {
				c.Seed = *seed
				return c.Compare(ctx, std.Out, pairs())
			}
		},
	}
}

// judging is the help of commands that judge cards.
const judging = `
In hands of the program with few worlds it draws a card of the first ten tricks, one of each deal, and lets both choose.
Where they differ, the mean value over plain worlds (-worlds), by searches with the plain table, judges the cards. The
grade of the paper's expert was 1 for a card that is significantly better, 0.5 for one that is slightly better, and the
same below 0; here a point or more is significant.
`

func tarokClusteringCommand() cli.Command {
	return tarokCompareCommand("clustering", "compares worlds from clusters with plain ones in the program of the paper on tarok",
		`Compares clustered worlds with plain ones, 30 and 60 for a card, as section 3.1 of "A Program for Playing Tarok" does.
`+judging, taroklab.Comparison{Decisions: 2000, Worlds: 300, Deals: 200}, taroklab.Clusters)
}

func tarokEquivalenceCommand() cli.Command {
	return tarokCompareCommand("equivalence", "compares the equivalence table with the plain one in the program of the paper on tarok",
		`Compares the equivalence table with the plain one, as section 3.2 of "A Program for Playing Tarok" does: what it saves is
spent on a depth of 12 cards instead of 9, and on 60 worlds instead of 30. Searches 12 cards deep judge the cards.
`+judging, taroklab.Comparison{Decisions: 1000, Worlds: 100, Deals: 200}, taroklab.Equivalences)
}

func tarokComplexityCommand() cli.Command {
	return cli.Command{
		Name:  "complexity",
		Short: "the means of Table 1 of the paper on tarok",
		Long: `Estimates the means of Table 1 of "A Program for Playing Tarok" (section 2.2) from hands of its program with few worlds
(quick-plain) in all seats. Of the tree of all biddings only bids are kept that are made in at least the share -rare of
the hands that came there, and each bidding counts with the mean number of exchanges of its contract. A bonus may be
announced by a side that makes it in this share of trial games, and doubled if it fails in this share; the game may be
doubled if it is lost in this share. The lines of play are the product of the numbers of legal cards in a hand.`,
		Setup: func(flags *flag.FlagSet) func(context.Context, cli.Stdio, []string) error {
			c := taroklab.Complexity{Deals: 10000, Settings: advice.QuickPaper.Plain(), Rare: 0.05}
			cli.NumberFlag(flags, &c.Deals, "n", 1, math.MaxInt, "the number of `deals`")
			flags.Float64Var(&c.Rare, "rare", c.Rare, "the `share` below which a choice is cut off")
			cli.WorkersFlag(flags, &c.Workers, "play `n` deals at a time, each on one core")
			seed := seedFlag(flags)
			return func(ctx context.Context, std cli.Stdio, _ []string) error {
				if !(c.Rare >= 0 && c.Rare <= 1) {
					return cli.Usagef("-rare %g: expected a share from 0 to 1", c.Rare)
				}
				c.Seed = *seed
				return c.Write(ctx, std.Out)
			}
		},
	}
}
