package hand

import (
	"roem/internal/engine/klaverjas"
	"roem/internal/engine/piquet"
)

// Question is a hand of which the strength is asked.
type Question struct {
	Rules klaverjas.Rules
	Hand  piquet.Set // eight cards
	Trump piquet.Suit
	// Leader is where the player sits who leads to the first trick: 0 is the seat of the hand, 1 the next seat in the order of play, 2 the
	// partner, 3 the seat before.
	Leader   int
	Declares bool // the hand's own team declares, or else the other team
}

// Strength is what the model predicts of a question, over all deals of the other cards, each equally likely. The question says who
// declares.
type Strength struct {
	WinProbability float64    // that the declarers win, with all cards open and best play by all: 0 to 1
	Mean           float64    // the mean OUTCOME of the declarers (docs/reference/rules/klaverjas.md), in points
	Pit            float64    // the probability that the declarers win all eight tricks: 0 to 1
	Quantiles      [5]float64 // the quantiles [Levels] of the OUTCOME of the declarers, in points, ascending
}

// Levels returns the levels of Strength.Quantiles.
func Levels() [5]float64 { return [5]float64{0.05, 0.25, 0.5, 0.75, 0.95} }

// Suits are the cards of a hand by suit, the trump suit first and the plain suits in ascending order. Bit f is set if the hand holds the
// card of face f. Hands that differ only in the names of plain suits have equal Suits.
type Suits [4]uint8

// SuitsOf returns the suits of a hand.
func SuitsOf(hand piquet.Set, trump piquet.Suit) Suits {
	s := Suits{uint8(hand >> (8 * trump))}
	at := 1
	for suit := range piquet.Suit(4) {
		if suit != trump {
			s[at&3] = uint8(hand >> (8 * suit))
			at++
		}
	}
	if s[1] > s[2] {
		s[1], s[2] = s[2], s[1]
	}
	if s[2] > s[3] {
		s[2], s[3] = s[3], s[2]
	}
	if s[1] > s[2] {
		s[1], s[2] = s[2], s[1]
	}
	return s
}

// valid reports whether a question has a hand of eight cards, a trump and a leader.
func (q *Question) valid() bool {
	return q.Hand.Len() == klaverjas.HandSize && q.Trump < 4 && q.Leader >= 0 && q.Leader < 4
}

// Kind returns the kind of a question under the rules with the given number: [Kinds] kinds for each. The first is that the leader's side
// declares.
func Kind(rules, leader int, declares bool) int {
	if declares == (leader%2 == 0) {
		return Kinds * rules
	}
	return Kinds*rules + 1
}

// Kinds is the number of kinds of question under the same rules.
const Kinds = 2
