package main

import (
	"context"
	"flag"
	"strconv"

	"roem/internal/api"
	"roem/internal/cli"
	"roem/internal/cli/lines"
	"roem/internal/service"
	"roem/internal/service/belote"
)

// beloteCommand is the group of the operations of Belote Découverte.
func beloteCommand() cli.Command {
	return gameCommand("belote", "Belote Découverte", append(beloteGame().Commands(belote.Operations), beloteMatch(), beloteRandom()))
}

func beloteGame() lines.Game[*belote.Game] {
	return lines.Game[*belote.Game]{Version: version, New: func(s *service.Service) (*belote.Game, error) {
		return belote.New(s, belote.Options{}), nil
	}}
}

func beloteRandom() cli.Command {
	return cli.Command{
		Name:  "random",
		Short: "draws random deals, as positions for the other operations",
		Long: `Writes random deals as positions. With a seed they are the same each time: the first is the deal that the HTTP API draws from this
seed, and the others share no deal with another seed.`,
		Setup: func(flags *flag.FlagSet) func(context.Context, cli.Stdio, []string) error {
			var (
				n     = flags.Uint64("n", 1, "the number of `deals`")
				seed  = cli.SeedFlag(flags)
				suits = flags.String("suits", "CDHS", "the `suits` of the deck, one to four")
				trump = flags.String("trump", "", "the trump `suit`, or none (default the first suit)")
				view  = flags.Bool("view", false, "write null for face-down cards, as the players see the deal")
			)
			return func(ctx context.Context, std cli.Stdio, _ []string) error {
				params := api.BeloteRandomDealParams{Suits: suits}
				if *trump != "" {
					params.Trump = trump
				}
				return randomBelote(ctx, std, *n, seed.Chosen(), params, *view)
			}
		},
	}
}

func randomBelote(ctx context.Context, std cli.Stdio, n, first uint64, params api.BeloteRandomDealParams, view bool) error {
	return randomDeals(ctx, std, n, first, beloteGame(), func(g *belote.Game, seed uint64) (any, error) {
		params.Seed = new(strconv.FormatUint(seed, 10))
		deal, err := g.RandomDeal(params)
		switch {
		case err != nil:
			return nil, cli.UsageError{Err: err}
		case view:
			return belote.HideBottoms(deal.Position), nil
		}
		return deal.Position, nil
	})
}
