package klaverjas

import (
	"fmt"

	"roem/internal/engine/klaverjas/worlds"
	"roem/internal/engine/piquet"
	"roem/internal/engine/violation"
	"roem/internal/service"
)

// newKnowledge builds a view from its body, and returns what follows from it. Its error is a *service.Error of kind Impossible with every
// violation: a text that is no card, a hand without eight cards, a card in two places, a card played that proves that a seat has revoked.
func newKnowledge(in viewBody) (*worlds.Knowledge, error) {
	v, err := newView(in)
	if err != nil {
		return nil, err
	}
	k, err := worlds.New(v)
	if err != nil {
		return nil, service.FromEngine(err)
	}
	return k, nil
}

// newView parses the texts of a view.
func newView(in viewBody) (v worlds.View, err error) {
	var vs service.Problems
	v.Rules = newRules(in.Rules, &vs)
	v.Trump, err = piquet.ParseSuit(in.Trump)
	vs.Add("/trump", err)
	v.Leader, err = piquet.ParseSeat(in.Leader)
	vs.Add("/leader", err)
	v.Declarer = v.Leader.Team()
	if in.Declarer != nil {
		v.Declarer, err = piquet.ParseTeam(*in.Declarer)
		vs.Add("/declarer", err)
	}
	v.Seat, err = piquet.ParseSeat(in.Seat)
	vs.Add("/seat", err)
	v.Hand = in.Hand.set("/hand", &vs)
	if in.Played != nil {
		v.Played = in.Played.parse("/played", &vs)
	}
	if in.Known != nil {
		for seat, list := range [4]*cardList{
			piquet.North: in.Known.N, piquet.East: in.Known.E, piquet.South: in.Known.S,
			piquet.West: in.Known.W,
		} {
			if list != nil {
				v.Known[seat] = list.set("/known/"+piquet.Seat(seat).String(), &vs)
			}
		}
	}
	return v, vs.Err()
}

// parse returns the cards of the list. It adds violations to vs.
func (l cardList) parse(pointer string, vs *service.Problems) []piquet.Card {
	if l.texts == nil {
		return l.cards
	}
	out := make([]piquet.Card, 0, min(len(l.texts), piquet.Deck.Len()))
	for i, text := range l.texts {
		c, err := piquet.ParseCard(text)
		if err != nil {
			vs.Add(fmt.Sprintf("%s/%d", pointer, i), err)
			if i > piquet.Deck.Len() { // limits the number of violations of a longer list
				break
			}
			continue
		}
		out = append(out, c)
	}
	return out
}

// set returns the cards of the list as a set. It adds violations to vs, also for a card that occurs twice.
func (l cardList) set(pointer string, vs *service.Problems) (set piquet.Set) {
	for i, c := range l.parse(pointer, vs) {
		if set.Has(c) {
			vs.Add(fmt.Sprintf("%s/%d", pointer, i), violation.New(violation.CardTwice, "%s is in the list twice", c).Of(c))
		}
		set = set.With(c)
	}
	return set
}
