package main

import (
	"context"
	"flag"
	"io"
	"math"
	"time"

	"roem/internal/cli"
	"roem/internal/engine/klaverjas/players"
	service "roem/internal/service/klaverjas"
	"roem/lab/klaverjas/refined"
)

func adviceRefinedCommand() cli.Command {
	return cli.Command{
		Name:  "advice-refined",
		Short: "measures the marks of advice while it becomes better",
		Long: `Bids and plays hands, takes decisions of them at random, and others in which the partner wins the trick and the seat
may play the jack of the suit led or of trumps and a cheaper card. For each it asks for advice by playouts, with the
calls, after 100, 200, 400 worlds and so on, and compares what it says of each card with a large sample.`,
		Setup: func(flags *flag.FlagSet) func(context.Context, cli.Stdio, []string) error {
			var s refined.Settings
			n := cli.Number(flags, "n", 300, 0, math.MaxInt, "take `n` decisions at random")
			jacks := cli.Number(flags, "jacks", 100, 0, math.MaxInt, "take `n` decisions with a jack")
			most := cli.Number(flags, "most", 10_000, refined.Round, math.MaxInt, "play out `n` worlds for the last answer")
			truth := cli.Number(flags, "truth", 20_000, refined.Round, math.MaxInt, "play out `n` worlds to compare with")
			player := flags.String("player", "policy", "the `player` of all seats")
			seed := seedFlag(flags)
			cli.WorkersFlag(flags, &s.Workers, "take `n` decisions at a time")
			return func(ctx context.Context, std cli.Stdio, _ []string) error {
				kind, err := players.ParseKind(*player, 0)
				if err != nil {
					return cli.Usagef("-player %v", err)
				}
				bar := newMeter(std.Err, "roem-lab klaverjas advice-refined", "decisions", *n+*jacks, 10*time.Second)
				s.Random, s.Jacks, s.Most, s.Truth, s.Seed, s.Player = *n, *jacks, *most, *truth, *seed, kind
				s.Tools, s.Models, s.Progress = service.NewTools, service.Policies, bar.add
				all, err := refined.Measure(ctx, s)
				bar.stop()
				if err != nil {
					return err
				}
				_, err = io.WriteString(std.Out, refined.Report(all, *most))
				return cli.Writing(err)
			}
		},
	}
}
