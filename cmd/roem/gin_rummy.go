package main

import (
	"context"
	"flag"
	"runtime"
	"strconv"
	"strings"
	"time"

	"roem/internal/api"
	"roem/internal/cli"
	"roem/internal/engine/ginrummy/players"
	"roem/internal/service"
	"roem/internal/service/ginrummy"
)

// ginRummyCommand is the group of the operations of Gin Rummy.
func ginRummyCommand() cli.Command {
	return cli.Command{
		Name: "gin-rummy", Args: "OPERATION [FLAGS] [FILE ...]",
		Short: "the operations of Gin Rummy: melds, score, estimate, advise, match, random",
		Long: `The operations of Gin Rummy.

Usage: roem gin-rummy OPERATION [FLAGS] [FILE ...]

Requests and answers are those of the paths /v1/gin-rummy of the HTTP API, one a line.

`,
		Commands: []cli.Command{ginMelds(), ginScore(), ginEstimate(), ginAdvise(), ginMatch(), ginRandom()},
	}
}

func newGinRummy(s *service.Service) (*ginrummy.Game, error) {
	learned, err := ginrummy.Learned()
	if err != nil {
		return nil, err
	}
	return ginrummy.New(s, learned), nil
}

// ginLines returns the setup of an operation that answers lines.
func ginLines(newAnswerer func(*ginrummy.Game) answerer) setup {
	return gameLines(newGinRummy, noFlags, files, newAnswerer)
}

func ginMelds() cli.Command {
	return cli.Command{
		Name: "melds", Args: "[FILE ...]",
		Short: "the melds of hands, their deadwood and their best arrangements",
		Long: `Reads hands, {"hand": [...]} with ten or eleven cards, and writes their melds, their least deadwood and every
set of melds that leaves it.` + filesHelp,
		Setup: ginLines(func(g *ginrummy.Game) answerer {
			return newAnswerer(g.ParseMelds, func(_ context.Context, q ginrummy.MeldsQuery) (api.GinMelds, error) { return g.Melds(q) })
		}),
	}
}

func ginScore() cli.Command {
	return cli.Command{
		Name: "score", Args: "[FILE ...]",
		Short: "the score of knocks, with the lay-offs",
		Long: `Reads the hands of knockers and opponents, {"knocker": {"hand": [...]}, "opponent": {"hand": [...]}}, each
optionally with "melds", and writes the scores.` + filesHelp,
		Setup: ginLines(func(g *ginrummy.Game) answerer {
			return newAnswerer(g.ParseScore, func(_ context.Context, q ginrummy.ScoreQuery) (api.GinScore, error) { return g.Score(q) })
		}),
	}
}

func ginEstimate() cli.Command {
	return cli.Command{
		Name: "estimate", Args: "[FILE ...]",
		Short: "how likely the opponent holds each card",
		Long: `Reads situations, {"starter": ..., "upcard": ..., "own": [...], "events": [...]}, optionally each with
"method" and "threshold", and writes the probability of each card.` + filesHelp,
		Setup: ginLines(func(g *ginrummy.Game) answerer {
			return newAnswerer(g.ParseEstimate, func(_ context.Context, q ginrummy.EstimateQuery) (api.GinEstimate, error) { return g.Estimate(q) })
		}),
	}
}

func ginAdvise() cli.Command {
	return cli.Command{
		Name: "advise", Args: "[FILE ...]",
		Short: "what a player should do in situations",
		Long: `Reads situations, optionally each with "scores" and "player", and writes what that player does, and every allowed action.
` + filesHelp,
		Setup: ginLines(func(g *ginrummy.Game) answerer { return newAnswerer(g.ParseAdvise, g.Advise) }),
	}
}

func ginMatch() cli.Command {
	return cli.Command{
		Name:  "match",
		Short: "lets two kinds of players play duplicate games to 100 against each other",
		Long: `Plays pairs of games to 100, in which both have the same deals and the same starter with the seats swapped,
and writes the result as JSON: the share of games that the first kind wins, with the interval of 95 % over the pairs.
The result is the same for a seed whatever -workers, except for the times.

The players are` + strings.Join(append(players.Names(players.Kinds()), ginrummy.Playout), ", ") + `.

The progress is shown on standard error if that is a terminal.`,
		Setup: func(flags *flag.FlagSet) func(context.Context, cli.Stdio, []string) error {
			a, b := flags.String("a", "", "the first `player`"), flags.String("b", "simple", "the second `player`")
			pairs := flags.Int("pairs", 1000, "the number of `pairs` of games")
			workers := flags.Int("workers", runtime.GOMAXPROCS(0), "play `n` pairs at a time, each on one core")
			seed := cli.SeedFlag(flags)
			return func(ctx context.Context, std cli.Stdio, args []string) error {
				switch {
				case len(args) > 0:
					return cli.Usagef("unexpected argument %q", args[0])
				case *pairs < 1 || *pairs > maxDeals:
					return cli.Usagef("-pairs %d: expected 1 to %d", *pairs, maxDeals)
				case *workers < 1 || *workers > cli.MaxWorkers:
					return cli.Usagef("-workers %d: expected 1 to %d", *workers, cli.MaxWorkers)
				}
				learned, err := ginrummy.Learned()
				if err != nil {
					return err
				}
				c := players.Contest{Pairs: *pairs, Workers: *workers}
				kinds, err := parseSides([2]string{*a, *b}, append(players.Names(players.Kinds()), ginrummy.Playout),
					func(text string) (players.Kind, error) { return players.ParseKind(text, learned.Kinds) })
				if err != nil {
					return err
				}
				c.A, c.B, c.Seed = kinds[0], kinds[1], seed.Chosen()
				return playGinRummy(ctx, std, c)
			}
		},
	}
}

func playGinRummy(ctx context.Context, std cli.Stdio, c players.Contest) error {
	return playContest(std, "pairs", c.Pairs, func(done func()) (players.Result, error) {
		c.Progress = func(int) { done() }
		return c.Run(ctx)
	}, func(r players.Result, took time.Duration) any { return ginrummy.OutMatch(c, r, took, version) })
}

func ginRandom() cli.Command {
	return cli.Command{
		Name:  "random",
		Short: "draws random deals",
		Long: `Writes random deals. With a seed they are the same each time: the first is the deal that the HTTP API draws
from this seed, the second is that of the next seed, and so on.`,
		Setup: func(flags *flag.FlagSet) func(context.Context, cli.Stdio, []string) error {
			n := flags.Uint64("n", 1, "the number of `deals`")
			seed := cli.SeedFlag(flags)
			return func(ctx context.Context, std cli.Stdio, args []string) error {
				if len(args) > 0 {
					return cli.Usagef("unexpected argument %q", args[0])
				}
				return randomDeals(ctx, std, *n, seed.Chosen(), newGinRummy, func(g *ginrummy.Game, seed uint64) (any, error) {
					text := strconv.FormatUint(seed, 10)
					return g.RandomDeal(api.GinRummyRandomDealParams{Seed: &text})
				})
			}
		},
	}
}
