package main

import (
	"context"
	"flag"
	"fmt"
	"math"

	"roem/internal/cli"
	"roem/lab/klaverjas/logical"
)

func logicalCommand() cli.Command {
	return cli.Command{
		Name:  "logical",
		Short: "compares the logical players with the program of their authors",
		Long: `Lets the agents of "Logical Klaverjassen" and random players play under the rules of the authors' simulation,
and writes a table of the figures beside the figures of the authors' program, which were measured over 3,000 hands. The exit
status is 1 if a figure differs by more than the tolerance (2 points, 0.02 of the share of nat) and by more than three
standard errors.`,
		Setup: func(flags *flag.FlagSet) func(context.Context, cli.Stdio, []string) error {
			hands := cli.Number(flags, "hands", 3000, 100, math.MaxInt, "the number of `hands` of each pairing")
			seed := flags.Uint64("seed", 1, "the `number` that the deals are drawn from")
			return func(ctx context.Context, std cli.Stdio, _ []string) error {
				figures, err := logical.Compare(ctx, *hands, *seed)
				if err != nil {
					return err
				}
				if err := logical.WriteTable(std.Out, figures); err != nil {
					return cli.Writing(err)
				}
				far := 0
				for _, f := range figures {
					if !f.Close() {
						far++
					}
				}
				if far > 0 {
					return fmt.Errorf("%d of %d figures differ from the reference", far, len(figures))
				}
				return nil
			}
		},
	}
}
