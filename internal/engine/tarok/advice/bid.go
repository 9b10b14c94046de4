package advice

import (
	"context"
	"math/rand/v2"
	"slices"

	"roem/internal/engine/tarok"
	"roem/internal/engine/tarok/players"
	"roem/internal/engine/tarok/worlds"
)

// Prospect is what the trial games say about a contract.
type Prospect struct {
	Contract tarok.Contract
	Trials   // none if a lower contract of its kind was not viable
	Viable   bool
}

// beggarShare is the share of trial games that must be won for a beggar: it has no points for a margin.
const beggarShare = 0.7

// firstTrials are the games after which a beggar is given up if fewer than half are won. Most hands are hopeless.
const firstTrials = 6

// threshold is the most points with which a contract is lost.
const threshold = 35

// Bid returns the bid of a player: as high as the highest viable contract requires. A contract is viable if its trial games are won with
// points above 35 by the margin of the view, on average. The player who is left alone chooses the viable contract with the highest mean
// score.
func (a *Advisor) Bid(ctx context.Context, v *players.View, rng *rand.Rand) (tarok.Bid, []Prospect, error) {
	list, err := a.Prospects(ctx, v, rng)
	if err != nil {
		return tarok.Pass, nil, err
	}
	legal := v.Bidding.Legal()
	viable := func(c tarok.Contract) bool {
		return slices.ContainsFunc(list, func(p Prospect) bool { return p.Contract == c && p.Viable })
	}
	bid := players.BidUpTo(v, tarok.Bid(tarok.Zero), viable)
	if next, err := v.Bidding.Call(bid); bid != tarok.Pass && err == nil && over(&next) {
		best := -1000.0
		for _, p := range list {
			if p.Games > 0 && slices.Contains(legal, tarok.Bid(p.Contract)) && (p.Viable || p.Contract == tarok.Contract(legal[0])) &&
				p.Score > best {
				bid, best = tarok.Bid(p.Contract), p.Score
			}
		}
	}
	return bid, list, nil
}

func over(b *tarok.Bidding) bool {
	_, _, done := b.Result()
	return done
}

// Prospects plays trial games of each contract, from the lowest. After one of three, two, one and zero that is not viable the higher ones
// are not tried.
func (a *Advisor) Prospects(ctx context.Context, v *players.View, rng *rand.Rand) (list []Prospect, err error) {
	known := v.View
	known.Stage = worlds.Bidding
	w, err := worlds.New(known)
	if err != nil {
		return nil, err
	}
	deals := a.trialDeals(w, rng)
	hopeless := false
	for _, c := range tarok.Contracts() {
		if c == tarok.Klop {
			continue
		}
		p := Prospect{Contract: c}
		if c == tarok.Beggar || !hopeless {
			if err := a.prospect(ctx, v, deals, &p); err != nil {
				return nil, err
			}
		}
		hopeless = hopeless || c != tarok.Beggar && !p.Viable
		list = append(list, p)
	}
	return list, nil
}

func (a *Advisor) prospect(ctx context.Context, v *players.View, deals []tarok.Setup, p *Prospect) error {
	for i := range deals {
		s := deals[i]
		s.Contract, s.Declarer = p.Contract, v.Player
		if s.Contract.Exchange() > 0 {
			best := players.BestExchange
			if a.s.PlayTrials {
				best = players.FastExchange
			}
			e := best(v.Hand, s.Deal.Talon[:], s.Contract)
			s.Group, s.Discards = e.Group, e.Discards
		}
		if err := a.tryOut(ctx, s, &p.Trials); err != nil {
			return err
		}
		if p.Contract == tarok.Beggar && p.Games == firstTrials && p.Won < 0.5 {
			break
		}
	}
	switch {
	case p.Contract == tarok.Beggar:
		p.Viable = p.Won >= beggarShare
	case a.s.PlayTrials:
		p.Viable = p.Score > a.s.Bar+float64(v.Margins.Points)
	default:
		p.Viable = p.Points > float64(threshold+v.Margins.Points)
	}
	return nil
}
