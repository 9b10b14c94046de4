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
	return o.Give(k.view.Seat, k.view.Open)
}

// PublicFacts returns what the cards played prove to everybody, in the order in which it became known: the public announcements. No seat's
// own hand is taken into account, and the view's only where it lies open. The facts explain the owners of Public, as Facts explains May.
//
// With beliefs the third rule of the paper adds facts of the kind FactBelief; see Paper. Nothing else is concluded from them.
func (k *Knowledge) PublicFacts(beliefs bool) []Fact {
	r := newPublicReasoning(k)
	for r.sizes(-1) {
	}
	for i, p := range k.plays {
		r.announce(p)
		r.obey(i, p)
		if beliefs {
			r.believe(i, p)
		}
		r.certain(i)
		for r.sizes(i) {
		}
	}
	return r.facts
}

// believe adds the belief of the paper's third rule.
func (r *reasoning) believe(i int, p play) {
	suit := piquet.Deck.InSuit(p.card.Suit())
	others := r.Of(p.seat) & suit
	if p.trick.Len == 0 || p.card.Suit() != p.trick.Cards[0].Suit() || others.Empty() ||
		p.trick.With(p.card, r.view.Trump).Winner == p.seat || !r.outranksAll(p.card) {
		return
	}
	r.facts = append(r.facts, Fact{i, p.seat, FactBelief, others, 0, beliefText(p.card, p.seat)})
}

// newPublicReasoning returns the reasoning of somebody who sees no hand, before the first card.
func newPublicReasoning(k *Knowledge) *reasoning {
	r := &reasoning{view: &k.view, public: true, Owners: Owners{cards: piquet.Deck, left: [4]int{8, 8, 8, 8}}}
	for c := range r.cards.All() {
		r.may[c] = Everyone
	}
	open := k.view.Known
	open[k.view.Seat] = k.view.Open
	for s, cards := range open {
		r.show(piquet.Seat(s), cards)
	}
	return r
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
