package tarok

import (
	"slices"
	"strconv"
	"strings"

	"roem/internal/api"
	"roem/internal/engine/tarok"
	"roem/internal/engine/violation"
	"roem/internal/random"
	"roem/internal/service"
)

// defaultContract is the contract of random deals: the lowest one with a declarer whose first card follows the deal, without an exchange.
const defaultContract = tarok.Zero

// RandomDeal draws a deal. The same seed gives the same deal. Without a seed one is drawn; the answer has it.
func (g *Game) RandomDeal(in api.TarokRandomDealParams) (api.TarokDeal, error) {
	var vs service.Problems
	contract := contractOf(in.Contract, &vs)
	declarer := in.Declarer
	if declarer == nil && contract != tarok.Klop {
		declarer = new(tarok.A.String())
	}
	player := readDeclarer(&vs, declarer, contract)
	for i, v := range vs {
		vs[i].Pointer, vs[i].Parameter = "", strings.TrimPrefix(v.Pointer, "/")+v.Parameter
	}
	seed, err := service.SeedOf(in.Seed)
	vs.AddIn("seed", err)
	if err := vs.Err(); err != nil {
		return api.TarokDeal{}, err
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

// contractOf reads the contract of a random deal. It adds violations to vs.
func contractOf(text *api.TarokContract, vs *service.Problems) tarok.Contract {
	if text == nil {
		return defaultContract
	}
	i := slices.Index(contractValues, *text)
	if i < 0 {
		vs.AddIn("contract", violation.Word(string(*text), contractValues...))
		return defaultContract
	}
	return tarok.Contract(i)
}
