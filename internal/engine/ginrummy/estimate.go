package ginrummy

import (
	"cmp"
	"slices"
)

// Probabilities has, for each card, the probability that the opponent holds it. They sum to the number of cards of the opponent's hand,
// and they are 0 or 1 for cards whose place is known.
type Probabilities [DeckSize]float64

// Estimator estimates the hand of the opponent. It is safe for concurrent use.
type Estimator interface {
	// Estimate returns the probabilities after the last event of the view, when the opponent holds ten cards.
	Estimate(v *View) Probabilities
}

// Uniform is the estimator for which each card is equally likely whose place is not known.
type Uniform struct{}

// Estimate returns the probabilities.
func (Uniform) Estimate(v *View) (p Probabilities) {
	seen := v.Seen()
	unknown := seen.Unknown()
	for c := range seen.Kept.All() {
		p[c] = 1
	}
	for c := range unknown.All() {
		p[c] = float64(HandSize-seen.Kept.Len()) / float64(unknown.Len())
	}
	return p
}

// Order returns the cards in the order of their probabilities, the greatest first. Cards with equal probabilities are in ascending order.
func (p *Probabilities) Order() []Card {
	list := Deck.Slice()
	slices.SortStableFunc(list, func(a, b Card) int { return cmp.Compare(p[b], p[a]) })
	return list
}
