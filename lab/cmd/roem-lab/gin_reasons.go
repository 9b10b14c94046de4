package main

import (
	"context"
	"flag"
	"fmt"
	"io"
	"math"

	"roem/internal/cli"
	"roem/internal/model/ginrummy/hand"
	"roem/lab/ginrummy"
)

func ginReasonsCommand() cli.Command {
	return cli.Command{
		Name:  "reasons",
		Short: "lists mistakes in Gin Rummy with the reason",
		Long: `Lets a simple player and a careless one play rounds, judges what both did on what they could know, and writes a
Markdown page: how many mistakes have which reason, how much of the cost the median reason explains, and each mistake
with its reason. lab/docs/gin-rummy/reasons.md is such a page.`,
		Setup: func(flags *flag.FlagSet) func(context.Context, cli.Stdio, []string) error {
			mistakes := cli.Number(flags, "mistakes", 60, 1, math.MaxInt, "play rounds until there are `n` mistakes")
			worlds := cli.Number(flags, "worlds", 96, 2, math.MaxInt, "judge each decision in `n` worlds")
			seed := seedFlag(flags)
			return func(ctx context.Context, std cli.Stdio, _ []string) error {
				n, err := hand.Default()
				if err != nil {
					return err
				}
				list, err := ginrummy.Reasons(ctx, ginrummy.ReasonSettings{
					Estimate: n.Estimator().Of, Mistakes: *mistakes, Worlds: *worlds, Seed: *seed,
				})
				if err != nil {
					return err
				}
				command := fmt.Sprintf("roem-lab gin-rummy reasons -mistakes %d -worlds %d -seed %d", *mistakes, *worlds, *seed)
				_, err = io.WriteString(std.Out, ginrummy.ReasonsPage(list, command))
				return cli.Writing(err)
			}
		},
	}
}
