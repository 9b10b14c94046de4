package players

import "roem/internal/engine/tarok"

// NegativeCard returns a card of klop or of a beggar by rules of thumb: avoid tricks, and get rid of dangerous cards when another takes the
// trick. The opponents of a beggar want the declarer to take a trick. legal has a card. It allocates nothing, so that hands can be played
// on with it by the thousand.
func NegativeCard(
	contract tarok.Contract, declarer, seat, leader tarok.Player, hand, legal tarok.Set, trick []tarok.Card,
) tarok.Card {
	if legal&(legal-1) == 0 {
		return legal.First()
	}
	against := contract == tarok.Beggar && seat != declarer
	if len(trick) == 0 {
		return lowLead(hand, legal)
	}
	best := trick[0]
	for _, c := range trick[1:] {
		if tarok.Beats(c, best) {
			best = c
		}
	}
	if !tarok.Beats(legal.First(), best) { // the trick cannot be beaten: a forced winner would be the only legal cards
		if against && !declarerPlayed(declarer, leader, len(trick)) {
			return lowest(legal)
		}
		return dangerous(legal)
	}
	if len(trick) == 2 { // the trick is the player's
		if against && declarerPlayed(declarer, leader, 2) {
			return highest(legal)
		}
		return highCheap(legal)
	}
	return lowest(legal)
}

// declarerPlayed reports whether the declarer has one of the first n cards of a trick.
func declarerPlayed(declarer, leader tarok.Player, n int) bool {
	return int((declarer+3-leader)%3) < n
}

// lowLead returns the lowest card of the suit with the lowest one; short suits first.
func lowLead(hand, legal tarok.Set) tarok.Card {
	best, least := legal.First(), 1000
	for s := tarok.Taroks; s <= tarok.Clubs; s++ {
		cards := legal.InSuit(s)
		if cards.Empty() {
			continue
		}
		c := cards.First()
		risk := 8*c.Rank() + hand.InSuit(s).Len() + 2*c.Thirds()
		if s == tarok.Taroks {
			risk = 4*c.Rank() + 20
		}
		if risk < least {
			best, least = c, risk
		}
	}
	return best
}

// lowest returns the lowest card of the highest suit of the deck, which is not a tarok unless all are.
func lowest(legal tarok.Set) tarok.Card {
	if plain := legal &^ tarok.OfSuit(tarok.Taroks); !plain.Empty() {
		legal = plain
	}
	best := legal.First()
	for rest := legal; rest != 0; rest &= rest - 1 {
		if c := rest.First(); c.Rank() < best.Rank() {
			best = c
		}
	}
	return best
}

// highest returns the highest card.
func highest(legal tarok.Set) tarok.Card {
	best := legal.First()
	for rest := legal; rest != 0; rest &= rest - 1 {
		if c := rest.First(); c.Rank() > best.Rank() {
			best = c
		}
	}
	return best
}

// dangerous returns the card that a player is most glad to lose: high, and with many points.
func dangerous(legal tarok.Set) tarok.Card {
	best, most := legal.First(), -1
	for rest := legal; rest != 0; rest &= rest - 1 {
		c := rest.First()
		n := 2*c.Rank() + 2*c.Thirds()
		if c.Suit() == tarok.Taroks {
			n = c.Rank() + 2*c.Thirds()
		}
		if n > most {
			best, most = c, n
		}
	}
	return best
}

// highCheap returns a high card with few points, for a trick that the player takes anyway.
func highCheap(legal tarok.Set) tarok.Card {
	best, most := legal.First(), -100
	for rest := legal; rest != 0; rest &= rest - 1 {
		c := rest.First()
		n := 2*c.Rank() - c.Thirds()
		if c.Suit() == tarok.Taroks {
			n = c.Rank() - c.Thirds()
		}
		if n > most {
			best, most = c, n
		}
	}
	return best
}
