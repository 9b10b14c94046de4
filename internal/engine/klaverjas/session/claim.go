package session

import (
	"roem/internal/engine/klaverjas"
	"roem/internal/engine/klaverjas/players"
	"roem/internal/engine/klaverjas/worlds"
	"roem/internal/engine/piquet"
)

// The limits of what is checked line by line for a claim: with more tricks, or in more positions of all deals together, nothing is settled
// in this way.
const (
	mostTricks  = 4
	mostSettled = 100_000
)

// Settled reports whether nothing is left to decide, at the turn of a seat: in each deal that agrees with what the seat has seen, the hand
// ends with the same points of each team on the score sheet however all four seats play on by the rules, or however the others play if the
// seat plays certain cards, with which its team takes everything. It is false if that is not proven by the rules of sure, nor in the last
// tricks by going through all lines.
func Settled(v *players.View) bool {
	k, err := worlds.New(v.View)
	if err != nil || v.Legal().Empty() {
		return false
	}
	if _, ok := sure(k, k.Position(k.World(0))); ok {
		return true
	}
	if v.Held.Len() > mostTricks {
		return false
	}
	c := settling{seen: map[settled]struct{}{}}
	for n := range k.Worlds() {
		c.ended = false
		clear(c.seen)
		if !c.same(k.Position(k.World(n))) {
			return false
		}
	}
	return true
}

// rest returns the card of the seat in the rest of a hand that was claimed.
func rest(v *players.View) piquet.Card {
	if k, err := worlds.New(v.View); err == nil {
		if card, ok := sure(k, k.Position(k.World(0))); ok {
			return card
		}
	}
	return v.Legal().First()
}

// settling looks for two lines of play that end differently.
type settling struct {
	points  [2]int // on the sheet, at the end of the first line of the deal
	ended   bool   // points is known
	visited int
	seen    map[settled]struct{} // positions in one deal, from which all lines end alike
}

// settled is a position between two tricks, with what was made before it.
type settled struct {
	hands  [4]piquet.Set
	turn   piquet.Seat
	score  klaverjas.Score
	tricks [2]int
}

// same reports whether all lines from a position end as all lines of the deal before, within the limit.
func (c *settling) same(p klaverjas.Position) bool {
	if c.visited++; c.visited > mostSettled {
		return false
	}
	if p.Finished() {
		points := players.Sheet(p)
		if !c.ended {
			c.points, c.ended = points, true
		}
		return points == c.points
	}
	between := p.Trick().Len == 0
	at := settled{turn: p.Turn(), score: p.Score(), tricks: p.TricksTaken()}
	if between {
		for seat := range at.hands {
			at.hands[seat] = p.Hand(piquet.Seat(seat))
		}
		if _, done := c.seen[at]; done {
			return true
		}
	}
	for card := range p.Legal().All() {
		next, err := p.Play(card)
		if err != nil || !c.same(next) {
			return false
		}
	}
	if between {
		c.seen[at] = struct{}{}
	}
	return true
}
