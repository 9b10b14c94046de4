package session

import (
	"roem/internal/engine/belote"
	"roem/internal/engine/belote/bidding"
	"roem/internal/engine/belote/worlds"
	"roem/internal/engine/piquet"
)

// Sight is what the player outside may see of a session. Both players see the same. No field but Revealed depends on cards that have not
// been turned.
type Sight struct {
	State    State
	Acts     int           // of the player outside
	Hand     int           // the number of the present hand, from 1
	Seat     belote.Player // of the player outside in the present hand
	Calls    []belote.Trump
	Dealing  *bidding.Dealing // in the state Bidding
	View     *worlds.View     // in the others
	Declared bool             // whether somebody must make the contract of the view
	Legal    piquet.Set       // in the state Playing
	Last     *belote.Trick    // the last complete one
	Results  []Result
	Totals   [2]int // of the player outside, then of the other
	Held     int    // points for the winner of a later hand
	// Revealed is the hand that is over, before its first card.
	Revealed *belote.Deal
}

// Sight returns what the player outside may see.
func (s Session) Sight() Sight {
	out := Sight{
		State: s.State(), Acts: s.taken.Number(len(s.acts)), Hand: int(s.hand()), Seat: s.seat(), Calls: s.calls, View: s.seen,
		Declared: s.declared(),
		Last:     s.last, Results: s.results, Totals: s.totals, Held: s.held,
	}
	if !s.decided {
		d := s.dealing()
		out.Dealing = &d
		return out
	}
	now := s.seen.Now()
	out.Legal = now.Legal()
	if out.State >= HandOver {
		d := s.deal
		out.Revealed = &d
	}
	return out
}
