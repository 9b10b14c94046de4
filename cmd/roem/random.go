package main

import (
	"bufio"
	"context"
	"crypto/rand"
	"encoding/binary"
	"flag"
	"strconv"

	"roem/internal/api"
	"roem/internal/cards"
	"roem/internal/cli"
	"roem/internal/service"
	"roem/internal/service/klaverjas"
)

func randomCommand() cli.Command {
	return cli.Command{
		Name:  "random",
		Short: "draws random deals, as positions for the other commands",
		Long: `Writes random deals as positions. With a seed they are the same each time: the first is the deal that the HTTP API draws
from this seed, the second is that of the next seed, and so on. With -hand it writes only the leader's hand of each deal, for "roem
hand-strength".`,
		Setup: func(flags *flag.FlagSet) func(context.Context, cli.Stdio, []string) error {
			var (
				n            = flags.Uint64("n", 1, "the number of `deals`")
				classUniform = flags.Bool("class-uniform", false, "first draw a suit-distribution class, all equally likely")
				hand         = flags.Bool("hand", false, "write only the leader's hand, without trump")
				seed         = cli.SeedFlag(flags)
				trump        = cards.Clubs
				leader       = cards.North
			)
			trumpAndLeaderFlags(flags, &trump, &leader)
			return func(ctx context.Context, std cli.Stdio, args []string) error {
				if len(args) > 0 {
					return cli.Usagef("unexpected argument %q", args[0])
				}
				if seed.Text == "" {
					var b [8]byte
					if _, err := rand.Read(b[:]); err != nil {
						return err
					}
					seed.Value = binary.BigEndian.Uint64(b[:])
				}
				draw := api.Uniform
				if *classUniform {
					draw = api.ClassUniform
				}
				of := func(p api.DealPosition) any { return p }
				if *hand {
					of = leadersHand
				}
				return random(ctx, std, *n, seed.Value, draw, trump, leader, of)
			}
		},
	}
}

// hand is a hand without the others.
type hand struct {
	Hand   api.Hand `json:"hand"`
	Seat   api.Seat `json:"seat"`
	Leader api.Seat `json:"leader"`
}

// leadersHand returns the hand of the leader.
func leadersHand(p api.DealPosition) any {
	hands := map[api.Seat]api.Hand{"N": p.Hands.N, "E": p.Hands.E, "S": p.Hands.S, "W": p.Hands.W}
	return hand{hands[p.Leader], p.Leader, p.Leader}
}

// random writes what of returns for each of n deals. Each is drawn from its own seed: first, first+1, and so on.
func random(
	ctx context.Context, std cli.Stdio, n, first uint64, draw api.KlaverjasRandomDealParamsDraw, trump cards.Suit, leader cards.Seat,
	of func(api.DealPosition) any,
) error {
	s, err := service.New(service.Options{Version: version})
	if err != nil {
		return err
	}
	g := klaverjas.New(s, klaverjas.Options{})
	trumpText, leaderText := trump.String(), leader.String()
	out := bufio.NewWriter(std.Out)
	for i := range n {
		if ctx.Err() != nil {
			break
		}
		seed := strconv.FormatUint(first+i, 10) // the seed after the largest is 0
		deal, err := g.RandomDeal(api.KlaverjasRandomDealParams{Trump: &trumpText, Leader: &leaderText, Draw: &draw, Seed: &seed})
		if err != nil {
			return err
		}
		line, err := cli.Encode(of(deal.Position))
		if err != nil {
			return err
		}
		if _, err := out.Write(line); err != nil {
			return cli.Writing(err)
		}
	}
	if err := out.Flush(); err != nil {
		return cli.Writing(err)
	}
	return context.Cause(ctx)
}
