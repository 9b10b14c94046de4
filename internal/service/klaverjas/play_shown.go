package klaverjas

import (
	"roem/internal/engine/klaverjas"
	"roem/internal/engine/klaverjas/players"
	"roem/internal/engine/klaverjas/worlds"
	"roem/internal/engine/piquet"
)

// shown is a hand that players have played, with what explains it.
type shown struct {
	position Position // in which the players took over
	open     [4]piquet.Set
	steps    []players.Step
	played   []piquet.Card // all cards
	end      klaverjas.Position

	view      worlds.View // of all cards, as everybody has seen them
	facts     []worlds.Fact
	possibles []possibles // in the position, and after each step; nil if nobody asks
	models    []modelStep // of the card that is asked about; nil for none
}

// possibles is what all and each seat hold for possible.
type possibles struct {
	public worlds.World
	seats  [4]struct {
		pairs int
		may   worlds.World
	}
}

// seen returns what a seat had seen when a number of cards had been played.
func (s *shown) seen(seat piquet.Seat, cards int) worlds.View {
	return worlds.ViewOf(s.position.start, s.played[:cards:cards], seat).Showing(s.open)
}

// explain finds what explains the hand of a query.
func (s *shown) explain(q *PlayQuery) error {
	k, err := worlds.New(s.seen(piquet.North, len(s.played)))
	if err != nil {
		return err
	}
	s.view, s.facts = k.View(), k.PublicFacts(q.believes())
	if q.level != nil {
		for i := 0; i <= len(s.steps); i++ {
			one, err := s.possible(len(s.position.played)+i, *q.level)
			if err != nil {
				return err
			}
			s.possibles = append(s.possibles, one)
		}
	}
	if q.card != nil {
		hands := s.end.Deal().Hands
		about := CardModelQuery{view: s.view, world: &hands, card: *q.card}
		s.models, err = about.steps()
	}
	return err
}

// possible returns what all and each seat hold for possible when a number of cards have been played.
func (s *shown) possible(cards int, of possiblesLevel) (out possibles, err error) {
	for _, seat := range piquet.Seats() {
		k, err := worlds.New(s.seen(seat, cards))
		if err != nil {
			return out, err
		}
		var at level = k
		if of == paperLevel {
			at = k.Paper(true)
		}
		to := &out.seats[seat]
		to.pairs = at.Possibles()
		for _, other := range piquet.Seats() {
			to.may[other] = at.May(other)
		}
		to.may[seat] = k.Own()
		if seat == piquet.North {
			out.public = publicly(k)
		}
	}
	return out, nil
}

// publicly returns the cards that each seat may hold, judged by what all have seen.
func publicly(k *worlds.Knowledge) (may worlds.World) {
	public := k.Public()
	for c := range (k.Unseen() | k.Own()).All() {
		for _, seat := range public.Holders(c) {
			may[seat] = may[seat].With(c)
		}
	}
	return may
}
