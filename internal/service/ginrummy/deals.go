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
	var situations []api.GinSituation
	for seat, hand := range d.Hands {
		situations = append(situations, api.GinSituation{
			Starter: outWho(d.Starter ^ ginrummy.Seat(seat)), // me is 0
			Upcard:  d.Upcard.String(), Hand: outSet(hand), Events: []api.GinEvent{},
		})
	}
	return api.GinDeal{
		Starter: int(d.Starter), Hands: []api.GinCards{outSet(d.Hands[0]), outSet(d.Hands[1])}, Upcard: d.Upcard.String(),
		Stock: outCards(d.Stock[:]), Situations: situations, Seed: strconv.FormatUint(seed, 10), Version: g.service.Version(),
	}, nil
}
