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

// Sight returns what the player outside may see.
func (s Session) Sight() Sight {
	seat, state := s.seat(), s.State()
	out := Sight{
		State: state, Acts: s.taken.Number(len(s.acts)), Hand: int(s.hand()), Seat: seat, View: s.table.View(seat), Results: s.results,
		Totals: s.fromSeat(s.game.Scores), Radli: s.fromSeat(s.game.Radli), Talked: state != Bidding,
	}
	if state != Bidding {
		out.Said = s.table.Announcements()
	}
	bidding := tarok.NewBidding(s.setup.Rules.Order)
	var played []tarok.Card
	for _, a := range s.actions {
		switch a.Phase {
		case players.ToBid:
			turn, _ := bidding.Turn()
			out.Bids = append(out.Bids, Bid{turn, a.Bid})
			bidding, _ = bidding.Call(a.Bid) // it was legal
		case players.ToAnnounce:
			out.Words = append(out.Words, a.Words)
		case players.ToPlay:
			played = append(played, a.Card)
		default:
		}
	}
	switch state {
	case Bidding:
		out.Legal = bidding.Legal()
	case Announce:
		out.May = out.View.Talk.May()
	case Playing:
		out.Cards = out.View.Legal()
	case HandOver, Over:
		out.Revealed = &Revealed{Setup: s.table.Setup(), Said: out.Said, Played: played}
	default:
	}
	if state >= Playing {
		out.Trick, out.Last = s.tricks(played)
		if state != Playing {
			out.Trick = nil
		}
	}
	return out
}

// fromSeat returns numbers by place in the order of the players from the one outside.
func (s *Session) fromSeat(places [3]int) (out [3]int) {
	for i := range out {
		out[i] = places[(int(s.setup.Seat)+i)%3]
	}
	return out
}

// tricks returns the trick on the table and the last complete one, nil if there is none.
func (s *Session) tricks(played []tarok.Card) (present, last *Trick) {
	setup := s.table.Setup()
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
