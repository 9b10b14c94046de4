package session

import (
	"slices"

	"roem/internal/engine/klaverjas"
	"roem/internal/engine/klaverjas/bidding"
	"roem/internal/engine/klaverjas/worlds"
	"roem/internal/engine/piquet"
)

// Sight is what the player outside may see of a session. No field but Revealed depends on cards of other seats that have not been played.
type Sight struct {
	State          State
	Acts           int // of the player outside
	Number         int // of the present hand, from 0
	Dealer, Leader piquet.Seat
	Hand, Held     piquet.Set // of the seat: as dealt, and what is left
	Calls          []Called
	By             *piquet.Seat // who declares; nil without bidding, or while it goes on
	Auction        *bidding.Auction
	View           *worlds.View   // nil while the bidding goes on
	LegalCalls     []bidding.Call // in the state Bidding, at the seat's turn
	Legal          piquet.Set     // in the state Playing, at the seat's turn
	Settled        bool           // in the state Playing, at the seat's turn: see Session.Settled
	Trick          *Trick         // in the state Playing
	LastTrick      *Trick         // the last complete one
	Score          klaverjas.Score
	Taken          [2]int    // tricks, by team
	Results        []Result  // of the hands that are over
	Totals         [2]int    // of their points, by team
	Revealed       *Revealed // when the hand is over
}

// Called is a call and who made it.
type Called struct {
	Seat piquet.Seat
	Call bidding.Call
}

// Trick is a trick with what it is worth.
type Trick struct {
	klaverjas.Trick
	Number int // from 0
	Points int // of the cards, and for the last trick of a hand
	Melds  int // without a pit; 0 until the trick is complete
}

// Revealed is a hand that is over.
type Revealed struct {
	Deal   klaverjas.Deal
	Played []piquet.Card
}

// Sight returns what the player outside may see.
func (s Session) Sight() Sight {
	seat, state := s.setup.Seat, s.State()
	hand := s.dealt.hands[seat]
	out := Sight{
		State: state, Acts: s.taken.Number(len(s.acts)), Number: s.number, Dealer: s.dealt.leader.Plus(-1), Leader: s.dealt.leader,
		Hand: hand, Held: hand, By: s.by(), Results: s.results, Totals: s.totals(),
	}
	if s.setup.Bidding {
		a := s.auction
		out.Auction = &a
		first := a.Setting().Dealer.Next()
		if a.Setting().Flow == bidding.Official {
			first = a.Setting().Dealer
		}
		for i, c := range a.Calls() {
			out.Calls = append(out.Calls, Called{first.Plus(i), c})
		}
	}
	if state == Bidding {
		if s.auction.Turn() == seat {
			out.LegalCalls = s.auction.Legal()
		}
		return out
	}
	v := worlds.ViewOf(s.now, slices.Clip(s.played), seat)
	out.View, out.Held, out.Score, out.Taken = &v, s.now.Hand(seat), s.now.Score(), s.now.TricksTaken()
	out.Trick, out.LastTrick = s.tricks()
	switch {
	case state != Playing:
		out.Trick, out.Revealed = nil, &Revealed{s.now.Deal(), s.played}
	case s.now.Turn() == seat:
		out.Legal, out.Settled = s.now.Legal(), s.Settled()
	}
	return out
}

// tricks returns the trick on the table and the last complete one, nil if there is none.
func (s Session) tricks() (present, last *Trick) {
	d, rules := s.now.Deal(), s.setup.Rules
	at := Trick{Trick: klaverjas.Trick{Leader: d.Leader, Winner: d.Leader}}
	for i, c := range s.played {
		at.Trick = at.Trick.With(c, d.Trump)
		at.Points += klaverjas.Points(c, d.Trump)
		if at.Len < len(at.Cards) {
			continue
		}
		at.Melds = rules.Meld(at.Set(), d.Trump)
		if i+1 == piquet.Deck.Len() {
			at.Points += klaverjas.LastTrick
		}
		complete := at
		last = &complete
		at = Trick{Trick: klaverjas.Trick{Leader: at.Winner, Winner: at.Winner}, Number: at.Number + 1}
	}
	return &at, last
}
