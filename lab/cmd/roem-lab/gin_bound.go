package main

import (
	"context"
	"flag"
	"fmt"
	"math"

	"roem/internal/cli"
	"roem/internal/model/ginrummy/hand"
	"roem/lab/ginrummy"
)

func ginBoundCommand() cli.Command {
	return cli.Command{
		Name:  "bound",
		Short: "measures the best possible estimate of the opponent's hand in Gin Rummy: the exact distribution by Bayes, on held-out deals",
		Long: `Computes, for rows that are spread evenly over the deals that are held back, the distribution of the
opponent's hand by Bayes: all orders of the deck were equally likely, and the opponent is the simple player, whose
policy is known. It runs Markov chains over what was dealt to the opponent and what it drew, from two starts: what was
really dealt and drawn, and a random history. It writes a Markdown table with the log loss, the share of the ten most
probable cards, and the gain over the embedded network on the same rows, with intervals of 95 %. Each is given twice:
as measured with the hands that the opponent held, and as the computed distribution expects it of itself. Noise of the
chains makes the measured log loss too high and the expected one too low, so that the truth is between them if the
chains have run long enough. They have if both starts and the lines of the table agree.`,
		Setup: func(flags *flag.FlagSet) func(context.Context, cli.Stdio, []string) error {
			model := flags.String("model", "", "a `file` of weights in place of the embedded ones")
			s := ginrummy.BoundSettings{Seed: ginHeldSeed, Rows: 300, Deals: 430, Steps: 1 << 19, Checks: 4}
			cli.NumberFlag(flags, &s.Rows, "rows", 2, math.MaxInt, "measure on about this number of `rows`")
			cli.NumberFlag(flags, &s.Deals, "held", 2, math.MaxInt, "the `number` of deals that rows are taken from")
			cli.NumberFlag(flags, &s.Steps, "steps", 200, math.MaxInt, "`proposals` of each start")
			cli.NumberFlag(flags, &s.Checks, "checks", 1, 20, "lines of the table: the `number` of proposals doubles from one to the next")
			return func(ctx context.Context, std cli.Stdio, _ []string) error {
				if s.Steps>>s.Checks < 100 {
					return cli.Usagef("-steps %d: expected at least 100 proposals before the first check", s.Steps)
				}
				n, err := readWeights(*model, hand.Default, hand.Decode)
				if err != nil {
					return err
				}
				s.Network, s.Propose = ginrummy.Network("network", n), n.Estimator().Of
				s.Progress = func(done, rows int) {
					if done%50 == 0 {
						_, _ = fmt.Fprintf(std.Err, "%d of %d rows\n", done, rows)
					}
				}
				b, err := ginrummy.RunBound(ctx, s)
				if err != nil {
					return err
				}
				return cli.Print(std, b.Markdown())
			}
		},
	}
}
