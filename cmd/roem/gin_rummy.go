package main

import (
	"context"
	"flag"
	"strconv"
	"strings"
	"time"

	"roem/internal/api"
	"roem/internal/cli"
	"roem/internal/cli/lines"
	engine "roem/internal/engine/ginrummy"
	"roem/internal/engine/ginrummy/players"
	"roem/internal/engine/match"
	"roem/internal/service"
	"roem/internal/service/ginrummy"
)

// ginRummyCommand is the group of the operations of Gin Rummy.
func ginRummyCommand() cli.Command {
	return gameCommand("gin-rummy", "Gin Rummy", append(ginCommands(), ginMatch(), ginRandom()))
}

// forestUsage is the usage of the flag -forest.
const forestUsage = "the `file` of the random forest, for the method forest and the player ohe:forest"

// ginCommands are the commands of the operations. Those that can use a forest have a flag for its file.
func ginCommands() []cli.Command {
	path := ""
	game := lines.Game[*ginrummy.Game]{Version: version, New: func(s *service.Service) (*ginrummy.Game, error) { return newGinRummy(s, path) }}
	commands := game.Commands(ginrummy.Operations)
	for i := range commands {
		c := &commands[i]
		if c.Name != "estimate" && c.Name != "advise" {
			continue
		}
		setup := c.Setup
		c.Setup = func(flags *flag.FlagSet) func(context.Context, cli.Stdio, []string) error {
			flags.StringVar(&path, "forest", "", forestUsage)
			return setup(flags)
		}
	}
	return commands
}

// learnGinRummy returns the options of the game with the forest of a file.
func learnGinRummy(path string) (ginrummy.Options, error) {
	f, err := ginrummy.OpenForest(path)
	if err != nil {
		return ginrummy.Options{}, cli.Plain(err)
	}
	return ginrummy.Learned(f)
}

func ginRummyGame() lines.Game[*ginrummy.Game] {
	return lines.Game[*ginrummy.Game]{Version: version, New: func(s *service.Service) (*ginrummy.Game, error) { return newGinRummy(s, "") }}
}

func newGinRummy(s *service.Service, forest string) (*ginrummy.Game, error) {
	learned, err := learnGinRummy(forest)
	if err != nil {
		return nil, err
	}
	return ginrummy.New(s, learned), nil
}

func ginMatch() cli.Command {
	return cli.Command{
		Name:  "match",
		Short: "compares two kinds of players in duplicate games to 100",
		Long: `Plays pairs of games to 100, in which both have the same deals and the same starter with the seats swapped,
and writes the result as JSON: the share of games that the first kind wins, with the interval of 95 % over the pairs.
The result is the same for a seed whatever -workers, except for the times.

The players are ` + strings.Join(append(match.Names(players.Kinds()), ginrummy.Playout), ", ") + `. Options follow a colon: ohe:network,
ohe:forest, ohe:uniform, ohe:none, and the weight of the melds: ohe:0.2, ohe:none:0.2.

The progress is shown on standard error if that is a terminal.`,
		Setup: func(flags *flag.FlagSet) func(context.Context, cli.Stdio, []string) error {
			a, b := flags.String("a", "", "the first `player`"), flags.String("b", "simple", "the second `player`")
			c := players.Contest{Pairs: 1000}
			cli.NumberFlag(flags, &c.Pairs, "deals", 1, maxDeals, "the `number` of sequences of deals, each played twice")
			cli.WorkersFlag(flags, &c.Workers, "play `n` sequences at a time, each on one core")
			forest := flags.String("forest", "", forestUsage)
			seed := cli.SeedFlag(flags)
			flags.Func("lay-offs", "the `rule` of lay-offs: best or challenge (default best)", func(text string) (err error) {
				c.LayOffs, err = engine.ParseLayOffs(text)
				return err
			})
			return func(ctx context.Context, std cli.Stdio, _ []string) error {
				learned, err := learnGinRummy(*forest)
				if err != nil {
					return err
				}
				kinds, err := parseSides([2]string{*a, *b}, append(match.Names(players.Kinds()), ginrummy.Playout),
					func(text string) (players.Kind, error) { return match.ParseKind(text, learned.Kinds) })
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
	return playContest(std, "deals", c.Pairs, func(done func()) (players.Result, error) {
		c.Progress = func(int) { done() }
		return c.Run(ctx)
	}, func(r players.Result, took time.Duration) any { return ginrummy.OutMatch(c, r, took, version) })
}

func ginRandom() cli.Command {
	return cli.Command{
		Name:  "random",
		Short: "draws random deals",
		Long: `Writes random deals. With a seed they are the same each time: the first is the deal that the HTTP API draws
from this seed, and the others share no deal with another seed.`,
		Setup: func(flags *flag.FlagSet) func(context.Context, cli.Stdio, []string) error {
			n := flags.Uint64("n", 1, "the number of `deals`")
			seed := cli.SeedFlag(flags)
			return func(ctx context.Context, std cli.Stdio, _ []string) error {
				return randomDeals(ctx, std, *n, seed.Chosen(), ginRummyGame(), func(g *ginrummy.Game, seed uint64) (any, error) {
					text := strconv.FormatUint(seed, 10)
					return g.RandomDeal(api.GinRummyRandomDealParams{Seed: &text})
				})
			}
		},
	}
}
