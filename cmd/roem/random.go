package main

import (
	"bufio"
	"context"
	"crypto/rand"
	"encoding/binary"
	"errors"
	"flag"
	"strconv"

	"roem/internal/api"
	"roem/internal/cards"
	"roem/internal/service"
)

func randomCommand() command {
	return command{
		name:  "random",
		short: "random deals, as positions for the other commands",
		long: `Writes random deals as positions. With a seed they are the same each time: the first is the deal that the HTTP API draws
from the seed, the second that of the seed after it, and so on.`,
		setup: func(flags *flag.FlagSet) func(context.Context, stdio, []string) error {
			var (
				n            = flags.Uint64("n", 1, "how many `deals`")
				classUniform = flags.Bool("class-uniform", false, "draw a suit-distribution class first, each as likely as another")
				seed         = seedFlag(flags)
				trump        = cards.Clubs
				leader       = cards.North
			)
			trumpAndLeaderFlags(flags, &trump, &leader)
			return func(ctx context.Context, std stdio, args []string) error {
				if len(args) > 0 {
					return usagef("unexpected argument %q", args[0])
				}
				if seed.text == "" {
					var b [8]byte
					if _, err := rand.Read(b[:]); err != nil {
						return err
					}
					seed.value = binary.BigEndian.Uint64(b[:])
				}
				draw := api.Uniform
				if *classUniform {
					draw = api.ClassUniform
				}
				return random(ctx, std, *n, seed.value, draw, trump, leader)
			}
		},
	}
}

// seed is the value of a flag; its text is empty while it is not given.
type seed struct {
	text  string
	value uint64
}

func seedFlag(flags *flag.FlagSet) *seed {
	s := &seed{}
	flags.Func("seed", "the `number` that the deals are drawn from, 0 to 18446744073709551615 (default another each time)",
		func(text string) (err error) {
			s.text = text
			if s.value, err = strconv.ParseUint(text, 10, 64); err != nil {
				return errors.New("expected a whole number from 0 to 18446744073709551615")
			}
			return nil
		})
	return s
}

// random writes n deals, drawn from the seeds that follow each other from the first.
func random(
	ctx context.Context, std stdio, n, first uint64, draw api.KlaverjasRandomDealParamsDraw, trump cards.Suit, leader cards.Seat,
) error {
	s, err := service.New(service.Options{Version: version})
	if err != nil {
		return err
	}
	trumpText, leaderText := trump.String(), leader.String()
	out := bufio.NewWriter(std.out)
	for i := range n {
		if ctx.Err() != nil {
			break
		}
		seed := strconv.FormatUint(first+i, 10) // after the last seed comes 0
		deal, err := s.RandomDeal(api.KlaverjasRandomDealParams{Trump: &trumpText, Leader: &leaderText, Draw: &draw, Seed: &seed})
		if err != nil {
			return err
		}
		line, err := encode(deal.Position)
		if err != nil {
			return err
		}
		if _, err := out.Write(line); err != nil {
			return writing(err)
		}
	}
	if err := out.Flush(); err != nil {
		return writing(err)
	}
	return context.Cause(ctx)
}
