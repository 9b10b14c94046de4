package main

import (
	"context"
	"flag"
	"strings"
	"time"

	"roem/internal/cli"
	"roem/internal/engine/belote/players"
	"roem/internal/engine/belote/search"
	"roem/internal/engine/belote/worlds"
	"roem/internal/service/belote"
)

func beloteMatch() cli.Command {
	return cli.Command{
		Name:  "match",
		Short: "compares two kinds of players in duplicate deals",
		Long: `Draws deals from the seed, plays each twice, with the sides swapped, and writes the result as JSON: how many
points a hand the first kind writes down above the second, with the interval of 95 % over the deals, the contracts,
and the time a decision. The player of side A leads and declares. The result is the same for a seed whatever -workers,
except for the times.

The players are ` + strings.Join(players.Names(), ", ") + `. A number of worlds follows a colon: sampling:20, expectimax:20.

The progress is shown on standard error if that is a terminal.`,
		Setup: func(flags *flag.FlagSet) func(context.Context, cli.Stdio, []string) error {
			m := &beloteMatchFlags{worlds: players.DefaultWorlds, contest: players.Contest{Deals: 200, Suits: 4}}
			flags.StringVar(&m.a, "a", "", "the first `player`")
			flags.StringVar(&m.b, "b", "", "the second `player`")
			cli.NumberFlag(flags, &m.contest.Deals, "deals", 1, maxDeals, "the number of `deals`")
			cli.NumberFlag(flags, &m.contest.Suits, "suits", 1, 4, "the number of `suits`, 1 to 4")
			flags.BoolVar(&m.contest.NoTrump, "no-trump", false, "play without trump; otherwise a suit is drawn with each deal")
			flags.Func("flip", "`when` the bottom card is turned: after_trick or immediate (default after_trick)", func(text string) (err error) {
				m.contest.Flip, err = worlds.ParseFlip(text)
				return err
			})
			flags.Func("utility", "what the players play for: `points` or contract (default points)", func(text string) (err error) {
				m.contest.Utility, err = search.ParseUtility(text)
				return err
			})
			cli.NumberFlag(flags, &m.worlds, "worlds", players.MinWorlds, players.MaxWorlds,
				"how many `worlds` a player without a number of its own searches for a card")
			cli.WorkersFlag(flags, &m.contest.Workers, "play `n` deals at a time, each on one core")
			seed := cli.SeedFlag(flags)
			return func(ctx context.Context, std cli.Stdio, _ []string) error {
				m.contest.Seed = seed.Chosen()
				return m.run(ctx, std)
			}
		},
	}
}

// beloteMatchFlags are the flags of belote match.
type beloteMatchFlags struct {
	a, b    string
	worlds  int
	contest players.Contest
}

func (m *beloteMatchFlags) run(ctx context.Context, std cli.Stdio) error {
	c := m.contest
	kinds, err := parseSides([2]string{m.a, m.b}, players.Names(),
		func(text string) (players.Kind, error) { return players.ParseKind(text, m.worlds) })
	if err != nil {
		return err
	}
	c.A, c.B = kinds[0], kinds[1]
	return playContest(std, "deals", c.Deals, func(done func()) (players.Result, error) {
		c.Progress = func(int, uint64) { done() }
		return c.Run(ctx)
	}, func(r players.Result, took time.Duration) any { return belote.OutMatch(c, r, took, version) })
}
