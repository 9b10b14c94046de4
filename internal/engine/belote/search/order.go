package search

import "roem/internal/engine/belote"

// The weights of the move order. They were fitted on random deals of three suits, so that the search makes few nodes
// (docs/belote.md). The order changes no value.
const (
	leadReply  = 57 // against each reply: few replies make a small tree
	leadWins   = 9  // no reply takes the trick
	leadGain   = 3  // then, for each point of the card
	leadRisk   = 7  // else, against each point of the card
	leadBoss   = 7  // against a card that is stronger than all of the follower's suit
	leadTrump  = 1
	leadTurns  = 9  // there is a card below
	leadBelow  = 3  // for each point of the card below
	leadStrong = 2  // for each step of strength
	leadAlone  = 10 // the follower has no card of the suit

	replyTakes  = 147
	replyGain   = 1  // if it takes the trick, for each point of both cards
	replyGives  = 7  // if it does not, against each point
	replyBoss   = 28 // against a card that is stronger than all of the leader's suit
	replyStrong = 1  // against each step of strength
	replyTurns  = 2  // there is a card below
	replyBelow  = 1  // for each point of the card below
)

// leads returns the open cards of the leader in the order in which they are tried, in list. The low five bits of each are the card. first
// is tried first; -1 is none.
func (s *Solver) leads(n *node, first int, list *[belote.MaxStacks]int32) []int32 {
	d := &s.deal
	boss := above(n.open, n.held2)
	count := 0
	for cards := n.open; cards != 0; cards &= cards - 1 {
		c := cards.low()
		if d.equal(c, n.open, n.held|n.held2) {
			continue
		}
		score := int32(1 << 24)
		if c != first {
			legal, winners := d.replies(c, n.open2)
			if winners == 0 {
				score = leadWins + leadGain*d.points[c]
			} else {
				score = -leadRisk * d.points[c]
			}
			if boss&bit(c) != 0 {
				score -= leadBoss
			}
			if d.trumps&bit(c) != 0 {
				score += leadTrump
			}
			if u := d.under[c]; u != 0 {
				score += leadTurns + leadBelow*d.points[u.low()]
			}
			if n.held2&suit(c) == 0 {
				score += leadAlone
			}
			score += leadStrong*int32(c&7) - leadReply*int32(legal.len())
		}
		count = insert(list, count, score<<5|int32(c))
	}
	return list[:count]
}

// answers returns the legal replies in the order in which they are tried, like leads. after is the node without the card that was led.
func (s *Solver) answers(after *node, led int, legal, winners set, list *[belote.MaxStacks]int32) []int32 {
	d := &s.deal
	boss := above(after.open2, after.held)
	all := after.held | after.held2 | bit(led)
	count := 0
	for ; legal != 0; legal &= legal - 1 {
		c := legal.low()
		if d.equal(c, after.open2, all) {
			continue
		}
		score := -replyStrong * int32(c&7)
		if winners&bit(c) != 0 {
			score += replyTakes + replyGain*(d.points[c]+d.points[led])
		} else {
			score -= replyGives * d.points[c]
		}
		if boss&bit(c) != 0 {
			score -= replyBoss
		}
		if u := d.under[c]; u != 0 {
			score += replyTurns + replyBelow*d.points[u.low()]
		}
		count = insert(list, count, score<<5|int32(c))
	}
	return list[:count]
}

// insert inserts x into the descending list of count numbers, and returns the new count.
func insert(list *[belote.MaxStacks]int32, count int, x int32) int {
	i := count
	for ; i > 0 && list[i-1] < x; i-- {
		list[i] = list[i-1]
	}
	list[i] = x
	return count + 1
}
