package search

import "math/bits"

// infinite is more than any value.
const infinite = 1 << 20

// visit returns a bound on the thirds that the declarer makes from here on, those on the table included: at least need if the declarer can
// make need, otherwise less (fail-soft null window). In a beggar the value is 1 if the declarer takes no trick, and 0 if not. After s.stop
// is set the value is meaningless.
func (s *Solver) visit(n *node, need int32) int32 {
	if need <= 0 {
		return 0
	}
	if need > n.left {
		return n.left
	}
	if n.n > 0 {
		value, _ := s.choose(n, need, -1)
		return value
	}
	if n.hands[0] == 0 {
		return n.left // 0, or 1 for a beggar without a trick
	}
	if s.nodes >= s.checkAt && s.cancelled() {
		return 0
	}
	k := s.table.key(&n.hands, int(n.leader))
	lower, upper, first := int32(0), n.left, -1
	if e := s.table.find(k); e != 0 {
		if lower, upper, first = e.lower(), e.upper(), e.card(); lower >= need {
			return lower
		} else if upper < need {
			return upper
		}
	}
	value, card := s.choose(n, need, first)
	if s.stop {
		return 0
	}
	if value >= need {
		lower = max(lower, value)
	} else {
		upper = min(upper, value)
	}
	s.table.store(k, lower, upper, card)
	return value
}

// choose tries the cards of the player to move. It returns a bound like visit, and the card that gave it.
func (s *Solver) choose(n *node, need int32, first int) (value int32, card int) {
	player := n.player()
	legal := s.game.legal(n)
	if legal&(legal-1) != 0 {
		legal = s.reduced(n, legal)
	}
	var list [16]int32
	moves := s.order(n, legal, first, list[:0])
	value, card = -1, 0
	if player != 0 {
		value = infinite
	}
	for _, m := range moves {
		c := int(m & 63)
		s.nodes++
		next, won, taken := s.game.play(n, c)
		var got int32
		if s.game.negative {
			if !taken {
				got = s.visit(&next, need)
			}
		} else {
			got = won + s.visit(&next, need-won)
		}
		if s.stop {
			return 0, 0
		}
		if player == 0 {
			if got > value {
				value, card = got, c
			}
			if value >= need {
				break
			}
		} else {
			if got < value {
				value, card = got, c
			}
			if value < need {
				break
			}
		}
	}
	if len(moves) > 1 && (value >= need) == (player == 0) {
		s.history[player][card] += int32(bits.OnesCount64(n.hands[player]))
	}
	return value, card
}

// reduced returns the legal cards without those that are provably equivalent to another one, or not better.
func (s *Solver) reduced(n *node, legal uint64) uint64 {
	if n.n < 2 {
		return s.game.distinct(n, legal, nil)
	}
	return s.game.distinct(n, legal, n.thirdTaker)
}

// thirdTaker returns which side takes the trick with the third card c.
func (n *node) thirdTaker(c int) side {
	winner := after[n.leader][n.best]
	if above(int(n.cards[n.best]))&bit(c) != 0 {
		winner = after[n.leader][2]
	}
	if (winner == 0) == (n.player() == 0) {
		return own
	}
	return other
}

// order appends the cards, each in the low bits of a number, best first.
func (s *Solver) order(n *node, legal uint64, first int, list []int32) []int32 {
	if legal&(legal-1) == 0 {
		return append(list, int32(bits.TrailingZeros64(legal)))
	}
	player := n.player()
	history := &s.history[player]
	for rest := legal; rest != 0; rest &= rest - 1 {
		c := bits.TrailingZeros64(rest)
		x := s.guess(n, player, c)*64 + min(history[c], 1<<14)/64
		if c == first {
			x = infinite
		}
		x = x<<6 | int32(c)
		list = append(list, x)
		for i := len(list) - 1; i > 0 && list[i-1] < x; i-- {
			list[i-1], list[i] = x, list[i-1]
		}
	}
	return list
}

// guess returns how good a card looks, in thirds: what is on the table for the side that is going to win it.
func (s *Solver) guess(n *node, player, c int) int32 {
	best := c
	winner := player
	if n.n > 0 && above(int(n.cards[n.best]))&bit(c) == 0 {
		best, winner = int(n.cards[n.best]), int(after[n.leader][n.best])
	}
	led := c
	if n.n > 0 {
		led = int(n.cards[0])
	}
	for k := int(n.n) + 1; k < 3; k++ {
		p := int(after[n.leader][k])
		if (p == 0) != (winner == 0) { // would the other side win it?
			if higher := follow(n.hands[p], led) & above(best); higher != 0 {
				winner, best = p, bits.TrailingZeros64(higher)
			}
		}
	}
	sum := n.sum + thirds[c]
	if (winner == 0) == (player == 0) {
		return sum
	}
	return -sum
}
