package search

import "roem/internal/engine/belote"

// node is a position between two tricks, from the side of its leader.
type node struct {
	open, held   set    // of the leader: the open cards, and all
	open2, held2 set    // of the follower
	leader       uint32 // the belote.Player
	left         int32  // the points left, the bonus for the last trick included
}

// lead returns a bound on the points that the leader still makes: a lower bound of at least need if there is one, otherwise an upper
// bound below need (fail-soft null window). After s.stop is set the value is meaningless.
func (s *Solver) lead(n node, need int32) int32 {
	if s.prune {
		if need <= 0 {
			return 0
		}
		if need > n.left {
			return n.left
		}
	}
	if n.held == 0 {
		return 0
	}
	if s.nodes++; s.nodes >= s.checkAt && s.cancelled() {
		return 0
	}
	key := s.table.key(n.held|n.held2, n.leader)
	lower, upper, first := int32(0), n.left, -1
	e := s.table.find(key)
	if e != 0 {
		lower, upper, first = e.lower(), e.upper(), e.card()
	} else if s.prune {
		lower, upper = s.bounds(&n)
	}
	if e != 0 || s.prune {
		if lower >= need {
			return lower
		}
		if upper < need {
			return upper
		}
	}
	best, card := int32(-1), 0
	var list [belote.MaxStacks]int32
	for _, x := range s.leads(&n, first, &list) {
		led := int(x & 31)
		s.generated++
		if value := s.follow(n, led, need); value > best {
			if best, card = value, led; best >= need {
				break
			}
		}
		if s.stop {
			return 0
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
	s.table.store(key, lower, upper, card)
	return best
}

// follow returns a bound like lead on the points of the leader who has led a card, which is still in the sets of the node.
func (s *Solver) follow(n node, led int, need int32) int32 {
	d := &s.deal
	legal, winners := d.replies(led, n.open2)
	after := n
	after.open = n.open&^bit(led) | d.under[led]
	after.held = n.held &^ bit(led)
	points := d.points[led]
	if after.held == 0 {
		points += belote.LastTrick
	}
	var list [belote.MaxStacks]int32
	replies := s.answers(&after, led, legal, winners, &list)
	s.generated += uint64(len(replies))
	if len(replies) > 1 { // a result in the table may be enough
		for _, x := range replies {
			if value, ok := s.known(&after, int(x&31), points, n.left, winners); ok && value < need {
				return value
			}
		}
	}
	worst := n.left
	for _, x := range replies {
		card := int(x & 31)
		won := points + d.points[card]
		var value int32
		open2, held2 := n.open2&^bit(card)|d.under[card], n.held2&^bit(card)
		if winners&bit(card) == 0 {
			value = won + s.lead(node{after.open, after.held, open2, held2, n.leader, n.left - won}, need-won)
		} else {
			left := n.left - won
			value = left - s.lead(node{open2, held2, after.open, after.held, n.leader ^ 1, left}, left-need+1)
		}
		if worst = min(worst, value); worst < need || s.stop {
			break
		}
	}
	return worst
}

// known returns an upper bound from the table on the points of the leader after a reply.
func (s *Solver) known(after *node, card int, points, left int32, winners set) (int32, bool) {
	won := points + s.deal.points[card]
	cards := after.held | after.held2&^bit(card)
	if winners&bit(card) == 0 {
		if e := s.table.find(s.table.key(cards, after.leader)); e != 0 {
			return won + e.upper(), true
		}
		return 0, false
	}
	if e := s.table.find(s.table.key(cards, after.leader^1)); e != 0 {
		return left - won - e.lower(), true
	}
	return 0, false
}
