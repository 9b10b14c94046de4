package session

import (
	"slices"

	"roem/internal/engine/klaverjas"
	"roem/internal/engine/klaverjas/players"
	"roem/internal/engine/klaverjas/worlds"
	"roem/internal/engine/piquet"
)

// The limits of what is checked for a claim. With more tricks, or in more positions, nothing is settled.
const (
	mostClaimed = 4       // tricks
	mostSettled = 100_000 // positions, in all deals together
)

// Settled reports whether nothing is left to decide, at the turn of the seat: in each deal that agrees with what the seat has seen, the
// hand ends with the same points of each team on the score sheet however all four seats play on by the rules. It depends on nothing that
// the seat has not seen. It is false if that would take too long to check.
func (s Session) Settled() bool {
	if s.State() != Playing || s.now.Turn() != s.setup.Seat || s.now.Hand(s.setup.Seat).Len() > mostClaimed {
		return false
	}
	k, err := worlds.New(worlds.ViewOf(s.now, s.played, s.setup.Seat))
	if err != nil {
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

// claim begins to play the rest of the hand without the player outside.
func (s Session) claim() Session {
	s.acts = append(slices.Clip(s.acts), Act{Kind: Claim})
	s.claimed = len(s.played)
	return s
}
