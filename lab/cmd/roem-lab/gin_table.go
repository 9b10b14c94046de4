package main

import (
	"context"
	"flag"
	"fmt"
	"math"

	"roem/internal/cli"
	"roem/internal/engine/ginrummy/players"
	"roem/internal/engine/match"
	"roem/internal/model/ginrummy/hand"
	"roem/lab/ginrummy"
)

func ginTableCommand() cli.Command {
	return cli.Command{
		Name:  "table",
		Short: "compares estimates of the opponent's hand in Gin Rummy: the models of the paper, honestly or with its leak, and the network",
		Long: `Learns the models of Table 1 of "Random Forests for Opponent Hand Estimation in Gin Rummy" from deals played
by simple players, and measures them on other deals after each discard of the opponent, with the embedded network, or
the weights of -model. It writes a Markdown table. With -reseeded, the deals are drawn as the program of the paper draws
them: its generator is set for each deal to a seed below the given range, drawn from itself. Then the deals repeat, and
those measured on are among those learned from.`,
		Setup: func(flags *flag.FlagSet) func(context.Context, cli.Stdio, []string) error {
			model := flags.String("model", "", "a `file` of weights in place of the embedded one")
			s := ginrummy.TableSettings{HeldSeed: ginHeldSeed, Deals: 16000, Every: 2, Held: 500, Rows: 6000, Epochs: 6}
			flags.Uint64Var(&s.Seed, "data", 9001, "the `seed` of the deals to learn from")
			cli.NumberFlag(flags, &s.Deals, "deals", 1, math.MaxInt, "the `number` of deals to learn from")
			cli.NumberFlag(flags, &s.Every, "every", 1, math.MaxInt, "learn from about one of `n` rows")
			cli.NumberFlag(flags, &s.Held, "held", 1, math.MaxInt, "the `number` of deals to measure on")
			cli.NumberFlag(flags, &s.Rows, "rows", 1, math.MaxInt, "measure on at most this number of `rows`")
			cli.NumberFlag(flags, &s.Trees, "trees", 0, math.MaxInt, "the `number` of trees of the forest, 100 in the paper; 0 leaves it out")
			cli.NumberFlag(flags, &s.Nearest, "nearest", 0, math.MaxInt,
				"look for nearest neighbours among this number of `rows`; 0 leaves them out")
			cli.NumberFlag(flags, &s.Epochs, "epochs", 1, math.MaxInt,
				"how many `times` the logistic regression learns from each row")
			flags.Uint64Var(&s.Reseeded, "reseeded", 0, "draw deals like the paper's program, with seeds below `range` (100000000 in the paper)")
			return func(ctx context.Context, std cli.Stdio, _ []string) error {
				if s.Seed == s.HeldSeed {
					return cli.Usagef("-data %d is the seed of the held-out deals", ginHeldSeed)
				}
				n, err := readWeights(*model, hand.Default, hand.Decode)
				if err != nil {
					return err
				}
				s.More = []ginrummy.Estimator{ginrummy.Network("network", n)}
				t, err := ginrummy.RunTable(ctx, s)
				if err != nil {
					return err
				}
				return cli.Print(std, t.Markdown())
			}
		},
	}
}

func ginProbesCommand() cli.Command {
	return cli.Command{
		Name:  "probes",
		Short: "puts the hypotheses of the paper on Gin Rummy to a forest and to the network: Figures 3 and 4, and exchanged suits",
		Long: `Makes the experiments of the paper's section "What Does the Random Forest Classifier Do?" with a forest like the
paper's, with its mean over the 24 orders of the suits (-symmetric), and with the embedded network, or the weights of
-model. It writes a Markdown table with the paper's figures, and the changes of the mean probabilities with their
intervals of 95 %: Figure 3, by rank. A second table has how the probabilities are spread: Figure 4.`,
		Setup: func(flags *flag.FlagSet) func(context.Context, cli.Stdio, []string) error {
			var g ginForestFlags
			g.add(flags, 2)
			model := flags.String("model", "", "a `file` of weights in place of the embedded one")
			symmetric := flags.Bool("symmetric", false, "also the mean of the forest over the 24 orders of the suits, their future work")
			situations := cli.Number(flags, "n", 1000, 2, math.MaxInt, "the `number` of situations")
			seed := seedFlag(flags)
			return func(ctx context.Context, std cli.Stdio, _ []string) error {
				n, err := readWeights(*model, hand.Default, hand.Decode)
				if err != nil {
					return err
				}
				grown, err := g.learn(ctx, std)
				if err != nil {
					return err
				}
				list := []ginrummy.Estimator{ginrummy.Forest(grown)}
				if *symmetric {
					list = append(list, ginrummy.Symmetric(grown))
				}
				return printProbes(ctx, std, append(list, ginrummy.Network("network", n)), *situations, *seed)
			}
		},
	}
}

// printProbes makes the probes of some estimators.
func printProbes(ctx context.Context, std cli.Stdio, list []ginrummy.Estimator, situations int, seed uint64) error {
	names, all := make([]string, len(list)), make([]ginrummy.Probes, len(list))
	for i, e := range list {
		var err error
		names[i] = e.Name
		if all[i], err = ginrummy.RunProbes(ctx, e, situations, seed); err != nil {
			return err
		}
	}
	return cli.Print(std, ginrummy.ProbesMarkdown(names, all))
}

func ginMatchCommand() cli.Command {
	return cli.Command{
		Name:  "match",
		Short: "what an estimate earns in Gin Rummy: duplicate matches of the player that uses it, and of the same without an estimate",
		Long: `Lets the player "playout" play pairs of games to 100 against the simple player, with hands of the opponent from
the network and with equally likely ones, on the same deals. It writes a Markdown table: the share of the games won and
the points won less those lost in a game, and the difference, paired by deals, with intervals of 95 %. The mean time of
a decision goes to standard error.`,
		Setup: func(flags *flag.FlagSet) func(context.Context, cli.Stdio, []string) error {
			model := flags.String("model", "", "a `file` of weights in place of the embedded one")
			pairs := cli.Number(flags, "pairs", 1000, 2, math.MaxInt, "the `number` of pairs of games")
			var workers int
			cli.WorkersFlag(flags, &workers, "play `n` pairs at a time")
			seed := seedFlag(flags)
			return func(ctx context.Context, std cli.Stdio, _ []string) error {
				n, err := readWeights(*model, hand.Default, hand.Decode)
				if err != nil {
					return err
				}
				simple, err := match.ParseKind("simple", players.Kinds())
				if err != nil {
					return err
				}
				m, err := ginrummy.RunMatches(ctx, ginrummy.MatchSettings{
					Estimate: n.Estimator().Of, Against: simple, Pairs: *pairs, Seed: *seed, Workers: workers,
					Progress: func(name string, done int) {
						if done%100 == 0 {
							_, _ = fmt.Fprintf(std.Err, "%s: %d of %d pairs\n", name, done, *pairs)
						}
					},
				})
				if err != nil {
					return err
				}
				for i := range m.Results {
					side := &m.Results[i].Sides[0]
					_, _ = fmt.Fprintf(std.Err, "%s: %s a decision\n", side.Name, side.Decision.Mean())
				}
				return cli.Print(std, m.Markdown())
			}
		},
	}
}
