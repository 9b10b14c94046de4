package games

import (
	"math/rand/v2"

	"roem/internal/engine/klaverjas"
	"roem/internal/engine/piquet"
)

// Drawn is how the deal of a game of Make was drawn.
type Drawn struct {
	Declarer piquet.Seat // the seat that declared, of the declaring team
	Named    bool        // whether it named the trump that suits its hand; otherwise the trump was random
}

// DrawnOf returns how the deal of game i of Make was drawn, and false if the game is not that one. A row has no seat of the declarer.
func DrawnOf(g *Game, seed uint64, i int) (Drawn, bool) {
	rng := rand.New(rand.NewPCG(seed, uint64(i)))
	system := klaverjas.System(rng.IntN(2))
	d, drawn := drawDeal(rng)
	return drawn, system == g.Rules.System && d == g.Deal
}
