// Package logical repeats the measurements of the agents of Koiter, Oosterhuis and de Weert, "Logical Klaverjassen". The reference figures are
// those of the authors' own program over 3,000 hands.
package logical

import (
	"context"
	"math"

	"roem/internal/cards"
	"roem/internal/engine/klaverjas"
	"roem/internal/engine/klaverjas/index"
	"roem/internal/engine/klaverjas/players"
)

// Statistics are means over hands, with their standard errors where they have one.
type Statistics struct {
	Hands         int
	Points        float64 // trick points and melds of north and south before the settlement, without the bonus for a pit
	PointsSD      float64 // the standard deviation of one hand
	Nat           float64 // the share of hands in which north and south, who always declare, are nat
	Pit           float64 // the share of hands in which either team wins all tricks
	Melds         float64 // of both teams, without the bonus for a pit
	Announcements float64
	Possibles     [8]float64 // the mean number of possible pairs of a seat and a card, over the four seats, after each trick
}

// Measure plays n hands under the rules of the authors' simulation. South leads to the first trick, north and south declare, and the trump is drawn.
// ns and ew are the names of the players, as players.ParseKind reads them.
//
// Possibles and Announcements are measured only where all seats are taken by logical players: without knowledge there is none to measure.
func Measure(ctx context.Context, n int, seed uint64, ns, ew string) (Statistics, error) {
	kinds, agents := [2]players.Kind{}, true
	for i, name := range [2]string{ns, ew} {
		var err error
		if kinds[i], err = players.ParseKind(name, 0); err != nil {
			return Statistics{}, err
		}
	}
	s := Statistics{Hands: n}
	rng, tools := index.NewRand(seed), &players.Tools{}
	var squares float64
	for hand := range n {
		trump := cards.Suit(rng.Uint64() >> 62)
		deal := klaverjas.Deal{Trump: trump, Leader: cards.South, Declarer: cards.NorthSouth, Hands: index.Random(rng, trump, cards.South)}
		start, err := klaverjas.NewPosition(players.LogicalRules(), deal)
		if err != nil {
			return s, err
		}
		seats := players.Sit(kinds, seed+uint64(hand)<<32, tools)
		_, end, err := players.Play(ctx, start, nil, seats, func(step players.Step) {
			s.Announcements += float64(len(players.Announcements(seats[step.Seat].Player, step.After)))
			if played := len(step.After.Played); played%4 == 0 {
				for _, seat := range cards.Seats() {
					view := step.After
					view.Seat, view.Hand = seat, deal.Hands[seat]
					pairs, ok := players.Possibles(seats[seat].Player, view)
					s.Possibles[played/4-1] += float64(pairs) / 4
					agents = agents && ok
				}
			}
		})
		if err != nil {
			return s, err
		}
		score := end.Score()
		points := float64(score.Sum(cards.NorthSouth))
		melds := float64(score.Melds[0] + score.Melds[1])
		if end.Pit() {
			s.Pit++
			melds -= 100
			if points > 0 {
				points -= 100
			}
		}
		if end.Outcome() <= 0 {
			s.Nat++
		}
		s.Points += points
		s.Melds += melds
		squares += points * points
	}
	for _, sum := range []*float64{&s.Points, &s.Nat, &s.Pit, &s.Melds, &s.Announcements} {
		*sum /= float64(n)
	}
	s.PointsSD = math.Sqrt(squares/float64(n) - s.Points*s.Points)
	for i := range s.Possibles {
		s.Possibles[i] /= float64(n)
	}
	if !agents {
		s.Announcements, s.Possibles = 0, [8]float64{}
	}
	return s, nil
}
