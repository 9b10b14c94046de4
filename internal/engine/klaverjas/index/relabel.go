package index

import (
	"roem/internal/engine/klaverjas"
	"roem/internal/engine/piquet"
)

// Relabelling renames the suits and rotates the seats of a deal. Partners stay partners, and the order of play stays the same.
//
// The zero value is not valid. [Canonical] returns one.
type Relabelling struct {
	suits [4]piquet.Suit // the new name of each suit
	seats uint8          // by how many places each seat moves in the order of play
}

// Suit returns the new name of the suit.
func (r Relabelling) Suit(s piquet.Suit) piquet.Suit { return r.suits[s&3] }

// Card returns the card of the same face in the renamed suit.
func (r Relabelling) Card(c piquet.Card) piquet.Card { return piquet.Of(r.Suit(c.Suit()), c.Face()) }

// Set relabels every card of the set.
func (r Relabelling) Set(s piquet.Set) piquet.Set {
	var out piquet.Set
	for from, to := range r.suits {
		out |= piquet.Set(s.Faces(piquet.Suit(from))) << (8 * to)
	}
	return out
}

// Seat returns the new seat of the player at the seat.
func (r Relabelling) Seat(s piquet.Seat) piquet.Seat { return s.Plus(int(r.seats)) }

// Team returns the new team of the team's players.
func (r Relabelling) Team(t piquet.Team) piquet.Team { return (t + piquet.Team(r.seats)) & 1 }

// Deal relabels a deal as a whole: trump, leader, declarer and hands.
func (r Relabelling) Deal(d klaverjas.Deal) klaverjas.Deal {
	out := klaverjas.Deal{Trump: r.Suit(d.Trump), Leader: r.Seat(d.Leader), Declarer: r.Team(d.Declarer)}
	for seat, hand := range d.Hands {
		out.Hands[r.Seat(piquet.Seat(seat))] = r.Set(hand)
	}
	return out
}

// Inverse returns the inverse relabelling.
func (r Relabelling) Inverse() Relabelling {
	back := Relabelling{seats: -r.seats & 3}
	for from, to := range r.suits {
		back.suits[to&3] = piquet.Suit(from)
	}
	return back
}
