package main

import (
	"context"
	"flag"
	"strconv"

	"roem/internal/api"
	"roem/internal/cli"
	"roem/internal/cli/lines"
	"roem/internal/service"
	"roem/internal/service/tarok"
)

// tarokCommand is the group of the operations of tarok.
func tarokCommand() cli.Command {
	return gameCommand("tarok", "tarok for three players", append(tarokGame().Commands(tarok.Operations), tarokMatch(), tarokRandom()))
}

func tarokGame() lines.Game[*tarok.Game] {
	return lines.Game[*tarok.Game]{Version: version, New: func(s *service.Service) (*tarok.Game, error) {
		return tarok.New(s, tarok.Options{}), nil
	}}
}

func tarokRandom() cli.Command {
	return cli.Command{
		Name:  "random",
		Short: "draws random deals, as positions for the other operations",
		Long: `Writes random deals as positions. With a seed they are the same each time: the first is the deal that the HTTP
API draws from this seed, and the others share no deal with another seed.`,
		Setup: func(flags *flag.FlagSet) func(context.Context, cli.Stdio, []string) error {
			n := flags.Uint64("n", 1, "the number of `deals`")
			contract := flags.String("contract", "zero", "the `contract`")
			declarer := flags.String("declarer", "", "the `seat` of the declarer (default A, and none in klop)")
			seed := cli.SeedFlag(flags)
			return func(ctx context.Context, std cli.Stdio, _ []string) error {
				params := api.TarokRandomDealParams{Contract: (*api.TarokContract)(contract)}
				if *declarer != "" {
					params.Declarer = declarer
				}
				return randomDeals(ctx, std, *n, seed.Chosen(), tarokGame(), func(g *tarok.Game, seed uint64) (any, error) {
					params.Seed = new(strconv.FormatUint(seed, 10))
					deal, err := g.RandomDeal(params)
					if err != nil {
						return nil, cli.UsageError{Err: err}
					}
					return deal.Position, nil
				})
			}
		},
	}
}
