package klaverjas

import (
	"strconv"

	"roem/internal/api"
	"roem/internal/engine/klaverjas"
	"roem/internal/engine/klaverjas/index"
	"roem/internal/engine/piquet"
	"roem/internal/engine/violation"
	"roem/internal/service"
)

// The default trump and leader of a deal, as in canonical deals.
const (
	defaultTrump  = piquet.Clubs
	defaultLeader = piquet.North
)

// IndexDeal returns the index and the class of a deal.
func (g *Game) IndexDeal(p Position) (api.KlaverjasNumberedDeal, error) {
	return g.numbered(p.start.Deal())
}

// DealAtParams are the parameters of a deal by its index, which is in the path.
type DealAtParams struct {
	Index string `json:"index"` // a decimal number
	api.KlaverjasDealAtParams
}

// DealAt returns the deal with the index.
func (g *Game) DealAt(in DealAtParams) (api.KlaverjasNumberedDeal, error) {
	index := in.Index
	trump, leader, vs := trumpAndLeader(in.Trump, in.Leader)
	if !service.Decimal(index) {
		vs.AddIn("index", violation.New(violation.WrongForm, "is not a decimal number of at most 20 digits").Of(index))
		return api.KlaverjasNumberedDeal{}, vs.Err()
	}
	hands, err := unrank(index, trump, leader)
	vs.AddIn("index", err)
	if err := vs.Err(); err != nil {
		return api.KlaverjasNumberedDeal{}, err
	}
	return g.numbered(klaverjas.Deal{Trump: trump, Leader: leader, Declarer: leader.Team(), Hands: hands})
}

// RandomDeal draws a deal. The same seed gives the same deal. Without a seed one is drawn; the answer has it.
func (g *Game) RandomDeal(in api.KlaverjasRandomDealParams) (api.KlaverjasNumberedDeal, error) {
	trump, leader, vs := trumpAndLeader(in.Trump, in.Leader)
	classUniform := false
	if in.Draw != nil {
		switch *in.Draw {
		case api.KlaverjasRandomDealParamsDrawUniform:
		case api.KlaverjasRandomDealParamsDrawClassUniform:
			classUniform = true
		default:
			vs.AddIn("draw", violation.Word(
				string(*in.Draw), api.KlaverjasRandomDealParamsDrawUniform, api.KlaverjasRandomDealParamsDrawClassUniform,
			))
		}
	}
	seed, err := service.SeedOf(in.Seed)
	vs.AddIn("seed", err)
	if err := vs.Err(); err != nil {
		return api.KlaverjasNumberedDeal{}, err
	}
	draw := index.Random
	if classUniform {
		draw = index.RandomClassUniform
	}
	deal := klaverjas.Deal{Trump: trump, Leader: leader, Declarer: leader.Team()}
	deal.Hands = draw(index.NewRand(seed), trump, leader)
	out, err := g.numbered(deal)
	out.Seed = new(strconv.FormatUint(seed, 10))
	return out, err
}

func trumpAndLeader(trumpText, leaderText *string) (trump piquet.Suit, leader piquet.Seat, vs service.Problems) {
	trump, leader = defaultTrump, defaultLeader
	var err error
	if trumpText != nil {
		trump, err = piquet.ParseSuit(*trumpText)
		vs.AddIn("trump", err)
	}
	if leaderText != nil {
		leader, err = piquet.ParseSeat(*leaderText)
		vs.AddIn("leader", err)
	}
	return trump, leader, vs
}

func (g *Game) numbered(d klaverjas.Deal) (api.KlaverjasNumberedDeal, error) {
	class := index.ClassOf(d)
	number, err := index.ClassNumber(class)
	if err != nil {
		return api.KlaverjasNumberedDeal{}, err
	}
	return api.KlaverjasNumberedDeal{
		Position: api.KlaverjasDealPosition{
			Trump: api.Suit(d.Trump.String()), Leader: *outSeat(d.Leader),
			Hands: outDealt(d.Hands),
		},
		Deal:    outDeal(d),
		Class:   outClass(class, int(number)),
		Version: g.service.Version(),
	}, nil
}
