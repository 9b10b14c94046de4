package main

import (
	"bufio"
	"context"
	"flag"
	"os"

	"roem/internal/cli"
	"roem/lab/ginrummy"
)

func ginPlaysCommand() cli.Command {
	return cli.Command{
		Name: "plays", Needs: []string{"out"},
		Short: "writes the plays of simple players in Gin Rummy as a data set: what one player saw, and the hand of the other",
		Long: `Lets two simple players play games to 100, and writes a line of CSV after each turn with a draw and a discard:
what the other player had seen by then, and the hand of the one whose turn it was. This is the data of the paper, whose
20,000 games have 2,571,176 plays. Each deal has a generator of its own, so that no deal comes twice.

  game, round, turn  numbers from 0
  player             the player who sees, 0 or 1; the other has just discarded
  discarded          cards that the other discarded, or declined by drawing from the stock
  taken              cards that the other took from the discards and still has
  own                the ten cards of the player
  held               the ten cards of the other: what is to be learned

The number of rows and the SHA-256 of the file go to standard output. The same flags give the same file. 20,000 games
are some 230 MB.`,
		Setup: func(flags *flag.FlagSet) func(context.Context, cli.Stdio, []string) error {
			out := flags.String("out", "", "the `file` to write")
			games := cli.Number(flags, "games", 20_000, 1, 10_000_000, "the `number` of games")
			seed := seedFlag(flags)
			return func(ctx context.Context, std cli.Stdio, _ []string) error {
				file, err := os.Create(*out)
				if err != nil {
					return cli.Plain(err)
				}
				defer file.Close() //nolint:errcheck // it is closed below where nothing failed
				w := bufio.NewWriterSize(file, 1<<20)
				p, err := ginrummy.WritePlays(ctx, w, *seed, *games)
				if err != nil {
					return cli.Plain(err)
				}
				if err := w.Flush(); err != nil {
					return cli.Plain(err)
				}
				if err := file.Close(); err != nil {
					return cli.Plain(err)
				}
				return cli.Print(std, p.String())
			}
		},
	}
}
