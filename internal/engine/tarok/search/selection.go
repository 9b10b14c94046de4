package search

import "math/bits"

// provable returns the legal cards without those that are provably equivalent to another one, or not better: see distinct.
func (g *game) provable(n *node, legal uint64) uint64 {
	switch n.n {
	case 0:
		return g.distinct(n, legal, n.leadTaker)
	case 1:
		return g.distinct(n, legal, n.secondTaker)
	default:
		return g.distinct(n, legal, n.thirdTaker)
	}
}

// last returns the cards that are tried in the last trick of a search, in which only who wins the trick and its thirds count. It leaves
// out cards that are not better than another one, whatever the others play.
func (g *game) last(n *node, cards uint64) uint64 {
	if n.n == 2 {
		return g.lastThird(n, cards)
	}
	alone := uint64(0) // an emperor trick changes who wins
	if g.emperorNear(n) {
		alone = trula
	}
	if n.n == 1 {
		return g.lastSecond(n, cards, alone)
	}
	return g.lastLead(n, cards, alone)
}

// lastThird returns the card with the most thirds for the side of its player: the third card ends the trick.
func (g *game) lastThird(n *node, cards uint64) uint64 {
	best, value := 0, int32(-infinite)
	for rest := cards; rest != 0; rest &= rest - 1 {
		c := bits.TrailingZeros64(rest)
		_, won, _ := g.play(n, c)
		trick := 2*won - n.sum - thirds[c]
		if n.player() != 0 {
			trick = -trick
		}
		if trick > value {
			best, value = c, trick
		}
	}
	return bit(best)
}

// lastSecond compares the second cards of a trick in pairs. With a card the third player's side takes the trick for some of the third
// player's cards, and the other side for the rest. If these sets are nested, the card whose side takes the trick for more cards of the
// third player is at least as good, unless it has fewer thirds where both win or more where both lose.
func (g *game) lastSecond(n *node, cards, alone uint64) uint64 {
	var replies uint64
	var wins [64]uint64 // the third player's cards with which the side of the second player wins the trick
	for rest := cards; rest != 0; rest &= rest - 1 {
		c := bits.TrailingZeros64(rest)
		wins[c], replies = n.wins(c)
	}
	out := cards
	for rest := cards &^ alone; rest != 0; rest &= rest - 1 {
		c := bits.TrailingZeros64(rest)
		for others := out &^ alone &^ bit(c); others != 0; others &= others - 1 {
			d := bits.TrailingZeros64(others)
			if wins[c]&^wins[d] == 0 && (wins[c] == 0 || thirds[d] >= thirds[c]) && (wins[d] == replies || thirds[d] <= thirds[c]) {
				out &^= bit(c)
				break
			}
		}
	}
	return out
}

// wins returns the third player's cards with which the side of the second player takes the trick after its card c, and all that the third
// player may play.
func (n *node) wins(c int) (wins, replies uint64) {
	player, third := int(after[n.leader][1]), int(after[n.leader][2])
	winner, best := int(n.leader), int(n.cards[0])
	if above(best)&bit(c) != 0 {
		winner, best = player, c
	}
	replies = follow(n.hands[third], int(n.cards[0]))
	if (winner == 0) == (player == 0) {
		wins = replies
	}
	beats := replies & above(best)
	if wins &^= beats; (third == 0) == (player == 0) {
		wins |= beats
	}
	return wins, replies
}

// secondTaker returns which side takes the trick with the second card c, if that is certain.
func (n *node) secondTaker(c int) side {
	switch wins, replies := n.wins(c); wins {
	case replies:
		return own
	case 0:
		return other
	default:
		return unknown
	}
}

// leadTaker returns which side takes the trick with a lead, if that is certain.
func (n *node) leadTaker(c int) side {
	winner := n.leader
	wins, rival, partner := true, false, false // a rival's cards all beat the lead; a partner's may
	for k := 1; k < 3; k++ {
		p := after[winner][k]
		replies := follow(n.hands[p], c)
		beats := replies & above(c)
		if (p == 0) == (winner == 0) {
			partner = partner || beats != 0
			continue
		}
		wins = wins && beats == 0
		rival = rival || beats == replies
	}
	switch {
	case wins:
		return own
	case rival && !partner:
		return other
	default:
		return unknown
	}
}

// lastLead compares the leads of a suit. The highest of those with the same thirds is at least as good as the others: every card that
// beats it beats them too. A lead that nobody of the other side can beat is better than leads of its suit with fewer thirds. Of leads that
// lose whatever is played, the lowest of a suit is enough.
func (g *game) lastLead(n *node, cards, alone uint64) uint64 {
	out := cards & alone
	for _, suit := range suits {
		some := cards & suit &^ alone
		if some == 0 {
			continue
		}
		var keep uint64
		dearest, lost := int32(-1), false
		for rest := some; rest != 0; { // from the highest
			c := 63 - bits.LeadingZeros64(rest)
			rest &^= bit(c)
			if thirds[c] <= dearest || keep != 0 && sameThirds(keep, c) {
				continue
			}
			switch n.leadTaker(c) {
			case own:
				dearest = thirds[c]
			case other:
				if low := bits.TrailingZeros64(some); thirds[low] <= thirds[c] {
					c, lost = low, true
				}
			case unknown:
			}
			keep |= bit(c)
			if lost {
				break
			}
		}
		out |= keep
	}
	return out
}

// sameThirds reports whether a set has a card with the thirds of a card.
func sameThirds(set uint64, c int) bool {
	for ; set != 0; set &= set - 1 {
		if thirds[bits.TrailingZeros64(set)] == thirds[c] {
			return true
		}
	}
	return false
}
