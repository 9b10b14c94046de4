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

// See returns what the player outside may see.
func See(s Session) Sight {
	m, t, v := s.Match(), s.Hand(), s.View()
	out := Sight{
		State: s.State(), Acts: s.Next(), Hand: s.Number(), Seat: s.Seat(), Calls: t.Calls(), Dealing: v.Dealing, View: v.Seen, Last: t.Last(),
		Results: m.results, Totals: m.totals, Held: m.held,
	}
	if v.Seen == nil {
		return out
	}
	now, deal := v.Seen.Now(), t.Deal()
	out.Legal, out.Declared = now.Legal(), deal.Trump != belote.NoTrump
	if s.HandOver() {
		out.Revealed = &deal
	}
	return out
}
