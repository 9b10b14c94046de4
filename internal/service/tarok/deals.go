package tarok

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"roem/internal/api"
	"roem/internal/engine/tarok"
	"roem/internal/random"
	"roem/internal/service"
)

// defaultContract is the contract of random deals: the lowest one with a declarer whose first card follows the deal, without an exchange.
const defaultContract = tarok.Zero

// RandomDeal draws a deal. The same seed gives the same deal. Without a seed one is drawn; the answer has it.
func (g *Game) RandomDeal(in api.TarokRandomDealParams) (api.TarokDeal, error) {
	contract, bad := contractOf(in.Contract)
	var vs service.Problems
	declarer := in.Declarer
	if declarer == nil && contract != tarok.Klop {
		first := tarok.A.String()
		declarer = &first
	}
	player := readDeclarer(&vs, declarer, contract)
	for i := range vs {
		vs[i] = service.Violation{Parameter: strings.TrimPrefix(vs[i].Pointer, "/"), Detail: vs[i].Detail}
	}
	seed, err := service.SeedOf(in.Seed)
	if err != nil {
		bad = append(bad, service.Violation{Parameter: "seed", Detail: err.Error()})
	}
	switch {
	case len(bad) > 0:
		return api.TarokDeal{}, service.NewMalformed(append(bad, vs...)...)
	case len(vs) > 0:
		return api.TarokDeal{}, service.NewImpossible(vs...)
	}
	d := tarok.Random(random.New(seed))
	position := api.TarokDealPosition{
		Hands: outHands(d.Hands), Talon: outCards(d.Talon[:]), Contract: api.TarokContract(contract.String()),
	}
	if contract != tarok.Klop {
		position.Declarer = outPlayer(player)
	}
	return api.TarokDeal{Position: position, Seed: strconv.FormatUint(seed, 10), Version: g.service.Version()}, nil
}

// contractOf reads the contract of a random deal.
func contractOf(text *api.TarokContract) (tarok.Contract, []service.Violation) {
	if text == nil {
		return defaultContract, nil
	}
	if i := slices.Index(contractValues, *text); i >= 0 {
		return tarok.Contract(i), nil
	}
	return defaultContract, []service.Violation{{
		Parameter: "contract", Detail: fmt.Sprintf("%.40q is not one of %v", string(*text), contractValues),
	}}
}
