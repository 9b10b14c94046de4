package main

import (
	"roem/internal/cli"
	"roem/internal/service/klaverjas"
)

func bidCommand() cli.Command {
	return cli.Command{
		Name: "bid", Args: "[FILE ...]",
		Short: "what to call in the bidding, and what each call is worth",
		Long: `Reads hands in the bidding, {"flow": "free", "dealer": "W", "hand": [...]}, optionally each with "rules",
"calls", "turned", "again", "seat" and "seed", and writes the best call and what each trump and a pass are worth at
the table. The flows are free, official, obliged and turned.` + filesHelp,
		Setup: modelCommand(noFlags, func(g *klaverjas.Game) answerer {
			return newAnswerer(g.ParseBid, g.Bid)
		}),
	}
}
