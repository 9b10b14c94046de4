package advice

import (
	"cmp"
	"slices"

	"roem/internal/engine/klaverjas"
	"roem/internal/engine/klaverjas/worlds"
	"roem/internal/engine/piquet"
)

// preferred returns the legal cards in the order in which equal ones are preferred. Cards are equal if the search finds the same value
// for them. With all cards visible it does not matter which of them is played. At the table it does, since the others err and do not
// see the cards. The order depends only on the view:
//
//  1. A plain card before a trump.
//  2. Of trumps, the weaker.
//  3. Of plain cards in a trick that the seat's team wins for certain: one that is not the highest of its suit still in play, then the one
//     with the most points. Points are safe there, and the highest card can win a trick of its own.
//  4. Of other plain cards, the one with the fewest points, then the weaker, then by the order of the deck.
func preferred(k *worlds.Knowledge) []piquet.Card {
	trump := k.View().Trump
	trick := k.Position(k.World(0)).Trick() // the trick on the table is the same in every world
	unplayed := k.Unseen() | k.Own()
	rankOf := func(c piquet.Card) (group, points, strength int) {
		points, strength = klaverjas.Points(c, trump), klaverjas.Strength(c, trump)
		switch {
		case c.Suit() == trump:
			return 2, 0, strength
		case wins(k, trick, c):
			if highest(c, unplayed, trump) {
				group = 1
			}
			return group, -points, strength
		}
		return 1, points, strength
	}
	list := k.Legal().Slice()
	slices.SortStableFunc(list, func(a, b piquet.Card) int {
		group, points, strength := rankOf(a)
		group2, points2, strength2 := rankOf(b)
		return cmp.Or(group-group2, points-points2, strength-strength2)
	})
	return list
}

// highest reports whether no unplayed card of its suit is stronger.
func highest(c piquet.Card, unplayed piquet.Set, trump piquet.Suit) bool {
	for other := range unplayed.InSuit(c.Suit()).All() {
		if klaverjas.Strength(other, trump) > klaverjas.Strength(c, trump) {
			return false
		}
	}
	return true
}

// wins reports whether the team of the seat to play wins the trick in every world if it plays c. It is cautious: it ignores that an
// opponent may have to follow suit, and that the partner may beat the card of an opponent.
func wins(k *worlds.Knowledge, trick klaverjas.Trick, c piquet.Card) bool {
	v := k.View()
	trick = trick.With(c, v.Trump)
	if trick.Winner.Team() != v.Seat.Team() {
		return false
	}
	for trick.Len < 4 {
		next := trick.Turn()
		if next.Team() != v.Seat.Team() {
			for card := range k.May(next).All() {
				if trick.With(card, v.Trump).Winner == next {
					return false
				}
			}
		}
		trick.Len++
	}
	return true
}
