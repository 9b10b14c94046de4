package main

import (
	"bufio"
	"context"
	"flag"
	"fmt"
	"io"
	"math"
	"os"

	"roem/internal/cli"
	"roem/internal/service/klaverjas"
	"roem/lab/klaverjas/puzzles"
)

func puzzlesCommand() cli.Command {
	return cli.Command{
		Name: "puzzles", Needs: []string{"out", "work"},
		Short: "finds positions with exactly one good card, and grades them",
		Long: `Bids and plays random deals, looks for positions in which one card is better than each other one by a margin, asks
players of all levels for their card, and writes the puzzles to -out. -work keeps what was found in each hand: a
command that was stopped goes on where it was. The same seed gives the same puzzles, whatever -workers.`,
		Setup: func(flags *flag.FlagSet) func(context.Context, cli.Stdio, []string) error {
			var (
				out     = flags.String("out", "", "the `file` to write")
				work    = flags.String("work", "", "the `file` that keeps what was found")
				open    = cli.Number(flags, "open", 600, 0, math.MaxInt, "find `n` puzzles with all cards open")
				hidden  = cli.Number(flags, "hidden", 400, 0, math.MaxInt, "find `n` puzzles with hidden cards")
				rare    = cli.Number(flags, "rare", 4000, 0, math.MaxInt, "look in `n` more hands for open puzzles with rare themes")
				workers int
				seed    = seedFlag(flags)
			)
			cli.WorkersFlag(flags, &workers, "look at `n` hands at a time")
			return func(ctx context.Context, std cli.Stdio, _ []string) error {
				progress := cli.TerminalProgress(std, "hands", 0)
				made, err := puzzles.Make(ctx, puzzles.Settings{
					Open: *open, Hidden: *hidden, Rare: *rare, Seed: *seed, Workers: workers, Tools: klaverjas.NewTools, Work: *work,
					Progress: func(int) { progress.Add(1) },
				})
				progress.Stop()
				if err != nil {
					return cli.Plain(err)
				}
				file, err := os.Create(*out)
				if err != nil {
					return cli.UsageError{Err: cli.Plain(err)}
				}
				rows := bufio.NewWriter(file)
				for _, p := range made.Puzzles {
					_, _ = fmt.Fprintln(rows, p.Line()) // Flush returns its error
				}
				err = rows.Flush()
				if closed := file.Close(); err == nil {
					err = closed
				}
				if err != nil {
					return cli.Plain(err)
				}
				_, err = io.WriteString(std.Out, made.String())
				return cli.Writing(err)
			}
		},
	}
}
