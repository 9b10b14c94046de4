// Package enginetest holds common code of the tests of the engine and of the search. It converts positions of [naive], the reference
// implementation, to positions of the engine. Only tests import it.
package enginetest

import (
	"roem/internal/engine/klaverjas"
	"roem/internal/engine/klaverjas/enginetest/naive"
	"roem/internal/engine/piquet"
)

// Rules converts rules of the reference to rules of the engine.
func Rules(r naive.Rules) (klaverjas.Rules, error) {
	system, err := klaverjas.ParseSystem(r.System)
	if err != nil {
		return klaverjas.Rules{}, err
	}
	out := klaverjas.DefaultRules(system)
	if out.UnderRuff, err = klaverjas.ParseUnderRuff(r.UnderRuff); err != nil {
		return klaverjas.Rules{}, err
	}
	if out.NatMelds, err = klaverjas.ParseNatMelds(r.NatMelds); err != nil {
		return klaverjas.Rules{}, err
	}
	out.Melds = r.Melds
	out.Pit = klaverjas.Pit{Declarers: r.PitDeclarers, Defenders: r.PitDefenders}
	for name, bonus := range r.FourOfAKind {
		face, err := piquet.ParseFace(name)
		if err != nil {
			return klaverjas.Rules{}, err
		}
		out.FourOfAKind[face] = bonus
	}
	return out, nil
}

// hands converts hands with one bit per card to hands of the engine.
func hands(s naive.State) (out [4]piquet.Set) {
	for seat, hand := range s.Hands {
		out[seat] = piquet.Set(hand)
	}
	return out
}

// Start converts a state without played cards to a position of the engine.
func Start(s naive.State) (klaverjas.Position, error) {
	rules, err := Rules(s.Rules)
	if err != nil {
		return klaverjas.Position{}, err
	}
	return klaverjas.NewPosition(rules, klaverjas.Deal{
		Trump: piquet.Suit(s.Trump), Leader: piquet.Seat(s.Leader), Declarer: piquet.Team(s.Declarer), Hands: hands(s),
	})
}

// Endgame converts an endgame to a position of the engine.
func Endgame(s naive.State) (klaverjas.Position, error) {
	rules, err := Rules(s.Rules)
	if err != nil {
		return klaverjas.Position{}, err
	}
	e := klaverjas.EndgameState{
		Trump: piquet.Suit(s.Trump), Declarer: piquet.Team(s.Declarer), Leader: piquet.Seat(s.Leader), Hands: hands(s),
		Score: klaverjas.Score{Tricks: s.Points, Melds: s.Melds}, TricksTaken: s.Taken,
	}
	for _, card := range s.Trick {
		e.Trick = append(e.Trick, piquet.Card(card))
	}
	return klaverjas.Endgame(rules, e)
}

// State converts a deal of the engine to a state of the reference.
func State(rules naive.Rules, d klaverjas.Deal) naive.State {
	s := naive.State{Rules: rules, Trump: int(d.Trump), Declarer: int(d.Declarer), Leader: int(d.Leader)}
	for seat, hand := range d.Hands {
		s.Hands[seat] = int(hand)
	}
	return s
}
