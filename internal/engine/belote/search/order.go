package search

import (
	"math"

	"roem/internal/engine/belote"
)

// The weights of the move order. They were fitted on random deals of three suits, so that the search makes few nodes
// (lab/docs/belote/README.md). The order changes no value.
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

// list is cards with scores: of each, the low bits are its place in the list, then the card.
type list struct {
	cards [belote.MaxStacks]int32
	count int
}

const (
	cardAt  = 3
	scoreAt = cardAt + 5
)

func (l *list) add(score int32, card int) {
	at := l.count & (belote.MaxStacks - 1)
	l.cards[at] = score<<scoreAt | int32(card)<<cardAt | int32(at)
	l.count++
}

// next takes the card with the highest score out of the list. It has no branch that depends on the scores: a processor cannot predict it.
func (l *list) next() int {
	best := int32(math.MinInt32)
	for _, x := range l.cards[:l.count&(2*belote.MaxStacks-1)] {
		best = max(best, x)
	}
	l.cards[best&(belote.MaxStacks-1)] = math.MinInt32
	return int(best >> cardAt & 31)
}

// leads lists the open cards of the leader with their scores, without those that another one stands for (see neighbours). theirs are the
// neighbours of the follower's open cards.
func (s *Solver) leads(n *node, theirs pairs, list *list) {
	d := &s.deal
	wins := above(n.open, n.open2)    // no reply takes the trick
	others := n.open2 &^ theirs.lower // the replies of a follower who has none of the suit
	if n.open2&d.trumps != 0 {
		wins &^= lacking(n.open2)
		others = n.open2 & d.trumps &^ theirs.higher
	}
	certain := wins | beneath(n.open, n.open2) | d.trumps // every reply takes the trick, or none
	mine := neighbours(n.open&d.bottoms, n.held2)
	spare := wins&mine.higher | mine.lower&^wins&(certain|d.worthless)
	boss, alone := above(n.open, n.held2), lacking(n.held2)
	for cards := n.open &^ spare; cards != 0; cards &= cards - 1 {
		c := cards.low()
		same, over := n.open2&suit(c), n.open2&d.higher[c]
		replies := others
		if same != 0 {
			replies = over&^theirs.higher | same&^over&^theirs.lower
		}
		if over&d.trumps != 0 {
			replies = over &^ theirs.higher
		}
		score := d.scores[c].lead[wins>>c&1] - leadBoss*int32(boss>>c&1) + leadAlone*int32(alone>>c&1)
		list.add(score-leadReply*int32(replies.len()), c)
	}
}

// answers lists the legal replies like leads. held are the cards of the leader without the one that was led.
func (s *Solver) answers(n *node, held set, led int, legal, winners set, list *list) {
	d := &s.deal
	boss := above(n.open2, held)
	gain := replyGain * d.points[led&31]
	for ; legal != 0; legal &= legal - 1 {
		c := legal.low()
		takes := int32(winners >> c & 1)
		list.add(d.scores[c].reply[takes&1]+gain*takes-replyBoss*int32(boss>>c&1), c)
	}
}

// scores are the parts of the score of a card that are the same in every position, for a card that loses the trick and one that takes it.
type scores struct{ lead, reply [2]int32 }

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
		d.scores[c] = scores{
			lead:  [2]int32{lead - leadRisk*p, lead + leadWins + leadGain*p},
			reply: [2]int32{reply - replyGives*p, reply + replyTakes + replyGain*p},
		}
	}
}
