package main

import (
	"bufio"
	"context"
	"flag"
	"os"

	"roem/internal/cli"
	"roem/internal/engine/klaverjas/players"
	"roem/internal/service/klaverjas"
	"roem/lab/klaverjas/games"
)

func gamesCommand() cli.Command {
	return cli.Command{
		Name: "games", Needs: []string{"out"},
		Short: "plays hands between equal players with hidden cards, and writes them to a file",
		Long: `Plays random deals, under the default rules of Rotterdam and Amsterdam in turn at random, with four players
of one kind, and writes the deals and the cards played to -out. Beliefs are learned from such files. The same seed
gives the same file, whatever -workers.`,
		Setup: func(flags *flag.FlagSet) func(context.Context, cli.Stdio, []string) error {
			var (
				out     = flags.String("out", "", "the `file` to write")
				n       = flags.Int("n", 1000, "the number of `games`")
				player  = flags.String("player", "pimc:8", "the `player` of all seats")
				workers int
				seed    = seedFlag(flags)
			)
			cli.WorkersFlag(flags, &workers, "play `n` games at a time")
			return func(ctx context.Context, std cli.Stdio, _ []string) error {
				kind, err := players.ParseKind(*player, 0)
				if err != nil {
					return cli.Usagef("-player %v", err)
				}
				file, err := os.Create(*out)
				if err != nil {
					return cli.UsageError{Err: cli.Plain(err)}
				}
				rows := bufio.NewWriter(file)
				progress := cli.TerminalProgress(std, "games", *n)
				err = games.Make(ctx, rows, games.Settings{
					Player: kind, Games: *n, Seed: *seed, Workers: workers,
					Tools:    klaverjas.NewTools,
					Progress: func(int) { progress.Add(1) },
				})
				progress.Stop()
				if flushed := rows.Flush(); err == nil {
					err = flushed
				}
				if closed := file.Close(); err == nil {
					err = closed
				}
				return cli.Plain(err)
			}
		},
	}
}
