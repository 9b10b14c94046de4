package players

import (
	"context"
	"math/rand/v2"

	"roem/internal/engine/klaverjas"
	"roem/internal/engine/klaverjas/index"
	"roem/internal/engine/klaverjas/search"
	"roem/internal/engine/piquet"
	"roem/internal/engine/violation"
	"roem/internal/random"
)

// Declarers says which team declares in the deals of a match.
type Declarers uint8

// The ways to choose the declarers.
const (
	LeaderDeclares Declarers = iota // the team of the leader
	BestDeclares                    // the team with the better outcome as declarers, all cards open; the leader's if they are equal
	RandomDeclares                  // a team drawn with the deal
)

var declarersNames = [3]string{"leader", "best", "random"}

// String returns the name of the way in JSON.
func (d Declarers) String() string { return declarersNames[d%3] }

// ParseDeclarers reads leader, best or random.
func ParseDeclarers(text string) (Declarers, error) {
	return violation.ParseWord[Declarers](text, declarersNames[:]...)
}

// draw draws the deals of units from a seed: for each, the trump, the leader, a team, and the hands, all uniform. The same seed gives the
// same deals for every match. The team declares with RandomDeclares. With LeaderDeclares and BestDeclares it is the leader's team that is
// set here.
func draw(seed uint64, units int, l Length, d Declarers) []klaverjas.Deal {
	rng := index.NewRand(seed)
	deals := make([]klaverjas.Deal, units*l.Hands())
	for i := range deals {
		trump, leader, team := piquet.Suit(below(rng, 4)), piquet.Seat(below(rng, 4)), piquet.Team(below(rng, 2))
		if l != OneHand {
			leader = piquet.North.Plus(i % l.Hands())
		}
		if d != RandomDeclares {
			team = leader.Team()
		}
		deals[i] = klaverjas.Deal{Trump: trump, Leader: leader, Declarer: team, Hands: index.Random(rng, trump, leader)}
	}
	return deals
}

// declare returns the deal with the declarers of BestDeclares.
func declare(ctx context.Context, rules klaverjas.Rules, deal klaverjas.Deal, tools *Tools) (klaverjas.Deal, error) {
	var outcomes [2]int
	for _, team := range piquet.Teams() {
		deal.Declarer = team
		p, err := klaverjas.NewPosition(rules, deal)
		if err != nil {
			return deal, err
		}
		r, err := tools.solve(ctx, p, search.Value)
		if err != nil {
			return deal, err
		}
		outcomes[team] = r.Outcome
	}
	deal.Declarer = deal.Leader.Team()
	if outcomes[deal.Declarer.Opponents()] > outcomes[deal.Declarer] {
		deal.Declarer = deal.Declarer.Opponents()
	}
	return deal, nil
}

// randFor returns the generator of the player at a seat. Each player of each hand has its own, so that what one draws does not change what
// another does.
func randFor(seed uint64, hand int, seat piquet.Seat) *rand.Rand {
	return random.New(seed, uint64(hand)+1, uint64(seat)) // the deals are drawn with 0 as the second word
}
