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
from this seed, the second is that of the next seed, and so on.`,
		Setup: func(flags *flag.FlagSet) func(context.Context, cli.Stdio, []string) error {
			var (
				n            = flags.Uint64("n", 1, "the number of `deals`")
				classUniform = flags.Bool("class-uniform", false, "first draw a suit-distribution class, all equally likely")
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
					var err error
					if seed.Value, err = randomSeed(); err != nil {
						return err
					}
				}
				draw := api.Uniform
				if *classUniform {
					draw = api.ClassUniform
				}
				return random(ctx, std, *n, seed.Value, draw, trump, leader)
			}
		},
	}
}

// randomSeed draws a seed.
func randomSeed() (uint64, error) {
	var b [8]byte
	_, err := rand.Read(b[:])
	return binary.BigEndian.Uint64(b[:]), err
}

// random writes n deals, each drawn from its own seed: first, first+1, and so on.
func random(
	ctx context.Context, std cli.Stdio, n, first uint64, draw api.KlaverjasRandomDealParamsDraw, trump cards.Suit, leader cards.Seat,
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
		line, err := cli.Encode(deal.Position)
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
