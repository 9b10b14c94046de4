package main

import (
	"context"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"runtime"

	"roem/internal/cli"
	"roem/internal/engine/ginrummy/advice"
	"roem/internal/engine/ginrummy/players"
	"roem/internal/engine/match"
	"roem/internal/lab/ginrummy"
	"roem/internal/model/ginrummy/hand"
	"roem/internal/random"
)

// readGinHand returns the network of a file, or the embedded one without a name.
func readGinHand(name string) (*hand.Network, error) {
	if name == "" {
		return hand.Default()
	}
	file, err := os.ReadFile(name) //nolint:gosec // the user names the file
	if err != nil {
		return nil, cli.UsageError{Err: cli.Plain(err)}
	}
	n, err := hand.Decode(file)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", name, err)
	}
	return n, nil
}

func ginTableCommand() cli.Command {
	return cli.Command{
		Name:  "table",
		Short: "compares estimates of the opponent's hand in Gin Rummy: the models of the paper, honestly or with its leak, and the network",
		Long: `Learns the models of Table 1 of "Random Forests for Opponent Hand Estimation in Gin Rummy" from deals played
by simple players, and measures them on other deals after each discard of the opponent, with the embedded network, or
the weights of -model. It writes a Markdown table. With -bayes, an estimate that knows the policy of the opponent is
measured too. With -reseeded, the deals are drawn as the program of the paper draws them: its generator is set for
each deal to a seed below the given range, drawn from itself. Then the deals repeat, and those measured on are among
those learned from. With -plots it draws the calibration of some estimates.`,
		Setup: func(flags *flag.FlagSet) func(context.Context, cli.Stdio, []string) error {
			model := flags.String("model", "", "a `file` of weights in place of the embedded one")
			plots := flags.String("plots", "", "the `directory` to write calibration.svg and calibration.csv to")
			bayes := flags.Int("bayes", 0, "`rounds` of the chains for the estimate that knows the policy; 0 leaves it out")
			s := ginrummy.TableSettings{HeldSeed: ginHeldSeed}
			flags.Uint64Var(&s.Seed, "data", 9001, "the `seed` of the deals to learn from")
			flags.Uint64Var(&s.Deals, "deals", 16000, "the `number` of deals to learn from")
			flags.IntVar(&s.Every, "every", 2, "learn from about one of `n` rows")
			flags.Uint64Var(&s.Held, "held", 500, "the `number` of deals to measure on")
			flags.IntVar(&s.Rows, "rows", 6000, "measure on at most so many `rows`")
			flags.IntVar(&s.Trees, "trees", 0, "the `number` of trees of the forest, 100 in the paper; 0 leaves it out")
			flags.IntVar(&s.Nearest, "nearest", 0, "look for nearest neighbours among so many `rows`; 0 leaves them out")
			flags.IntVar(&s.Epochs, "epochs", 6, "the `number` of times that the logistic regression learns from each row")
			flags.Uint64Var(&s.Reseeded, "reseeded", 0, "draw deals as the program of the paper, with seeds below `range` (100000000 in the paper)")
			return func(ctx context.Context, std cli.Stdio, args []string) error {
				switch {
				case len(args) > 0 || s.Deals < 1 || s.Held < 1 || s.Rows < 1 || s.Epochs < 1 || *bayes < 0 || s.Trees < 0 || s.Nearest < 0:
					return cli.Usagef("expected no argument, and positive numbers")
				case s.Seed == s.HeldSeed:
					return cli.Usagef("-data %d is the seed of the deals that are held back", ginHeldSeed)
				}
				n, err := readGinHand(*model)
				if err != nil {
					return err
				}
				s.More = []ginrummy.Estimator{ginrummy.Network("network", n)}
				if *bayes > 0 {
					s.More = append(s.More, ginrummy.Bayes("Bayes, from uniform hands", advice.Uniform, *bayes, random.New(1)),
						ginrummy.Bayes("Bayes, from hands of the network", n.Estimator().Of, *bayes, random.New(1)))
				}
				t, err := ginrummy.RunTable(ctx, s)
				if err != nil {
					return err
				}
				if *plots != "" {
					if err := writeFiles(*plots, map[string][]byte{
						"calibration.svg": t.Calibration("network", "logistic regression, masked", "random forest, masked", "uniform"),
						"calibration.csv": t.CSV(),
					}); err != nil {
						return err
					}
				}
				_, err = fmt.Fprint(std.Out, t.Markdown())
				return cli.Writing(err)
			}
		},
	}
}

