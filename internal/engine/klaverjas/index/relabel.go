package index

import (
	"roem/internal/cards"
	"roem/internal/engine/klaverjas"
)

// Relabelling renames the suits and rotates the seats of a deal. Partners stay partners, and the order of play stays the same.
//
// The zero value is not valid. [Canonical] and [Identity] return relabellings.
type Relabelling struct {
	suits [4]cards.Suit // the new name of each suit
	seats uint8         // by how many places each seat moves in the order of play
}

// Identity returns the relabelling that changes nothing.
func Identity() Relabelling { return Relabelling{suits: cards.Suits()} }

// Suit returns the new name of the suit.
func (r Relabelling) Suit(s cards.Suit) cards.Suit { return r.suits[s&3] }

// Card returns the card of the same face in the renamed suit.
func (r Relabelling) Card(c cards.Card) cards.Card { return cards.Of(r.Suit(c.Suit()), c.Face()) }

// Set relabels every card of the set.
func (r Relabelling) Set(s cards.Set) cards.Set {
	var out cards.Set
	for from, to := range r.suits {
		out |= cards.Set(s.Faces(cards.Suit(from))) << (8 * to)
	}
	return out
}

// Seat returns the new seat of the player at the seat.
func (r Relabelling) Seat(s cards.Seat) cards.Seat { return s.Plus(int(r.seats)) }

// Team returns the new team of the team's players.
func (r Relabelling) Team(t cards.Team) cards.Team { return (t + cards.Team(r.seats)) & 1 }

// Deal relabels a deal as a whole: trump, leader, declarer and hands.
func (r Relabelling) Deal(d klaverjas.Deal) klaverjas.Deal {
	out := klaverjas.Deal{Trump: r.Suit(d.Trump), Leader: r.Seat(d.Leader), Declarer: r.Team(d.Declarer)}
	for seat, hand := range d.Hands {
		out.Hands[r.Seat(cards.Seat(seat))] = r.Set(hand)
	}
	return out
}

// Inverse returns the inverse relabelling.
func (r Relabelling) Inverse() Relabelling {
	back := Relabelling{seats: -r.seats & 3}
	for from, to := range r.suits {
		back.suits[to&3] = cards.Suit(from)
	}
	return back
}
