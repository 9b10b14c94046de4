package main

import (
	"bufio"
	"context"
	"flag"
	"strconv"

	"roem/internal/api"
	"roem/internal/cli"
	"roem/internal/cli/lines"
	"roem/internal/engine/piquet"
	randomly "roem/internal/random"
	"roem/internal/service"
	"roem/internal/service/klaverjas"
)

func randomCommand() cli.Command {
	return cli.Command{
		Name:  "random",
		Short: "draws random deals, as positions for the other commands",
		Long: `Writes random deals as positions. With a seed they are the same each time: the first is the deal that the HTTP API draws
from this seed, and the others share no deal with another seed. With -played, cards are played at random, each legal card equally
likely; they depend on the seed too. With -hand it writes only the leader's hand of each deal, for "roem hand-strength".`,
		Setup: func(flags *flag.FlagSet) func(context.Context, cli.Stdio, []string) error {
			var (
				n            = flags.Uint64("n", 1, "the number of `deals`")
				classUniform = flags.Bool("class-uniform", false, "first draw a suit-distribution class, all equally likely")
				hand         = flags.Bool("hand", false, "write only the leader's hand, without trump")
				seed         = cli.SeedFlag(flags)
				played       = cli.Number(flags, "played", 0, 0, piquet.Deck.Len(), "play this number of random legal `cards` of each deal, 0 to 32")
				trump        = piquet.Clubs
				leader       = piquet.North
			)
			trumpAndLeaderFlags(flags, &trump, &leader)
			return func(ctx context.Context, std cli.Stdio, _ []string) error {
				draw := api.KlaverjasRandomDealParamsDrawUniform
				if *classUniform {
					draw = api.KlaverjasRandomDealParamsDrawClassUniform
				}
				if *hand && *played > 0 {
					return cli.Usagef("-hand and -played: a hand has no cards played")
				}
				of := func(p api.KlaverjasDealPosition) any { return p }
				if *hand {
					of = leadersHand
				}
				return random(ctx, std, *n, seed.Chosen(), draw, trump, leader, *played, of)
			}
		},
	}
}

// hand is a hand without the others.
type hand struct {
	Hand   api.KlaverjasHand `json:"hand"`
	Seat   api.KlaverjasSeat `json:"seat"`
	Leader api.KlaverjasSeat `json:"leader"`
}

// leadersHand returns the hand of the leader.
func leadersHand(p api.KlaverjasDealPosition) any {
	hands := map[api.KlaverjasSeat]api.KlaverjasHand{"N": p.Hands.N, "E": p.Hands.E, "S": p.Hands.S, "W": p.Hands.W}
	return hand{hands[p.Leader], p.Leader, p.Leader}
}

// random writes what of returns for each of n deals. Each is drawn from a seed of its own.
func random(
	ctx context.Context, std cli.Stdio, n, seed uint64, draw api.KlaverjasRandomDealParamsDraw, trump piquet.Suit, leader piquet.Seat,
	played int, of func(api.KlaverjasDealPosition) any,
) error {
	trumpText, leaderText := trump.String(), leader.String()
	return randomDeals(ctx, std, n, seed, klaverjasGame(), func(g *klaverjas.Game, seed uint64) (any, error) {
		text := strconv.FormatUint(seed, 10)
		deal, err := g.RandomDeal(api.KlaverjasRandomDealParams{Trump: &trumpText, Leader: &leaderText, Draw: &draw, Seed: &text})
		switch {
		case err != nil:
			return nil, err
		case played == 0:
			return of(deal.Position), nil
		}
		return playAtRandom(ctx, g, deal.Position, played, seed)
	})
}

// randomDeals writes what deal returns for each of n seeds, which are drawn from one.
func randomDeals[G any](
	ctx context.Context, std cli.Stdio, n, seed uint64, game lines.Game[G], deal func(g G, seed uint64) (any, error),
) error {
	s, err := service.New(service.Options{Version: version})
	if err != nil {
		return err
	}
	g, err := game.New(s)
	if err != nil {
		return err
	}
	out := bufio.NewWriter(std.Out)
	for i := range n {
		if ctx.Err() != nil {
			break
		}
		drawn, err := deal(g, randomly.Seed(seed, i))
		if err != nil {
			return err
		}
		line, err := cli.Encode(drawn)
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

// playedDeal is a deal with the cards played.
type playedDeal struct {
	api.KlaverjasDealPosition
	Played api.Cards `json:"played"`
}

// playAtRandom returns a deal after n random cards.
func playAtRandom(ctx context.Context, g *klaverjas.Game, deal api.KlaverjasDealPosition, n int, seed uint64) (any, error) {
	line, err := cli.Encode(deal)
	if err != nil {
		return nil, err
	}
	p, err := klaverjas.ParsePosition(ctx, g, line)
	if err != nil {
		return nil, err
	}
	played, err := g.RandomPlay(p, n, seed)
	if err != nil {
		return nil, err
	}
	return playedDeal{deal, played}, nil
}
