package tarok

import (
	"context"
	"math/rand/v2"
	"strconv"

	"roem/internal/api"
	"roem/internal/engine/tarok"
	"roem/internal/engine/tarok/advice"
	"roem/internal/engine/tarok/players"
	"roem/internal/engine/tarok/worlds"
	"roem/internal/engine/violation"
	"roem/internal/service"
)

// readCalls reads calls.
func readCalls(list []api.TarokCall) (out []tarok.Bid) {
	for _, text := range list {
		bid, _ := tarok.ParseBid(string(text))
		out = append(out, bid)
	}
	return out
}

// BidQuery asks what a player should call.
type BidQuery = ProgramQuery[advised]

// advised is what the program calls, and what each contract is worth.
type advised struct {
	bid       tarok.Bid
	prospects []advice.Prospect
}

// ParseBid reads the body of bid.
var ParseBid = service.BodyOf("TarokBidRequest", func(g *Game, in bidBody) (*BidQuery, error) {
	var vs service.Problems
	seed := vs.Seed(in.Seed)
	known := viewBody{Seat: in.Seat, Hand: in.Hand, Rules: in.Rules}
	v := players.View{Phase: players.ToBid, Margins: players.DefaultMargins}
	var err error
	if v.View, err = known.view(); err != nil {
		return nil, err
	}
	if err := vs.Err(); err != nil {
		return nil, err
	}
	if _, err := worlds.New(v.View); err != nil {
		return nil, known.order().impossible(err)
	}
	v.Held, v.Margins.Points, v.Bids = v.Hand, in.Margin, readCalls(in.Calls)
	if v.Bidding, err = tarok.NewBidding(v.Rules.Order).Bids(v.Bids); err != nil {
		return nil, service.FromEngine(err)
	}
	turn, more := v.Bidding.Turn()
	switch {
	case !more:
		vs.Addf("/calls", violation.Over, "end the bidding: nobody is to call")
	case turn != v.Player:
		vs.Add("/seat", notOnTurn(v.Player, turn))
	}
	settings := trialSettings(in.Evaluation, in.Method, in.Worlds, &vs)
	if err := vs.Err(); err != nil {
		return nil, err
	}
	about := service.AppendList(viewKey(&v.View), v.Bids).Int(v.Margins.Points)
	return newProgramQuery(g, KindBid, settings, seed, about, v,
		func(a *advice.Advisor, ctx context.Context, v *players.View, rng *rand.Rand) (out advised, err error) {
			out.bid, out.prospects, err = a.Bid(ctx, v, rng)
			return out, err
		}), nil
})

func (g *Game) outBid(q *BidQuery, a service.Answer[advised]) api.TarokBidAdvice {
	v, list := &q.view, a.Result.prospects
	out := api.TarokBidAdvice{
		Call: api.TarokCall(a.Result.bid.String()), LegalCalls: []api.TarokCall{}, Contracts: []api.TarokProspect{}, Margin: v.Margins.Points,
		Seed: strconv.FormatUint(q.seed, 10), Version: g.service.Version(),
	}
	for _, b := range v.Bidding.Legal() {
		out.LegalCalls = append(out.LegalCalls, api.TarokCall(b.String()))
	}
	for i := range list {
		p := &list[i]
		one := api.TarokProspect{Contract: api.TarokContract(p.Contract.String()), Worlds: p.Games, Viable: p.Viable}
		if p.Games > 0 {
			one.Points, one.Score, one.WinProbability = &p.Points, &p.Score, &p.Won
		}
		out.Contracts = append(out.Contracts, one)
	}
	return out
}

// notOnTurn is the violation of a player who is not to act.
func notOnTurn(p, turn tarok.Player) service.Violation {
	return violation.New(violation.NotOnTurn, "is %s, and it is the turn of %s", p, turn).Of(p).OneOf(turn.String())
}
