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

// list is cards with scores: the low five bits of each are the card.
type list struct {
	cards [belote.MaxStacks]int32
	count int
}

const scoreAt = 5

func (l *list) add(score int32, card int) {
	l.cards[l.count&(belote.MaxStacks-1)] = score<<scoreAt | int32(card)
	l.count++
}

// next moves the card with the highest score of those from i on to i, and returns it.
func (l *list) next(i int) int {
	best, at := l.cards[i&(belote.MaxStacks-1)], i
	for j := i + 1; j < l.count; j++ {
		if x := l.cards[j&(belote.MaxStacks-1)]; x > best {
			best, at = x, j
		}
	}
	l.cards[at&(belote.MaxStacks-1)], l.cards[i&(belote.MaxStacks-1)] = l.cards[i&(belote.MaxStacks-1)], best
	return int(best & 31)
}

// leads lists the open cards of the leader with their scores, without those that another one stands for (see neighbours).
func (s *Solver) leads(n *node, list *list) {
	d := &s.deal
	boss := above(n.open, n.held2)
	higher, lower := neighbours(n.open&d.bottoms, n.held2)
	trumps2 := n.open2 & d.trumps
	for cards := n.open; cards != 0; cards &= cards - 1 {
		c := cards.low()
		legal, winners := trumps2, trumps2
		if same := n.open2 & suit(c); same != 0 {
			legal, winners = same, same&d.higher[c]
			if winners != 0 && same == trumps2 {
				legal = winners
			}
		} else if trumps2 == 0 {
			legal = n.open2
		}
		var score int32
		if winners == 0 {
			if higher&bit(c) != 0 {
				continue
			}
			score = d.scores[c].leadWins
		} else {
			if lower&bit(c) != 0 && (legal == winners || d.points[c] == 0) {
				continue
			}
			score = d.scores[c].leadLoses
		}
		if boss&bit(c) != 0 {
			score -= leadBoss
		}
		if n.held2&suit(c) == 0 {
			score += leadAlone
		}
		score -= leadReply * int32(legal.len())
		list.add(score, c)
	}
}

// answers lists the legal replies like leads. held are the cards of the leader without the one that was led.
func (s *Solver) answers(n *node, held set, led int, legal, winners set, list *list) {
	d := &s.deal
	boss := above(n.open2, held)
	higher, lower := neighbours(n.open2&d.bottoms, n.held)
	legal &^= winners&higher | lower&^winners
	gain := replyGain * d.points[led&31]
	for ; legal != 0; legal &= legal - 1 {
		c := legal.low()
		var score int32
		if winners&bit(c) != 0 {
			score = d.scores[c].replyTakes + gain
		} else {
			score = d.scores[c].replyGives
		}
		if boss&bit(c) != 0 {
			score -= replyBoss
		}
		list.add(score, c)
	}
}

// scores are the parts of the score of a card that are the same in every position.
type scores struct{ leadWins, leadLoses, replyTakes, replyGives int32 }

func (d *deal) prepareScores() {
	for c := range d.scores {
		p := d.points[c]
		lead, reply := leadStrong*int32(c&7), -replyStrong*int32(c&7)
		if d.trumps&bit(c) != 0 {
			lead += leadTrump
		}
		if u := d.under[c]; u != 0 {
			lead += leadTurns + leadBelow*d.points[u.low()]
			reply += replyTurns + replyBelow*d.points[u.low()]
		}
		d.scores[c] = scores{lead + leadWins + leadGain*p, lead - leadRisk*p, reply + replyTakes + replyGain*p, reply - replyGives*p}
	}
}
