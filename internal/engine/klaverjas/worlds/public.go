package worlds

import (
	"roem/internal/engine/klaverjas"
	"roem/internal/engine/piquet"
)

// PublicWorlds returns the number of deals of the cards left that agree with what all four seats have seen. No seat's own hand is taken
// into account. It is 99561092450391000 before the first card.
func (k *Knowledge) PublicWorlds() uint64 {
	o := k.Public()
	return o.Worlds()
}

// Public returns the possible owners of the unplayed cards as all four seats have seen them.
func (k *Knowledge) Public() Owners {
	o := Owners{cards: k.unseen | k.own, left: k.left}
	for c := range o.cards.All() {
		o.may[c] = Everyone
	}
	for _, p := range k.plays {
		o = o.Forbid(p.seat, p.excluded)
	}
	for s, open := range k.view.Known {
		o = o.Give(piquet.Seat(s), open)
	}
	return o
}

// Dealt returns the cards that each seat has played.
func (k *Knowledge) Dealt() (dealt [4]piquet.Set) {
	for _, p := range k.plays {
		dealt[p.seat] = dealt[p.seat].With(p.card)
	}
	return dealt
}

// Higher returns the cards of the same suit that outrank c.
func Higher(c piquet.Card, trump piquet.Suit) (higher piquet.Set) {
	for x := range piquet.Deck.InSuit(c.Suit()).All() {
		if klaverjas.Strength(x, trump) > klaverjas.Strength(c, trump) {
			higher = higher.With(x)
		}
	}
	return higher
}
