package main

import (
	"context"
	"flag"
	"slices"
	"strings"
	"time"

	"roem/internal/cli"
	"roem/internal/engine/match"
	rules "roem/internal/engine/tarok"
	"roem/internal/engine/tarok/advice"
	"roem/internal/engine/tarok/players"
	"roem/internal/service/tarok"
)

func tarokMatch() cli.Command {
	return cli.Command{
		Name:  "match",
		Short: "compares two kinds of players in duplicate hands",
		Long: `Plays deals from the bidding to the score, each at three or six tables, so that each kind gets the same cards
in the same seats, and writes the result as JSON: what a player of the first kind scores above one of the second in a
hand, with the interval of 95 % over the deals. The result is the same for a seed whatever -workers, except for the
times.

The players are ` + strings.Join(match.Names(advice.Kinds()), ", ") + `.

The progress is shown on standard error if that is a terminal.`,
		Setup: func(flags *flag.FlagSet) func(context.Context, cli.Stdio, []string) error {
			a, b := flags.String("a", "", "the first `player`"), flags.String("b", "heuristic", "the second `player`")
			c := players.Contest{Deals: 100, Hands: 1, Rules: rules.DefaultRules}
			cli.NumberFlag(flags, &c.Deals, "deals", 1, maxDeals, "the number of `deals`, or of sessions")
			cli.NumberFlag(flags, &c.Hands, "hands", 1, maxDeals, "the number of `hands` of a session")
			flags.Func("rules", `the `+"`rules`"+`, a JSON object as in requests, such as {"mond": 20, "bidding": "forehand_last"}`,
				func(text string) (err error) {
					c.Rules, err = tarok.ParseRules([]byte(text))
					return err
				})
			flags.BoolVar(&c.NoRadli, "no-radli", false, "give no radli")
			seating := flags.String("seating", "both", "one (one of -a against two of -b), two (two against one) or both")
			cli.WorkersFlag(flags, &c.Workers, "play `n` deals at a time, each on one core")
			seed := cli.SeedFlag(flags)
			return func(ctx context.Context, std cli.Stdio, _ []string) error {
				at := slices.Index(players.Seatings(), *seating)
				if at < 0 {
					return cli.Usagef("-seating %.40q: expected one of %s", *seating, strings.Join(players.Seatings(), ", "))
				}
				c.Seating = players.Seating(at)
				kinds, err := parseSides([2]string{*a, *b}, match.Names(advice.Kinds()),
					func(text string) (players.Kind, error) { return match.ParseKind(text, advice.Kinds()) })
				if err != nil {
					return err
				}
				c.A, c.B, c.Seed = kinds[0], kinds[1], seed.Chosen()
				return playTarok(ctx, std, c)
			}
		},
	}
}

func playTarok(ctx context.Context, std cli.Stdio, c players.Contest) error {
	return playContest(std, "deals", c.Deals, func(done func()) (players.Result, error) {
		c.Progress = func(int) { done() }
		return c.Run(ctx)
	}, func(r players.Result, took time.Duration) any { return tarok.OutMatch(&c, &r, took, version) })
}
