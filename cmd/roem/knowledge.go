package main

import (
	"context"
	"flag"
	"strconv"

	"roem/internal/api"
	"roem/internal/cli"
	"roem/internal/cli/lines"
	"roem/internal/engine/piquet"
	"roem/internal/service"
	"roem/internal/service/klaverjas"
)

func viewCommand() cli.Command {
	var seat *piquet.Seat
	return cli.Command{
		Name: "view", Args: "[FILE ...]",
		Short: "writes the views of one seat in positions, for the commands that read views",
		Long: `Reads positions and writes views: the eight cards dealt to the seat and the cards played, without the other hands.
` + lines.FilesHelp,
		Setup: klaverjasGame().Setup(func(flags *flag.FlagSet) {
			flags.Func("seat", "the `seat`: N, E, S or W (default the seat on turn)", func(text string) error {
				one, err := piquet.ParseSeat(text)
				seat = &one
				return err
			})
		}, lines.Files, func(_ *service.Service, g *klaverjas.Game) lines.Answerer {
			return lines.NewAnswerer(klaverjas.ParsePosition.Of(g), func(_ context.Context, p klaverjas.Position) (klaverjas.View, error) {
				return g.View(p, seat), nil
			})
		}),
	}
}

func worldsCommand() cli.Command {
	var (
		count    uint64
		seed     *cli.Seed
		distinct bool
	)
	return cli.Command{
		Name: "worlds", Args: "[FILE ...]",
		Short: "draws random worlds of views: hands that agree with what a seat has seen",
		Long: `Reads views, optionally each with "worlds", "seed" and "distinct", and writes random worlds. Each world is
equally likely. The same seed gives the same worlds of a view.` + lines.FilesHelp,
		Setup: klaverjasGame().Setup(func(flags *flag.FlagSet) {
			flags.Uint64Var(&count, "worlds", 1, "the `number` of worlds for lines without one, 1 to 1000")
			flags.BoolVar(&distinct, "distinct", false, "draw no world twice, for lines without distinct")
			seed = cli.SeedFlag(flags)
		}, lines.Files, func(_ *service.Service, g *klaverjas.Game) lines.Answerer {
			return lines.NewAnswerer(func(ctx context.Context, line []byte) (klaverjas.WorldsQuery, error) {
				line = service.WithDefault(line, "worlds", count)
				line = service.WithDefault(line, "distinct", distinct)
				if seed.Text != "" {
					line = service.WithDefault(line, "seed", strconv.FormatUint(seed.Value, 10))
				}
				return klaverjas.ParseWorlds(ctx, g, line)
			}, func(_ context.Context, q klaverjas.WorldsQuery) (api.KlaverjasWorlds, error) { return g.Worlds(q) })
		}),
	}
}
