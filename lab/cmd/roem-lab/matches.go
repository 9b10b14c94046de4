package main

import (
	"context"
	"flag"
	"fmt"
	"math"
	"strings"
	"time"

	"roem/internal/cli"
	"roem/internal/engine/klaverjas"
	"roem/internal/engine/klaverjas/players"
	service "roem/internal/service/klaverjas"
)

func matchesCommand() cli.Command {
	return cli.Command{
		Name:  "matches",
		Short: "lets players play duplicate matches against each other, all pairs",
		Long: `Plays a match between each two of the players, on the same deals, and writes a Markdown table: how many
points a hand the first scores above the second, with its interval of 95 %, the share of deals that it wins, nat when
it declares, and the time for a card. The rules are the default rules of Rotterdam, and the leader's team declares.`,
		Setup: func(flags *flag.FlagSet) func(context.Context, cli.Stdio, []string) error {
			c := &matchesFlags{deals: 2000, worlds: players.DefaultWorlds}
			flags.StringVar(&c.players, "players", "open,simple,logical:rules,logical,random",
				"the `players`, the strongest first, separated by commas")
			flags.StringVar(&c.against, "against", "", "play matches only against these `players`, separated by commas")
			cli.NumberFlag(flags, &c.deals, "deals", 2, math.MaxInt, "the number of `deals` of a match, each played twice")
			cli.NumberFlag(flags, &c.worlds, "worlds", 1, players.MaxWorlds,
				"the number of `worlds` for a card, for players without a number of their own")
			cli.WorkersFlag(flags, &c.workers, "play `n` deals at a time, each on one core")
			flags.Uint64Var(&c.seed, "seed", 1, "the `number` that the deals are drawn from")
			return func(ctx context.Context, std cli.Stdio, _ []string) error { return c.run(ctx, std) }
		},
	}
}

type matchesFlags struct {
	players, against       string
	deals, worlds, workers int
	seed                   uint64
}

func (c *matchesFlags) kinds(text string) (kinds []players.Kind, err error) {
	for name := range strings.SplitSeq(text, ",") {
		kind, err := players.ParseKind(name, c.worlds)
		if err != nil {
			return nil, cli.UsageError{Err: err}
		}
		kinds = append(kinds, kind)
	}
	return kinds, nil
}

func (c *matchesFlags) run(ctx context.Context, std cli.Stdio) error {
	kinds, err := c.kinds(c.players)
	if err != nil {
		return err
	}
	against := kinds
	if c.against != "" {
		if against, err = c.kinds(c.against); err != nil {
			return err
		}
	}
	if _, err := fmt.Fprintf(std.Out, "| A | B | deals | points a hand, A above B | deals won by A | nat when A / B declares | µs a card, A "+
		"/ B |\n|---|---|---|---|---|---|---|\n"); err != nil {
		return cli.Writing(err)
	}
	for i, a := range kinds {
		for j, b := range against {
			if c.against == "" && j <= i {
				continue
			}
			r, err := players.Contest{
				A: a, B: b, Rules: klaverjas.DefaultRules(klaverjas.Rotterdam), Units: c.deals, Seed: c.seed, Workers: c.workers,
				NewTools: service.NewTools,
			}.Run(ctx)
			if err != nil {
				return err
			}
			d, s := r.Difference, r.Share
			nat := func(s *players.Side) float64 { return 100 * float64(s.Nat) / float64(max(s.Hands, 1)) }
			card := func(s *players.Side) float64 { return float64(s.Decision.Mean()) / float64(time.Microsecond) }
			const row = "| %s | %s | %d | %+.1f (%+.1f to %+.1f) | %.1f %% (%.1f to %.1f) | %.1f %% / %.1f %% | %.0f / %.0f |\n"
			if _, err := fmt.Fprintf(std.Out, row,
				a.Name(), b.Name(), r.Deals, d.Mean, d.Low, d.High, 100*s.Mean, 100*s.Low, 100*s.High,
				nat(&r.Sides[0]), nat(&r.Sides[1]), card(&r.Sides[0]), card(&r.Sides[1])); err != nil {
				return cli.Writing(err)
			}
		}
	}
	return nil
}
