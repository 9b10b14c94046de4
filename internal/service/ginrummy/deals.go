package ginrummy

import (
	"strconv"

	"roem/internal/api"
	"roem/internal/engine/ginrummy"
	"roem/internal/engine/ginrummy/players"
	"roem/internal/service"
)

// RandomDeal draws a deal: the first of a match with the seed. The same seed gives the same deal. Without a seed one is drawn; the answer
// has it.
func (g *Game) RandomDeal(in api.GinRummyRandomDealParams) (api.GinDeal, error) {
	seed, err := service.SeedOf(in.Seed)
	if err != nil {
		return api.GinDeal{}, service.InParameter("seed", err)
	}
	d := ginrummy.SeededDeal(seed, 0, players.Starter(seed, 0))
	return api.GinDeal{
		Position: api.GinDealPosition{Starter: outSeat(d.Starter), Upcard: d.Upcard.String(), Hands: outHands(d.Hands)},
		Stock:    outCards(d.Stock[:]), Seed: strconv.FormatUint(seed, 10), Version: g.service.Version(),
	}, nil
}
