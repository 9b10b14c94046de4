package main

import (
	"context"
	"flag"
	"strings"
	"sync"

	"roem/internal/cli"
	"roem/internal/cli/lines"
	"roem/internal/engine/klaverjas/players"
	"roem/internal/engine/piquet"
	"roem/internal/service"
	"roem/internal/service/klaverjas"
)

func playCommand() cli.Command {
	names := [2]string{"simple", "simple"}
	var (
		worlds *int
		seed   *cli.Seed
	)
	return cli.Command{
		Name: "play", Args: "[FILE ...]",
		Short: "plays hands to the end with players of the program, and writes what they think",
		Long: `Reads positions and lets players play them to the end. It writes, for each, the cards in order, with the
thoughts of the player and what everybody may conclude from the card (the announcements) where the players can tell,
and the points at the end.

The players are ` + strings.Join(players.Names(), ", ") +
			`. The last five are levels for people.
An option follows a colon: logical:compat, logical:rules, pimc:20, playout:20, mixture:20. Of these,
logical can tell what it thinks.
` + lines.FilesHelp,
		Setup: klaverjasGame().Setup(func(flags *flag.FlagSet) {
			flags.Func("players", "the `player` of all four seats (default simple)", func(text string) error {
				names = [2]string{text, text}
				_, err := players.ParseKind(text, 0)
				return err
			})
			for i, team := range piquet.Teams() {
				flags.Func(strings.ToLower(team.String()), "the `player` of "+team.String()+", if it differs from -players, which comes first",
					func(text string) error {
						names[i] = text
						_, err := players.ParseKind(text, 0)
						return err
					})
			}
			worlds = flags.Int("worlds", players.DefaultWorlds, "how many `worlds` a player without a number of its own searches for a card")
			seed = cli.SeedFlag(flags)
		}, lines.Files, func(_ *service.Service, g *klaverjas.Game) lines.Answerer {
			tools := sync.Pool{New: func() any { return klaverjas.NewTools() }}
			return lines.NewAnswerer(g.ParsePosition, func(ctx context.Context, p klaverjas.Position) (klaverjas.PlayedHand, error) {
				t, _ := tools.Get().(*players.Tools)
				defer tools.Put(t)
				return g.Play(ctx, p, klaverjas.PlaySpec{Players: names, Worlds: *worlds, Seed: seed.Value, Tools: t})
			})
		}),
	}
}
