// Package logical repeats the measurements of the agents of Koiter, Oosterhuis and de Weert, "Logical Klaverjassen". The reference figures
// are the figures of the authors' own program over 3,000 hands.
package logical

import (
	"context"
	"math"

	"roem/internal/engine/klaverjas"
	"roem/internal/engine/klaverjas/index"
	"roem/internal/engine/klaverjas/players"
	"roem/internal/engine/klaverjas/worlds"
	"roem/internal/engine/piquet"
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
	// The standard deviations of one hand.
	MeldsSD, AnnouncementsSD float64
	PossiblesSD              [8]float64
	// False is the share of hands in which a seat, after some trick, holds a card for impossible in a hand that has it.
	False     float64
	Possibles [8]float64 // the mean number of possible pairs of a seat and a card, over the four seats, after each trick
}

// pit is the bonus for a pit, for both teams.
const pit = 100

// moments adds up values.
type moments struct{ sum, squares float64 }

func (m *moments) add(v float64) {
	m.sum += v
	m.squares += v * v
}

// of returns the mean and the standard deviation of n values.
func (m *moments) of(n int) (mean, sd float64) {
	mean = m.sum / float64(n)
	return mean, math.Sqrt(max(0, m.squares/float64(n)-mean*mean))
}

// Measure plays n hands under the rules of the authors' simulation. South leads to the first trick, north and south declare, and the trump
// is drawn. ns and ew are the names of the players, as players.ParseKind reads them.
//
// Possibles and Announcements are measured only where all seats are taken by logical players: without knowledge there is none to measure.
func Measure(ctx context.Context, n int, seed uint64, ns, ew string) (Statistics, error) {
	kinds := [2]players.Kind{}
	for i, name := range [2]string{ns, ew} {
		var err error
		if kinds[i], err = players.ParseKind(name, 0); err != nil {
			return Statistics{}, err
		}
	}
	m := measurement{Statistics: Statistics{Hands: n}, agents: true}
	rng, tools := index.NewRand(seed), &players.Tools{}
	for hand := range n {
		trump := piquet.Suit(rng.Uint64() >> 62)
		deal := klaverjas.Deal{Trump: trump, Leader: piquet.South, Declarer: piquet.NorthSouth, Hands: index.Random(rng, trump, piquet.South)}
		if err := m.play(ctx, deal, players.Sit(kinds, seed+uint64(hand)<<32, tools)); err != nil {
			return m.Statistics, err
		}
	}
	return m.means(), nil
}

// measurement sums up hands.
type measurement struct {
	Statistics
	agents                       bool // all players have beliefs
	points, melds, announcements moments
	possibles                    [8]moments
}

// play plays a hand.
func (m *measurement) play(ctx context.Context, deal klaverjas.Deal, seats [4]players.Seated) error {
	start, err := klaverjas.NewPosition(players.LogicalRules(), deal)
	if err != nil {
		return err
	}
	announced, wrong := 0, false
	_, end, err := players.Play(ctx, start, nil, seats, func(step players.Step) {
		announced += len(players.Announcements(seats[step.Seat].Player, step.After))
		if played := len(step.After.Played); played%4 == 0 {
			pairs, mistaken := m.beliefs(&deal, &seats, step.After)
			wrong = wrong || mistaken
			m.possibles[played/4-1].add(float64(pairs) / 4)
		}
	})
	if err != nil {
		return err
	}
	score := end.Score()
	made, all := float64(score.Sum(piquet.NorthSouth)), float64(score.Melds[0]+score.Melds[1])
	if end.Pit() {
		m.Pit++
		all -= pit
		if made > 0 {
			made -= pit
		}
	}
	if end.Outcome() <= 0 {
		m.Nat++
	}
	if wrong {
		m.False++
	}
	m.points.add(made)
	m.melds.add(all)
	m.announcements.add(float64(announced))
	return nil
}

// beliefs returns the number of pairs that the seats hold possible after a trick, and whether a belief is wrong.
func (m *measurement) beliefs(deal *klaverjas.Deal, seats *[4]players.Seated, after worlds.View) (pairs int, wrong bool) {
	left := piquet.Deck &^ piquet.SetOf(after.Played...)
	for _, seat := range piquet.Seats() {
		view := after
		view.Seat, view.Hand = seat, deal.Hands[seat]
		b, ok := players.Beliefs(seats[seat].Player, view)
		m.agents = m.agents && ok
		for other, held := range deal.Hands {
			pairs += b.Possible[other].Len()
			wrong = wrong || ok && held&left&^(b.Possible[other]|b.Known[other]) != 0
		}
	}
	return pairs, wrong
}

// means returns the statistics of the hands.
func (m *measurement) means() Statistics {
	s := m.Statistics
	for _, sum := range []*float64{&s.Nat, &s.Pit, &s.False} {
		*sum /= float64(s.Hands)
	}
	s.Points, s.PointsSD = m.points.of(s.Hands)
	s.Melds, s.MeldsSD = m.melds.of(s.Hands)
	if !m.agents {
		s.False = 0
		return s
	}
	s.Announcements, s.AnnouncementsSD = m.announcements.of(s.Hands)
	for i := range m.possibles {
		s.Possibles[i], s.PossiblesSD[i] = m.possibles[i].of(s.Hands)
	}
	return s
}
