package main

import (
	"context"
	"flag"
	"fmt"

	"roem/internal/cli"
	"roem/internal/lab/ginrummy"
)

func ginBoundCommand() cli.Command {
	return cli.Command{
		Name:  "bound",
		Short: "how well the opponent's hand in Gin Rummy can be estimated at best: the exact distribution by Bayes, on deals that are held back",
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
			s := ginrummy.BoundSettings{Seed: ginHeldSeed}
			flags.IntVar(&s.Rows, "rows", 300, "measure on about so many `rows`")
			flags.Uint64Var(&s.Deals, "held", 430, "the `number` of deals that rows are taken from")
			flags.IntVar(&s.Steps, "steps", 1<<19, "`proposals` of each start")
			flags.IntVar(&s.Checks, "checks", 4, "lines of the table: the `number` of proposals doubles from one to the next")
			return func(ctx context.Context, std cli.Stdio, args []string) error {
				if len(args) > 0 || s.Rows < 2 || s.Deals < 2 || s.Checks < 1 || s.Checks > 20 || s.Steps>>s.Checks < 100 {
					return cli.Usagef("expected no argument, at least two rows and deals, 1 to 20 checks, and at least " +
						"100 proposals before the first of them")
				}
				n, err := readGinHand(*model)
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
				_, err = fmt.Fprint(std.Out, b.Markdown())
				return cli.Writing(err)
			}
		},
	}
}
