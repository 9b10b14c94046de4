package main

import (
	"context"
	"flag"
	"fmt"
	"math"

	"roem/internal/cli"
	"roem/internal/model/ginrummy/hand"
	"roem/lab/ginrummy"
	"roem/lab/learn/forest"
)

// ginForestFlags are the flags of what a forest of Gin Rummy learns from.
type ginForestFlags struct {
	data, deals uint64
	every       int
	forest      ginrummy.ForestSettings
}

func (g *ginForestFlags) add(flags *flag.FlagSet, leaf int) {
	*g = ginForestFlags{deals: 16000, every: 2, forest: ginrummy.ForestSettings{Trees: 100, MinLeaf: leaf}}
	flags.Uint64Var(&g.data, "data", 9001, "the `seed` of the deals to learn from")
	cli.NumberFlag(flags, &g.deals, "deals", 1, math.MaxInt, "the `number` of deals to learn from")
	cli.NumberFlag(flags, &g.every, "every", 1, math.MaxInt, "learn from about one of `n` rows")
	cli.NumberFlag(flags, &g.forest.Trees, "trees", 1, 10_000, "the `number` of trees of the forest, 100 in the paper")
	cli.NumberFlag(flags, &g.forest.MinLeaf, "leaf", 1, 1_000_000, "the least `rows` of a leaf, 2 in the paper")
	cli.WorkersFlag(flags, &g.forest.Workers, "use `n` cores")
}

// facts returns the rows to learn from.
func (g *ginForestFlags) facts(ctx context.Context) ([]ginrummy.Facts, error) {
	if g.data == ginHeldSeed {
		return nil, cli.Usagef("-data %d is the seed of the held-out deals", ginHeldSeed)
	}
	return ginrummy.Learn(ctx, g.data, g.deals, g.every)
}

// learn grows the forest.
func (g *ginForestFlags) learn(ctx context.Context, std cli.Stdio) (*forest.Multi, error) {
	facts, err := g.facts(ctx)
	if err != nil {
		return nil, err
	}
	f, err := ginrummy.TrainForest(ctx, facts, g.forest)
	if err != nil {
		return nil, cli.Plain(err)
	}
	_, _ = fmt.Fprintf(std.Err, "a forest of %d trees and %d nodes, from %d rows\n", g.forest.Trees, f.Nodes(), len(facts))
	return f, nil
}

func ginOHECommand() cli.Command {
	return cli.Command{
		Name:  "ohe",
		Short: "Figure 2 and the tournament of the paper on Gin Rummy: its player with a forest, without an estimate, and with a calibrated one",
		Long: `Grows the forest of the paper on plays of simple players, and lets the paper's player ("ohe" of roem) play
games to 100 against the simple player, in pairs with the same deals:

  a curve     the share of games won over alpha, the weight of the melds (Figure 2), by source of p
  tournament  the share of games won on other deals, at the paper's alpha 0.1 and at the best of each curve; and how
              much more it is than with p = 0, paired by deals

The sources of p are the forest, nothing (p = 0), equally likely cards, and the embedded network, which is calibrated.
With -plots it draws the curves.`,
		Setup: func(flags *flag.FlagSet) func(context.Context, cli.Stdio, []string) error {
			var g ginForestFlags
			g.add(flags, 2)
			plots := flags.String("plots", "", "the `directory` to write ohe.svg to")
			s := ginrummy.OHESettings{Games: 1000, Tournament: 6000, Alphas: ginrummy.OHEAlphas()}
			cli.NumberFlag(flags, &s.Games, "games", 0, 1_000_000, "the `number` of games of each point of a curve; 0 leaves the curves out")
			cli.NumberFlag(flags, &s.Tournament, "tournament", 4, 1_000_000, "the `number` of games of each player of the tournament")
			seed := seedFlag(flags)
			return func(ctx context.Context, std cli.Stdio, _ []string) error {
				n, err := hand.Default()
				if err != nil {
					return err
				}
				grown, err := g.learn(ctx, std)
				if err != nil {
					return err
				}
				s.Seed, s.Workers = *seed, g.forest.Workers
				s.Variants = ginrummy.OHEVariants(ginrummy.Viewed(ginrummy.Forest(grown)), n.Estimator().Estimate)
				if s.Games == 0 {
					s.Alphas = nil
				}
				s.Progress = func(done string) { _, _ = fmt.Fprintln(std.Err, done) }
				o, err := ginrummy.RunOHE(ctx, s)
				if err != nil {
					return err
				}
				if *plots != "" {
					if err := writeFiles(*plots, map[string][]byte{"ohe.svg": o.Plot()}); err != nil {
						return err
					}
				}
				return cli.Print(std, o.Markdown())
			}
		},
	}
}
