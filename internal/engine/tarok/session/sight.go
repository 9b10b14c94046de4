package session

import (
	"slices"

	"roem/internal/engine/tarok"
	"roem/internal/engine/tarok/players"
)

// Sight is what the player outside may see of a session. No field but Revealed depends on cards that the player has not seen.
type Sight struct {
	State State
	Acts  int          // of the player outside
	Hand  int          // the number of the present hand, from 1
	Seat  tarok.Player // of the player outside in the present hand
	// View is what the player knows when it is to act, or at the end of the hand.
	View    players.View
	Bids    []Bid
	Legal   []tarok.Bid   // in the state Bidding
	May     players.Words // in the state Announce
	Said    tarok.Announcements
	Words   []players.Words // in each turn of the announcements, from the declarer
	Talked  bool            // whether Contract is known: the bidding is over
	Cards   tarok.Set
	Trick   *Trick // in the state Playing
	Last    *Trick // the last complete one
	Results []Result
	Totals  [3]int // of the player outside, and of those who sit after it
	Radli   [3]int // the same
	// Revealed is the hand that is over, with its cards.
	Revealed *Revealed
}

// Bid is a bid and who made it.
type Bid struct {
	Player tarok.Player
	Bid    tarok.Bid
}

// Trick is a trick under way, or a complete one.
type Trick struct {
	Number int // from 1
	Leader tarok.Player
	Cards  []tarok.Card
	Winner tarok.Player // of a complete trick
}

// Revealed is a hand that is over.
type Revealed struct {
	Setup  tarok.Setup
	Said   tarok.Announcements
	Played []tarok.Card
}

// See returns what the player outside may see.
func See(s Session) Sight {
	m, t, state, seat := s.Match(), s.Hand(), s.State(), s.Seat()
	out := Sight{
		State: state, Acts: s.Next(), Hand: s.Number(), Seat: seat, View: *s.View(), Words: t.Words(), Results: m.results,
		Totals: m.fromSeat(m.game.Scores), Radli: m.fromSeat(m.game.Radli), Talked: state != Bidding,
	}
	if state != Bidding {
		out.Said = t.Announcements()
	}
	bidding := tarok.NewBidding(m.Rules.Order)
	for _, b := range t.Bids() {
		turn, _ := bidding.Turn()
		out.Bids = append(out.Bids, Bid{turn, b})
		bidding, _ = bidding.Call(b) // it was legal
	}
	switch state {
	case Bidding:
		out.Legal = bidding.Legal()
	case Announce:
		out.May = out.View.Talk.May()
	case Playing:
		out.Cards = out.View.Legal()
	default:
	}
	if t.Phase() >= players.ToPlay {
		out.Trick, out.Last = tricks(t.Setup(), t.Played())
	}
	if s.HandOver() {
		out.Trick, out.Revealed = nil, &Revealed{Setup: t.Setup(), Said: out.Said, Played: t.Played()}
	}
	return out
}

// tricks returns the trick on the table and the last complete one, nil if there is none.
func tricks(setup tarok.Setup, played []tarok.Card) (present, last *Trick) {
	at := Trick{Number: 1, Leader: setup.Leader()}
	for c := range slices.Chunk(played, 3) {
		at.Cards = c
		if len(c) < 3 {
			break
		}
		done := at
		done.Winner = at.Leader.After(setup.Rules.Winner(c))
		last, at = &done, Trick{Number: at.Number + 1, Leader: done.Winner}
	}
	return &at, last
}
