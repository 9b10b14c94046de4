package main

import (
	"context"
	"flag"
	"fmt"
	"os"
	"runtime"
	"sync"
	"sync/atomic"
	"time"

	"roem/internal/cli"
	"roem/internal/engine/klaverjas/search"
	"roem/internal/lab/klaverjas/games"
	"roem/internal/lab/klaverjas/table"
	service "roem/internal/service/klaverjas"
)

func adviseEvalCommand() cli.Command {
	return cli.Command{
		Name: "advise-eval", Args: "FILE",
		Short: "measures the probabilities of advise on hands that were played",
		Long: `Reads a file of games (roem-lab klaverjas games) or, with -bids or -silent, of bid-games, takes one random decision of
each, and writes how often the declarers won the hands, by the probability that advise gave the card that was played:
log score, Brier score, calibration error, also by trick and by side.`,
		Setup: func(flags *flag.FlagSet) func(context.Context, cli.Stdio, []string) error {
			var (
				method  = flags.String("method", "playout", "`how` worlds are judged: search or playout")
				worlds  = flags.Int("worlds", 100, "judge `n` worlds for each decision")
				n       = flags.Int("n", 10_000, "take the first `n` games")
				workers = flags.Int("workers", runtime.GOMAXPROCS(0), "judge `n` decisions at a time")
				bids    = flags.Bool("bids", false, "the file is one of bid-games")
				silent  = flags.Bool("silent", false, "as -bids, but the advice does not know the calls")
				random  = flags.Bool("random", false, "only games whose trump was random, not named by a declarer; needs -made")
				made    = flags.Uint64("made", 0, "the `seed` that the games were made with")
				seed    = cli.SeedFlag(flags)
			)
			return func(ctx context.Context, std cli.Stdio, args []string) error {
				switch {
				case len(args) != 1:
					return cli.Usagef("expected a file of games")
				case *method != "search" && *method != "playout":
					return cli.Usagef("-method %q: expected search or playout", *method)
				case *worlds < 1 || *n < 1:
					return cli.Usagef("-worlds and -n: expected at least 1")
				case *workers < 1 || *workers > cli.MaxWorkers:
					return cli.Usagef("-workers %d: expected 1 to %d", *workers, cli.MaxWorkers)
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
				all, err := decide(ctx, rows, *method, *worlds, *workers, seed.Value, bar.add)
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
	all := make([]table.Decision, len(rows))
	var next atomic.Int64
	var failed atomic.Pointer[error]
	var group sync.WaitGroup
	for range workers {
		advise := table.BySearch(search.New(search.Options{TableBytes: 8 << 20}), worlds)
		if method == "playout" {
			models, err := service.Policies()
			if err != nil {
				return nil, err
			}
			advise = table.ByPlayouts(models, worlds)
		}
		group.Go(func() {
			for {
				i := int(next.Add(1)) - 1
				if i >= len(rows) || failed.Load() != nil {
					return
				}
				var err error
				if all[i], err = table.Decide(ctx, &rows[i], seed+uint64(i), advise); err != nil {
					failed.CompareAndSwap(nil, &err)
					return
				}
				progress()
			}
		})
	}
	group.Wait()
	if err := failed.Load(); err != nil {
		return nil, *err
	}
	return all, nil
}

// gameHands reads files of games. With random, only those whose trump was random; seed is that of the games.
func gameHands(files []string, random bool, seed uint64) ([]table.Hand, error) {
	rows, err := readGames(files)
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
	rows, err := readBids(files)
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

// readBids reads files of bid-games.
func readBids(files []string) (all []table.Auctioned, err error) {
	for _, name := range files {
		file, err := os.Open(name) //nolint:gosec // a file of the user
		if err != nil {
			return nil, cli.UsageError{Err: cli.Plain(err)}
		}
		some, err := table.ReadBids(file)
		_ = file.Close() // it was only read
		if err != nil {
			return nil, cli.Usagef("%s: %v", name, err)
		}
		all = append(all, some...)
	}
	return all, nil
}
