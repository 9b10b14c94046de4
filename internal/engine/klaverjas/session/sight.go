package session

import (
	"roem/internal/engine/klaverjas"
	"roem/internal/engine/klaverjas/bidding"
	"roem/internal/engine/klaverjas/players"
	"roem/internal/engine/piquet"
)

// Sight is what the player outside may see of a session. No field but Revealed depends on cards of other seats that have not been played.
type Sight struct {
	State      State
	Acts       int // of the player outside
	Number     int // of the present hand, from 1
	View       players.View
	By         *piquet.Seat   // who declares; nil without bidding, or while it goes on
	LegalCalls []bidding.Call // in the state Bidding, at the seat's turn
	Legal      piquet.Set     // in the state Playing, at the seat's turn
	Settled    bool           // in the state Playing, at the seat's turn: see Settled
	Trick      *Trick         // in the state Playing
	LastTrick  *Trick         // the last complete one
	Score      klaverjas.Score
	Taken      [2]int         // tricks, by team
	Results    []Result       // of the hands that are over
	Totals     [2]int         // of their points, by team
	Revealed   *players.Table // the hand, when it is over
}

// Trick is a trick with what it is worth.
type Trick struct {
	klaverjas.Trick
	Number int // from 1
	Points int // of the cards, and for the last trick of a hand
	Melds  int // without a pit; 0 until the trick is complete
}

// See returns what the player outside may see.
func See(s Session) Sight {
	m, t, seat := s.Match(), s.Hand().result().Table, s.Seat()
	out := Sight{
		State: s.State(), Acts: s.Next(), Number: s.Number(), View: t.View(seat), By: t.By(), Results: m.results, Totals: m.totals,
	}
	turn, _ := t.Turn()
	if !t.Decided() {
		if turn == seat {
			out.LegalCalls = out.View.Auction.Legal()
		}
		return out
	}
	out.Score, out.Taken = t.Position().Score(), t.Position().TricksTaken()
	out.Trick, out.LastTrick = tricks(t)
	switch {
	case s.HandOver():
		out.Trick, out.Revealed = nil, t
	case turn == seat:
		out.Legal, out.Settled = out.View.Legal(), Settled(&out.View)
	}
	return out
}

// tricks returns the trick on the table and the last complete one, nil if there is none.
func tricks(t *players.Table) (present, last *Trick) {
	d, rules := t.Deal(), t.Position().Rules()
	at := Trick{Trick: klaverjas.Trick{Leader: d.Leader, Winner: d.Leader}, Number: 1}
	for i, c := range t.Played() {
		at.Trick = at.Trick.With(c, d.Trump)
		at.Points += klaverjas.Points(c, d.Trump)
		if at.Len < len(at.Cards) {
			continue
		}
		at.Melds = rules.Meld(at.Set(), d.Trump)
		if i+1 == piquet.Deck.Len() {
			at.Points += klaverjas.LastTrick
		}
		last = new(at)
		at = Trick{Trick: klaverjas.Trick{Leader: at.Winner, Winner: at.Winner}, Number: at.Number + 1}
	}
	return &at, last
}
