// Package playout plays possible deals to their end as players do who do not see each other's cards.
//
// A [Policy] says how likely a seat plays each of its legal cards. It sees the seat's own cards and what all have seen ([Table]), and
// nothing else. So in a playout a partner may misread the position and an opponent may miss the killing lead, as at the table. A search of
// the same deal with all cards visible ([roem/internal/engine/klaverjas/search]) lets nobody err.
//
// From the same policy follows what the cards played say about the hidden ones ([Weigh]): a world is the more likely, the more likely the
// other seats would have played in it what they did play.
//
// Sources: Furtak and Buro, "Recursive Monte Carlo Search for Imperfect Information Games" (2013), for playouts by players with hidden
// cards; Rebstock, Solinas, Buro and Sturtevant, "Policy Based Inference in Trick-Taking Card Games" (2019), for the weights.
package playout

import (
	"math"

	"roem/internal/engine/piquet"
)

// Policy says how likely a seat plays each legal card. It has working memory: only one goroutine at a time may use it.
type Policy interface {
	// Logits writes the logit of each legal card of the seat to play, which holds own. Other elements of logits are not changed. The
	// probability of a card is proportional to the exponential of its logit.
	Logits(t *Table, own, legal piquet.Set, logits *[32]float32)
}

// Models are the policies of a decision. They have working memory: only one goroutine at a time may use them.
type Models struct {
	// Play is the policy of all seats in playouts.
	Play Policy
	// Players are the players that the other seats may be, each as likely as any other. They say what the cards played tell about the hidden
	// ones.
	Players []Policy
	// Rules are players by fixed rules that the opponents may be instead, both of one kind. Each gives its card by far the highest logit.
	Rules []Policy
}

// Outcome plays card, then the likeliest card of each seat to the end of the hand, and returns the OUTCOME in points from the declarers'
// side. held are the cards that the seats hold; card is a legal one of the seat to play.
func Outcome(p Policy, t Table, held [4]piquet.Set, card piquet.Card) int {
	return OutcomeOf([2]Policy{p, p}, t, held, card)
}

// OutcomeOf is Outcome with a policy for each team.
func OutcomeOf(teams [2]Policy, t Table, held [4]piquet.Set, card piquet.Card) int {
	var logits [32]float32
	for {
		seat := t.Turn()
		t.Play(card)
		held[seat] = held[seat].Without(card)
		if t.Finished() {
			return t.Outcome()
		}
		own := held[t.Turn()]
		legal := t.Legal(own)
		if card = legal.First(); legal.Len() > 1 {
			teams[t.Turn().Team()].Logits(&t, own, legal, &logits)
			card = Likeliest(&logits, legal)
		}
	}
}

// Likeliest returns the legal card with the highest logit.
func Likeliest(logits *[32]float32, legal piquet.Set) piquet.Card {
	best := legal.First()
	for s := legal; s != 0; s &= s - 1 {
		if c := s.First(); logits[c] > logits[best] {
			best = c
		}
	}
	return best
}

// Probabilities writes the probability of each legal card.
func Probabilities(logits *[32]float32, legal piquet.Set, p *[32]float64) {
	top := float64(logits[Likeliest(logits, legal)])
	sum := 0.0
	for s := legal; s != 0; s &= s - 1 {
		c := s.First()
		p[c] = math.Exp(float64(logits[c]) - top)
		sum += p[c]
	}
	for s := legal; s != 0; s &= s - 1 {
		p[s.First()] /= sum
	}
}
