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
	"roem/internal/engine/klaverjas/session"
	"roem/internal/engine/match"
	"roem/internal/engine/piquet"
	"roem/internal/engine/table"
	frame "roem/internal/engine/table/session"
	service "roem/internal/service/klaverjas"
)

func levelsCommand() cli.Command {
	return cli.Command{
		Name:  "levels",
		Short: "measures the levels of the opponents for people",
		Long: `Lets each level play a duplicate match against the level below it, and the weakest against random players. Writes
a Markdown table: what each level is, and how many points a hand it scores above the one below, with the interval of
95 %. Trump is decided by free bidding, in which all players call alike. The rules are the default rules of Rotterdam.

With -seat NAME, players of that level have three seats, and each level in turn the fourth, on the same deals. The table
then has the points a hand that the level scores in the fourth seat, minus the points of the strongest level.`,
		Setup: func(flags *flag.FlagSet) func(context.Context, cli.Stdio, []string) error {
			deals, searched, workers := 4000, 1000, 0
			cli.NumberFlag(flags, &deals, "deals", 2, math.MaxInt, "the number of `deals` of a match, each played twice")
			cli.NumberFlag(flags, &searched, "searched", 2, math.MaxInt, "the number of `deals` of a match of a level that searches worlds")
			cli.WorkersFlag(flags, &workers, "play `n` deals at a time, each on one core")
			seat := flags.String("seat", "", "measure one seat, at a table of players of this `level`")
			seed := cli.SeedFlag(flags)
			return func(ctx context.Context, std cli.Stdio, _ []string) error {
				if *seat != "" {
					return writeSeats(ctx, std, *seat, searched, seed.Value, workers)
				}
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
		if _, err := fmt.Fprintf(std.Out, "| `%s` | %s | `%s` | %d | %+.1f (%+.1f to %+.1f) | %.1f %% (%.1f to %.1f) |\n",
			l.Name, what, below, r.Deals, d.Mean, d.Low, d.High, 100*s.Mean, 100*s.Low, 100*s.High); err != nil {
			return cli.Writing(err)
		}
		below = l.Name
	}
	return nil
}

// seated is the players of a session, at all seats of its first hand.
type seated struct {
	session.Others

	match session.Match
}

// Choose returns what the player of the seat does.
func (s seated) Choose(ctx context.Context, v players.View) (players.Action, error) {
	return s.Others.Choose(ctx, s.match, frame.Turn[piquet.Seat]{Seat: v.Seat}, v)
}

// seatMargin returns the margin of north and south in the first hand of a session, in which Setup.Compare plays the seat too.
func seatMargin(ctx context.Context, setup session.Setup, tools *players.Tools) (int, error) {
	s, err := session.New(setup)
	if err != nil {
		return 0, err
	}
	one := seated{session.Others{
		Call: service.PlayedBidding(bidding.Free).Call,
		Do: func(ctx context.Context, _ int, work func(context.Context, *players.Tools) error) error {
			return work(ctx, tools)
		},
	}, s.Match()}
	end, err := table.Play(ctx, s.Hand().Table, []match.Player[players.View, players.Action]{one, one, one, one}, nil)
	if err != nil {
		return 0, err
	}
	points := players.Sheet(end.Position())
	return points[piquet.NorthSouth] - points[piquet.EastWest], nil
}

// writeSeats lets each level play one seat of the same deals at a table of players of a level, and writes a row for each.
func writeSeats(ctx context.Context, std cli.Stdio, around string, deals int, seed uint64, workers int) error {
	others, err := players.ParseKind(around, 0)
	if err != nil {
		return cli.UsageError{Err: err}
	}
	levels := players.Levels()
	kinds := make([]players.Kind, len(levels))
	for i, l := range levels {
		if kinds[i], err = players.ParseKind(l.Name, 0); err != nil {
			return err
		}
	}
	values := make([][]float64, len(levels))
	tools := make([]*players.Tools, max(workers, 1))
	for i := range tools {
		tools[i] = service.NewTools()
	}
	err = match.Run(ctx, deals, workers, func(ctx context.Context, worker, number int) ([]int, error) {
		margins := make([]int, len(kinds))
		for i := range kinds {
			var err error
			if margins[i], err = seatMargin(ctx, session.Setup{
				Rules: klaverjas.RulesJSON(klaverjas.DefaultRules(klaverjas.Rotterdam)), Seat: piquet.South, Flow: new(bidding.Free),
				Players: [2]players.Kind{others, others}, Compare: &kinds[i], Terms: session.Terms{Hands: 1, Secret: [2]uint64{seed, uint64(number)}},
			}, tools[worker]); err != nil {
				return nil, err
			}
		}
		return margins, nil
	}, func(_ int, margins []int) error {
		for i, m := range margins {
			values[i] = append(values[i], float64(m-margins[len(margins)-1]))
		}
		return nil
	})
	if err != nil {
		return err
	}
	best := levels[len(levels)-1].Name
	if _, err := fmt.Fprint(std.Out, "| level | points a hand above `", best, "`, ", deals, " deals |\n|---|---|\n"); err != nil {
		return cli.Writing(err)
	}
	for i, l := range levels[:len(levels)-1] {
		d := match.MeanOf(values[i])
		if _, err := fmt.Fprintf(std.Out, "| `%s` | %+.1f (%+.1f to %+.1f) |\n", l.Name, d.Mean, d.Low, d.High); err != nil {
			return cli.Writing(err)
		}
	}
	return nil
}
