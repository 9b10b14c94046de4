package search

// bounds returns bounds on the points that the leader still makes of the points left, between two tricks. They need no search:
//
//   - A trump that is stronger than every trump of the other takes its trick whenever it is played, and so its points go to its owner.
//   - The leader can lead his strongest cards of a plain suit, and those below them: they win as long as the other must follow. He can lead
//     all of them if the other has no trump.
//   - Each of these tricks has a card of the other, at worst the ones with the fewest points: of the suit led where he must follow, else of
//     all his cards.
func (s *Solver) bounds(n *node) (lower, upper int32) {
	d := &s.deal
	trumps, trumps2 := n.held&d.trumps, n.held2&d.trumps
	sure := above(trumps2, trumps)
	upper = n.left - d.sum(sure) - d.least(n.held, sure.len())
	sure = above(trumps, trumps2)
	if trumps2 == 0 {
		plain, rest := d.run(n.open, n.held, n.held2)
		if rest == 0 {
			return n.left, n.left
		}
		sure |= plain
		return d.sum(sure) + d.least(n.held2, sure.len()), upper
	}
	if trumps == 0 && trumps2 == n.held2 {
		return 0, 0
	}
	boss := above(n.held, n.held2) &^ d.trumps
	open2, held2, count := n.open2, n.held2, sure.len()
	for winners := boss & n.open; winners != 0; {
		of := suit(winners.low())
		card := (winners & of).high()
		must, least := open2&of, held2&of
		if must == 0 {
			winners &^= of
			continue
		}
		sure |= bit(card)
		winners = winners&^bit(card) | d.under[card]&boss
		open2 &^= must & -must // any card of the suit
		lower += d.points[least.low()]
		held2 &^= least & -least
	}
	return lower + d.sum(sure) + d.least(held2, count), upper
}

// run returns the plain cards with which the leader wins one trick after the other if the follower has no trump, and the cards that the
// leader then has left.
func (d *deal) run(open, held, other set) (plain, rest set) {
	for {
		winners := above(open, other)
		if winners == 0 {
			return plain, held
		}
		held &^= winners
		open &^= winners
		plain |= winners &^ d.trumps
		for ; winners != 0; winners &= winners - 1 {
			open |= d.under[winners.low()]
		}
	}
}

// least returns the points of the count cards with the fewest points.
func (d *deal) least(of set, count int) (points int32) {
	for i := range d.classes {
		class := &d.classes[i]
		n := (of & class.cards).len()
		if n >= count {
			return points + int32(count)*class.points
		}
		points += int32(n) * class.points
		count -= n
	}
	return points
}
