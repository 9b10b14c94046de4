package search

import "roem/internal/engine/belote"

// node is a position between two tricks, from the side of its leader.
type node struct {
	open, held   set   // of the leader: the open cards, and all
	open2, held2 set   // of the follower
	key          key   // with the leader
	left         int32 // the points left, the bonus for the last trick included
}

// lead returns a bound on the points that the leader still makes: a lower bound of at least need if there is one, otherwise an upper
// bound below need (fail-soft null window). known is what the table has for the node, or 0. After s.stop is set the value is meaningless.
func (s *Solver) lead(n node, need int32, known entry) int32 {
	if s.prune {
		if need <= 0 {
			return 0
		}
		if need > n.left {
			return n.left
		}
	}
	if n.held&(n.held-1) == 0 {
		return s.last(&n)
	}
	if s.nodes++; s.nodes >= s.checkAt && s.cancelled() {
		return 0
	}
	lower, upper := int32(0), n.left
	if known != 0 {
		lower, upper = known.lower(), known.upper()
	} else if s.prune {
		lower, upper = s.bounds(&n)
	}
	if known != 0 || s.prune {
		if lower >= need {
			return lower
		}
		if upper < need {
			return upper
		}
	}
	best := int32(-1)
	var moves list
	theirs := neighbours(n.open2&s.deal.bottoms, n.held)
	s.leads(&n, theirs, &moves)
	for range moves.count {
		led := moves.next()
		s.generated++
		if best = max(best, s.follow(&n, led, need, theirs)); best >= need || s.stop {
			break
		}
	}
	if s.stop {
		return 0
	}
	if best >= need {
		lower = max(lower, best)
	} else {
		upper = min(upper, best)
	}
	s.table.store(n.key, lower, upper)
	return best
}

// last returns the points that the leader still makes if at most one trick is left.
func (s *Solver) last(n *node) int32 {
	if n.held == 0 {
		return 0
	}
	s.nodes++
	s.generated += 2
	if _, winners := s.deal.replies(n.held.low(), n.held2); winners != 0 {
		return 0
	}
	return n.left
}

// follow returns a bound like lead on the points of the leader who has led a card, which is still in the sets of the node. theirs are the
// neighbours of the follower's open cards.
func (s *Solver) follow(n *node, led int, need int32, theirs pairs) int32 { //nolint:funlen // the inner loop of the search, in its order
	d := &s.deal
	after := n.key - d.places[led&31]
	open, held := n.open&^bit(led)|d.under[led&31], n.held&^bit(led)
	points := d.points[led&31]
	if held == 0 {
		points += belote.LastTrick
	}
	legal, winners := d.replies(led, n.open2)
	legal &^= winners&theirs.higher | theirs.lower&^winners
	var cards [belote.MaxStacks]uint8 // in the order of the search
	var known [belote.MaxStacks]entry
	count := legal.len()
	s.generated += uint64(count)
	inTable := held&(held-1) != 0 // the last trick is not
	if count == 1 {
		card := legal.low()
		cards[0] = uint8(card)
		if inTable {
			known[0] = s.table.find((after - d.places[card]) ^ key(winners>>card)&1)
		}
	} else {
		// Look all replies up first: the points of one or a result in the table may be enough.
		var moves list
		s.answers(n, held, led, legal, winners, &moves)
		for i := range count {
			card := moves.next()
			cards[i&(belote.MaxStacks-1)] = uint8(card)
			won := points + d.points[card]
			takes := key(winners>>card) & 1
			most := n.left // of the leader
			if takes != 0 {
				most -= won
			}
			if most >= need && (takes != 0 || won < need) && inTable {
				e := s.table.find((after - d.places[card]) ^ takes)
				known[i&(belote.MaxStacks-1)] = e
				if e != 0 && takes != 0 {
					most -= e.lower()
				} else if e != 0 {
					most = won + e.upper()
				}
			}
			if most < need {
				return most
			}
		}
	}
	worst := n.left
	for i := range count {
		card := int(cards[i&(belote.MaxStacks-1)] & 31)
		won := points + d.points[card]
		open2, held2 := n.open2&^bit(card)|d.under[card], n.held2&^bit(card)
		key, e := after-d.places[card], known[i&(belote.MaxStacks-1)]
		var value int32
		if winners&bit(card) == 0 {
			value = won + s.lead(node{open, held, open2, held2, key, n.left - won}, need-won, e)
		} else {
			left := n.left - won
			value = left - s.lead(node{open2, held2, open, held, key ^ 1, left}, left-need+1, e)
		}
		if worst = min(worst, value); worst < need || s.stop {
			break
		}
	}
	return worst
}
