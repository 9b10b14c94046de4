package main

import (
	"context"
	"flag"
	"fmt"
	"io"
	"math"

	"roem/internal/cli"
	"roem/internal/engine/klaverjas/players"
	"roem/internal/lab/klaverjas/reasons"
	service "roem/internal/service/klaverjas"
)

func reasonsCommand() cli.Command {
	return cli.Command{
		Name:  "reasons",
		Short: "lists mistakes with their two lines and the reason",
		Long: `Plays hands of both systems with players of the program, reviews them with all cards open, and writes a
Markdown page: how many mistakes have which reason, and some of them with the position, the line of the card played, the
best line and the sentence. docs/lab/klaverjas/reasons.md is such a page.`,
		Setup: func(flags *flag.FlagSet) func(context.Context, cli.Stdio, []string) error {
			mistakes := cli.Number(flags, "mistakes", 200, 1, math.MaxInt, "review hands until there are `n` mistakes")
			listed := cli.Number(flags, "listed", 40, 1, math.MaxInt, "list `n` of them")
			each := cli.Number(flags, "each", 3, 1, 32, "take at most `n` of a hand")
			seed := seedFlag(flags)
			return func(ctx context.Context, std cli.Stdio, _ []string) error {
				s := reasons.Settings{Mistakes: *mistakes, Each: *each, Seed: *seed, Tools: service.NewTools()}
				for _, name := range []string{"policy", "simple"} {
					kind, err := players.ParseKind(name, players.DefaultWorlds)
					if err != nil {
						return err
					}
					s.Players = append(s.Players, kind)
				}
				all, err := reasons.Find(ctx, s)
				if err != nil {
					return err
				}
				command := fmt.Sprintf("roem-lab klaverjas reasons -mistakes %d -listed %d -each %d -seed %d", *mistakes, *listed, *each, *seed)
				_, err = io.WriteString(std.Out, reasons.Report(all, min(*listed, len(all)), command))
				return cli.Writing(err)
			}
		},
	}
}
