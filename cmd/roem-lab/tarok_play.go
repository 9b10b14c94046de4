package main

import (
	"context"
	"flag"
	"strings"

	"roem/internal/cli"
	"roem/internal/engine/tarok/advice"
	"roem/internal/engine/tarok/players"
	"roem/internal/lab/tarok/playouts"
)

func tarokSwitchesCommand() cli.Command {
	return cli.Command{
		Name:  "tarok-switches",
		Short: "what each switch of the program of tarok is worth in matches",
		Long: `Plays matches of the player quick with each of its switches changed in turn, one against two of another kind,
and prints what it scores above one of these in a hand, with the interval of 95 % over the deals, and the time for a
decision against theirs. Against quick, a gain is that of the change.`,
		Setup: func(flags *flag.FlagSet) func(context.Context, cli.Stdio, []string) error {
			n := flags.Int("deals", 400, "the number of `deals` of each match, at three tables each")
			against := flags.String("b", "quick", "the other `player`: one of "+strings.Join(players.Names(advice.Kinds()), ", "))
			seed := cli.SeedFlag(flags)
			return func(ctx context.Context, std cli.Stdio, args []string) error {
				if len(args) > 0 || *n < 1 {
					return cli.Usagef("expected at least one deal, and no argument")
				}
				b, err := players.ParseKind(*against, advice.Kinds())
				if err != nil {
					return cli.Usagef("-b %v", err)
				}
				return playouts.Switches(ctx, std.Out, playouts.Variants(), b, *n, seed.Value)
			}
		},
	}
}

func tarokBidsCommand() cli.Command {
	return cli.Command{
		Name:  "tarok-bids",
		Short: "how the bids of the program of tarok depend on the strength of the hand",
		Long: `Lets the player quick bid first with random hands, and prints for each contract a logistic fit of how likely
it bids as high as that by the strength of the hand.`,
		Setup: func(flags *flag.FlagSet) func(context.Context, cli.Stdio, []string) error {
			n := flags.Int("n", 6000, "the number of `hands`")
			seed := cli.SeedFlag(flags)
			return func(ctx context.Context, std cli.Stdio, args []string) error {
				if len(args) > 0 || *n < 1 {
					return cli.Usagef("expected at least one hand, and no argument")
				}
				return playouts.Bids(ctx, std.Out, *n, seed.Value)
			}
		},
	}
}
