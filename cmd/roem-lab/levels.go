package main

import (
	"context"
	"flag"
	"fmt"
	"math"

	"roem/internal/cli"
	"roem/internal/engine/klaverjas"
	"roem/internal/engine/klaverjas/bidding"
	"roem/internal/engine/klaverjas/players"
	service "roem/internal/service/klaverjas"
)

func levelsCommand() cli.Command {
	return cli.Command{
		Name:  "levels",
		Short: "measures the levels of the opponents for people: duplicate matches between neighbours",
		Long: `Lets each level play a duplicate match against the level below it, and the weakest against random players. Writes
a Markdown table: what each level is, and how many points a hand it scores above the one below, with the interval of
95 %. Trump is decided by free bidding, in which all players call alike. The rules are those of Rotterdam.`,
		Setup: func(flags *flag.FlagSet) func(context.Context, cli.Stdio, []string) error {
			deals, searched, workers := 4000, 1000, 0
			cli.NumberFlag(flags, &deals, "deals", 2, math.MaxInt, "the number of `deals` of a match, each played twice")
			cli.NumberFlag(flags, &searched, "searched", 2, math.MaxInt, "the number of `deals` of a match of a level that searches worlds")
			cli.WorkersFlag(flags, &workers, "play `n` deals at a time, each on one core")
			seed := cli.SeedFlag(flags)
			return func(ctx context.Context, std cli.Stdio, _ []string) error {
				return writeLevels(ctx, std, [2]int{deals, searched}, players.Contest{
					Rules: klaverjas.DefaultRules(klaverjas.Rotterdam), Seed: seed.Value, Workers: workers,
					NewTools: service.NewTools, Bidding: service.PlayedBidding(bidding.Free),
				})
			}
		},
	}
}

// writeLevels plays the matches between neighbours, and writes a row for each. deals is the number of deals of a match: of players that
// search nothing, and of others.
func writeLevels(ctx context.Context, std cli.Stdio, deals [2]int, c players.Contest) error {
	if _, err := fmt.Fprint(std.Out, "| level | what it is | against | deals | points a hand above it | deals won |\n"+
		"|---|---|---|---|---|---|\n"); err != nil {
		return cli.Writing(err)
	}
	below := "random"
	for _, l := range players.Levels() {
		for side, name := range map[*players.Kind]string{&c.A: l.Name, &c.B: below} {
			kind, err := players.ParseKind(name, 0)
			if err != nil {
				return err
			}
			*side = kind
		}
		if c.Units = deals[0]; c.A.Worlds() > 0 {
			c.Units = deals[1]
		}
		r, err := c.Run(ctx)
		if err != nil {
			return err
		}
		what := "`" + l.Player + "`"
		if l.Share > 0 {
			what += fmt.Sprintf("; in %d %% of its choices ", l.Share) + "`" + l.Weaker + "`"
		}
		d, s := r.Difference, r.Share
		if _, err := fmt.Fprintf(std.Out, "| `%s` | %s | `%s` | %d | %+.1f (%+.1f to %+.1f) | %.1f %% ± %.1f |\n",
			l.Name, what, below, r.Deals, d.Mean, d.Low, d.High, 100*s.Mean, 100*(s.High-s.Mean)); err != nil {
			return cli.Writing(err)
		}
		below = l.Name
	}
	return nil
}