func ginProbesCommand() cli.Command {
	return cli.Command{
		Name:  "probes",
		Short: "how an estimate of the opponent's hand in Gin Rummy changes with what the opponent did: the probes of the paper",
		Long: `Makes the experiments of the paper's section "What Does the Random Forest Classifier Do?" with the embedded
network, or the weights of -model, and writes a Markdown table with the changes of the mean probabilities and their
intervals of 95 %.`,
		Setup: func(flags *flag.FlagSet) func(context.Context, cli.Stdio, []string) error {
			model := flags.String("model", "", "a `file` of weights in place of the embedded one")
			plot := flags.String("plot", "", "write the plot of the probabilities to the `file`")
			situations := flags.Int("n", 1000, "the `number` of situations")
			seed := cli.SeedFlag(flags)
			return func(ctx context.Context, std cli.Stdio, args []string) error {
				if len(args) > 0 || *situations < 2 {
					return cli.Usagef("expected no argument, and at least two situations")
				}
				n, err := readGinHand(*model)
				if err != nil {
					return err
				}
				p, err := ginrummy.RunProbes(ctx, ginrummy.Network("network", n), *situations, seed.Value)
				if err != nil {
					return err
				}
				if *plot != "" {
					if err := writeDocument(*plot, p.Plot()); err != nil {
						return err
					}
				}
				_, err = fmt.Fprint(std.Out, p.Markdown())
				return cli.Writing(err)
			}
		},
	}
}

func ginMatchCommand() cli.Command {
	return cli.Command{
		Name:  "match",
		Short: "duplicate matches of the player that uses the estimate in Gin Rummy, and what the estimate earns",
		Long: `Lets variants of the player "playout" play pairs of games to 100 against the simple player, with the same
deals for all variants:

  playout         hands of the opponent from the network
  uniform hands   hands that are equally likely: no estimate
  simple draw     it draws as the simple player
  simple discard  it discards as the simple player
  always knock    it knocks whenever it may

It writes Markdown tables: the share of the games won and the points won less those lost in a game, and the difference
of the first variant to each other, paired by deals, with intervals of 95 %. The mean time of a decision goes to
standard error. With -plots it draws the differences.`,
		Setup: func(flags *flag.FlagSet) func(context.Context, cli.Stdio, []string) error {
			model := flags.String("model", "", "a `file` of weights in place of the embedded one")
			plots := flags.String("plots", "", "the `directory` to write variants.svg to")
			pairs := flags.Int("pairs", 1000, "the `number` of pairs of games")
			only := flags.Int("variants", ginrummy.Variants, "how many of the `variants` play, in their order")
			workers := flags.Int("workers", runtime.GOMAXPROCS(0), "pairs played at a time")
			seed := cli.SeedFlag(flags)
			return func(ctx context.Context, std cli.Stdio, args []string) error {
				switch {
				case len(args) > 0 || *pairs < 2 || *only < 1 || *only > ginrummy.Variants || *workers < 1:
					return cli.Usagef("expected no argument, at least two pairs, 1 to %d variants and a worker", ginrummy.Variants)
				case *plots != "" && *only < 2:
					return cli.Usagef("-plots needs at least two variants")
				}
				n, err := readGinHand(*model)
				if err != nil {
					return err
				}
				simple, err := match.ParseKind("simple", players.Kinds())
				if err != nil {
					return err
				}
				m, err := ginrummy.RunMatches(ctx, ginrummy.MatchSettings{
					Estimate: n.Estimator().Of, Against: simple, Pairs: *pairs, Variants: *only, Seed: seed.Value, Workers: *workers,
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
				if *plots != "" {
					if err := writeDocument(filepath.Join(*plots, "variants.svg"), m.Plot()); err != nil {
						return cli.Plain(err)
					}
				}
				_, err = fmt.Fprint(std.Out, m.Markdown())
				return cli.Writing(err)
			}
		},
	}
}
