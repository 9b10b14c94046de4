package main

import (
	"context"
	"flag"
	"fmt"
	"math"
	"time"

	"roem/internal/cli"
	"roem/internal/engine/klaverjas/search"
	"roem/internal/engine/match"
	service "roem/internal/service/klaverjas"
	"roem/lab/klaverjas/games"
	"roem/lab/klaverjas/table"
)

func adviseEvalCommand() cli.Command {
	return cli.Command{
		Name: "advise-eval", Args: "FILE",
		Short: "measures the probabilities of advise on played hands",
		Long: `Reads a file of games (roem-lab klaverjas games) or, with -bids or -silent, of bid-games, takes one random decision of
each, and writes how often the declarers won the hands, by the probability that advise gave the card that was played:
log score, Brier score, calibration error, also by trick and by side.`,
		Setup: func(flags *flag.FlagSet) func(context.Context, cli.Stdio, []string) error {
			var (
				method  = flags.String("method", "playout", "`how` worlds are judged: search or playout")
				worlds  = cli.Number(flags, "worlds", 100, 1, math.MaxInt, "judge `n` worlds for each decision")
				n       = cli.Number(flags, "n", 10_000, 1, math.MaxInt, "take the first `n` games")
				workers = new(int)
				bids    = flags.Bool("bids", false, "the file is from bid-games")
				silent  = flags.Bool("silent", false, "like -bids, but the advice does not know the calls")
				random  = flags.Bool("random", false, "only games with a random trump, not named by a declarer; needs -made")
				made    = flags.Uint64("made", 0, "the `seed` that the games were made with")
				seed    = seedFlag(flags)
			)
			cli.WorkersFlag(flags, workers, "judge `n` decisions at a time")
			return func(ctx context.Context, std cli.Stdio, args []string) error {
				if *method != "search" && *method != "playout" {
					return cli.Usagef("-method %q: expected search or playout", *method)
				}
				var rows []table.Hand
				var err error
				if *bids || *silent {
					rows, err = bidHands(args, *bids)
				} else {
					rows, err = gameHands(args, *random, *made)
				}
				if err != nil {
					return err
				}
				rows = rows[:min(*n, len(rows))]
				bar := newMeter(std.Err, "roem-lab klaverjas advise-eval", "decisions", len(rows), 10*time.Second)
				all, err := decide(ctx, rows, *method, *worlds, *workers, *seed, bar.add)
				bar.stop()
				if err != nil {
					return err
				}
				_, err = fmt.Fprintf(std.Out, "%s, %d worlds: %s", *method, *worlds, table.Honesty(all))
				return cli.Writing(err)
			}
		},
	}
}

// decide takes a decision of each game, with some workers.
func decide(ctx context.Context, rows []table.Hand, method string, worlds, workers int, seed uint64,
	progress func(),
) ([]table.Decision, error) {
	advisers := make([]table.Advisor, workers)
	for i := range advisers {
		advisers[i] = table.BySearch(search.New(search.Options{TableBytes: 8 << 20}), worlds)
		if method == "playout" {
			models, err := service.Policies()
			if err != nil {
				return nil, err
			}
			advisers[i] = table.ByPlayouts(models, worlds)
		}
	}
	all := make([]table.Decision, 0, len(rows))
	err := match.Run(ctx, len(rows), workers, func(ctx context.Context, worker, i int) (table.Decision, error) {
		return table.Decide(ctx, &rows[i], seed+uint64(i), advisers[worker])
	}, func(_ int, d table.Decision) error {
		all = append(all, d)
		progress()
		return nil
	})
	return all, err
}

// gameHands reads files of games. With random, only games with a random trump; seed is the seed of the games.
func gameHands(files []string, random bool, seed uint64) ([]table.Hand, error) {
	rows, err := readRows(files, games.Read)
	if err != nil {
		return nil, err
	}
	var hands []table.Hand
	for i := range rows {
		g := &rows[i]
		if random {
			drawn, ok := games.DrawnOf(g, seed, i)
			if !ok {
				return nil, cli.Usagef("-made %d: game %d was not made with this seed", seed, i)
			}
			if drawn.Named {
				continue
			}
		}
		hands = append(hands, table.Hand{Rules: g.Rules, Deal: g.Deal, Cards: g.Played[:]})
	}
	return hands, nil
}

// bidHands reads files of bid-games, with the auctions or without.
func bidHands(files []string, auctions bool) ([]table.Hand, error) {
	rows, err := readRows(files, table.ReadBids)
	if err != nil {
		return nil, err
	}
	hands := make([]table.Hand, len(rows))
	for i := range rows {
		hands[i] = table.Hand{Rules: rows[i].Rules, Deal: rows[i].Deal, Cards: rows[i].Cards}
		if auctions {
			hands[i].Auction = &rows[i].Auction
		}
	}
	return hands, nil
}
