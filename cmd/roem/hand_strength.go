package main

import (
	"roem/internal/cli"
	"roem/internal/service/klaverjas"
)

func handStrengthCommand() cli.Command {
	return cli.Command{
		Name: "hand-strength", Args: "[FILE ...]",
		Short: "estimates how strong eight cards are, for each trump",
		Long: `Reads hands, {"hand": [...], "seat": ..., "leader": ...}, optionally each with "rules", "declarer", "trump",
"precision", "method" and "seed", and writes how strong they are: the probability that the declarers win and the
distribution of the outcome. "roem random -hand" draws such hands.` + filesHelp,
		Setup: modelCommand(noFlags, func(g *klaverjas.Game) answerer {
			return newQueryAnswerer(g, g.ParseHandStrength)
		}),
	}
}
