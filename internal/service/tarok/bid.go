package tarok

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"strconv"

	"roem/internal/api"
	"roem/internal/engine/tarok"
	"roem/internal/engine/tarok/advice"
	"roem/internal/engine/tarok/players"
	"roem/internal/engine/tarok/worlds"
	"roem/internal/service"
)

type bidBody struct {
	Player *string    `json:"player"`
	Hand   *[]string  `json:"hand"`
	Bids   *[]string  `json:"bids"`
	Rules  *rulesBody `json:"rules"`
	Margin *int       `json:"margin"`
	Trials *int       `json:"trials"`
	Seed   *string    `json:"seed"`
}

func (in *bidBody) checkShape(s *shape) {
	known := viewBody{Player: in.Player, Hand: in.Hand, Rules: in.Rules}
	known.checkShape(s)
	s.bids(in.Bids)
	s.within("/margin", in.Margin, -maxMargin, maxMargin)
	s.within("/trials", in.Trials, 1, maxTrials)
	s.seed(in.Seed)
}

// bids checks bids, which may be absent.
func (s *shape) bids(list *[]string) {
	s.list("/bids", list, 0, maxBids)
	for i, bid := range valueOr(list) {
		s.oneOf("/bids/"+strconv.Itoa(i), &bid, bidNames)
	}
}

// readBids reads bids whose shape is checked.
func readBids(list *[]string) (out []tarok.Bid) {
	for _, text := range valueOr(list) {
		bid, _ := tarok.ParseBid(text)
		out = append(out, bid)
	}
	return out
}

// ParseBid reads the body of bid.
func (g *Game) ParseBid(ctx context.Context, body []byte) (*ProgramQuery, error) {
	return service.Decode(ctx, g.schemas, body, "TarokBidRequest", func(in bidBody) (*ProgramQuery, error) {
		var s shape
		in.checkShape(&s)
		if err := s.err(); err != nil {
			return nil, err
		}
		var vs violations
		seed := vs.seedOf(in.Seed)
		known := viewBody{Player: in.Player, Hand: in.Hand, Rules: in.Rules}
		v := players.View{Phase: players.ToBid, Margins: players.DefaultMargins}
		var err error
		if v.View, err = known.view(); err != nil {
			return nil, err
		}
		if len(vs) > 0 {
			return nil, service.NewImpossible(vs...)
		}
		if _, err := worlds.New(v.View); err != nil {
			return nil, known.order().impossible(err)
		}
		v.Held, v.Margins.Points, v.Bids = v.Hand, number(in.Margin, v.Margins.Points), readBids(in.Bids)
		if v.Bidding, err = tarok.NewBidding(v.Rules.Order).Bids(v.Bids); err != nil {
			return nil, service.AsImpossible(err)
		}
		turn, more := v.Bidding.Turn()
		switch {
		case !more:
			vs.add("/bids", errors.New("end the bidding: nobody is to bid"))
		case turn != v.Player:
			vs.add("/player", fmt.Errorf("is %s, and it is the turn of %s", v.Player, turn))
		}
		if len(vs) > 0 {
			return nil, service.NewImpossible(vs...)
		}
		settings := advice.Default
		settings.Trials = number(in.Trials, settings.Trials)
		about := service.AppendList(viewKey(&v.View), v.Bids).Int(v.Margins.Points)
		return g.newProgramQuery(KindBid, settings, seed, about, func(ctx context.Context, a *advice.Advisor, rng *rand.Rand) (any, error) {
			bid, list, err := a.Bid(ctx, &v, rng)
			return g.outBid(&v, bid, list, seed), err
		}), nil
	})
}

func (g *Game) outBid(v *players.View, bid tarok.Bid, list []advice.Prospect, seed uint64) api.TarokBidAdvice {
	out := api.TarokBidAdvice{
		Bid: api.TarokBid(bid.String()), Legal: []api.TarokBid{}, Contracts: []api.TarokProspect{}, Margin: v.Margins.Points,
		Seed: strconv.FormatUint(seed, 10), Version: g.service.Version(),
	}
	for _, b := range v.Bidding.Legal() {
		out.Legal = append(out.Legal, api.TarokBid(b.String()))
	}
	for i := range list {
		p := &list[i]
		one := api.TarokProspect{Contract: api.TarokContract(p.Contract.String()), Trials: p.Games, Viable: p.Viable}
		if p.Games > 0 {
			one.Points, one.Score, one.Won = &p.Points, &p.Score, &p.Won
		}
		out.Contracts = append(out.Contracts, one)
	}
	return out
}
