package belief

import (
	"roem/internal/engine/klaverjas"
	"roem/internal/engine/klaverjas/worlds"
	"roem/internal/engine/piquet"
)

// How a card was played: what a belief can learn from the play of another seat.
const (
	led         = iota // to an empty trick
	followUnder        // in the led suit, while an opponent was winning
	followOver         // in the led suit, while the partner was winning
	otherUnder         // in another suit, while an opponent was winning
	otherOver          // in another suit, while the partner was winning
	manners            // their number
)

// The network is asked once for each suit and each other seat, the target. Its inputs are a list of numbers, each of which is present once
// or several times. Seats are numbered in the order of play from the target, so that one network serves all seats, and one all plain suits.
const (
	atViewer  = 0                     // the seat of the view
	atOwn     = atViewer + 4          // a face that the view's seat holds in the suit
	atSuit    = atOwn + 8             // a face played in the suit, by seat and manner
	atMayNot  = atSuit + 4*manners*8  // an unseen face of the suit that a seat does not hold in any world, by seat
	atTrump   = atMayNot + 4*8        // a trump played by the target, by manner; only in plain suits
	atPlain   = atTrump + manners*8   // a face played by the target in another plain suit, by manner
	atPartner = atPlain + manners*8   // a face played by the target's partner in another suit than this, by manner
	atNumber  = atPartner + manners*8 // the number of cards played
	atLeader  = atNumber + 33         // the seat that led the first trick
	atDeclare = atLeader + 4          // the target's team declares
	atSystem  = atDeclare + 1         // the rules are the default rules of Amsterdam
	Inputs    = atSystem + 1          // Inputs is the number of inputs.
)

// Outputs is the number of outputs: one for each face of the suit.
const Outputs = 8

// scene is what the features of all suits and seats have in common.
type scene struct {
	k       *worlds.Knowledge
	view    worlds.View
	manners [32]uint8 // how the i-th card was played
	seats   [32]piquet.Seat
}

func newScene(k *worlds.Knowledge) *scene {
	s := &scene{k: k, view: k.View()}
	trick := klaverjas.Trick{Leader: s.view.Leader, Winner: s.view.Leader}
	for i, c := range s.view.Played {
		s.manners[i], s.seats[i] = manner(&trick, c), trick.Turn()
		if trick = trick.With(c, s.view.Trump); trick.Len == 4 {
			trick = klaverjas.Trick{Leader: trick.Winner, Winner: trick.Winner}
		}
	}
	return s
}

// manner returns how c is played to a trick.
func manner(t *klaverjas.Trick, c piquet.Card) uint8 {
	switch partner := t.Len > 0 && t.Winner == t.Turn().Partner(); {
	case t.Len == 0:
		return led
	case c.Suit() == t.Cards[0].Suit() && !partner:
		return followUnder
	case c.Suit() == t.Cards[0].Suit():
		return followOver
	case !partner:
		return otherUnder
	default:
		return otherOver
	}
}

// features appends the inputs for a suit and a target that are present.
func (s *scene) features(in []uint16, suit piquet.Suit, target piquet.Seat) []uint16 {
	v := &s.view
	in = append(in, uint16(atViewer+v.Seat.Minus(target)))
	for c := range s.k.Own().InSuit(suit).All() {
		in = append(in, uint16(atOwn)+uint16(c.Face()))
	}
	for i, c := range v.Played {
		seat, how := s.seats[i], uint16(s.manners[i])*8+uint16(c.Face())
		switch {
		case c.Suit() == suit:
			in = append(in, uint16(atSuit+seat.Minus(target)*manners*8)+how)
		case seat == target && c.Suit() == v.Trump:
			in = append(in, atTrump+how)
		case seat == target:
			in = append(in, atPlain+how)
		case seat == target.Partner():
			in = append(in, atPartner+how)
		}
	}
	for _, seat := range piquet.Seats() {
		if seat == v.Seat {
			continue
		}
		for c := range (s.k.Unseen() &^ s.k.May(seat)).InSuit(suit).All() {
			in = append(in, uint16(atMayNot+seat.Minus(target)*8)+uint16(c.Face()))
		}
	}
	in = append(in, uint16(atNumber+len(v.Played)), uint16(atLeader+v.Leader.Minus(target)))
	if v.Declarer == target.Team() {
		in = append(in, atDeclare)
	}
	if v.Rules.System == klaverjas.Amsterdam {
		in = append(in, atSystem)
	}
	return in
}
