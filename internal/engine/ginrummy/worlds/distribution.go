// Package worlds has distributions over the hand of the opponent of Gin Rummy: products of odds of single cards with the exact number of
// cards.
package worlds

import (
	"math"
	"math/rand/v2"

	"roem/internal/engine/ginrummy"
	"roem/internal/random"
)

// Odds has a positive weight for each card.
type Odds = [ginrummy.DeckSize]float64

// Distribution is a distribution over the hands that have Certain and Size of the cards of Unknown: the probability of a hand is
// proportional to the product of the odds of its cards (the conditional Bernoulli distribution). With equal odds all hands are equally
// likely.
type Distribution struct {
	Certain ginrummy.Set
	Unknown ginrummy.Set
	Size    int // cards of Unknown
	Odds    Odds

	cards [ginrummy.DeckSize]ginrummy.Card
	n     int
	// sums[i][j] is the sum, over the sets of j of the first i cards, of the products of the odds.
	sums [ginrummy.DeckSize + 1][ginrummy.HandSize + 1]float64
}

// Set sets what the distribution is over. order are the suits in the order in which their cards are summed: rounding depends on it.
func (d *Distribution) Set(certain, unknown ginrummy.Set, size int, odds *Odds, order [4]ginrummy.Suit) {
	d.Certain, d.Unknown, d.Size, d.Odds, d.n = certain, unknown, max(0, min(size, ginrummy.HandSize, unknown.Len())), *odds, 0
	for _, u := range order {
		ranks := unknown.InSuit(u)
		for r := range ginrummy.Rank(ginrummy.Ranks) {
			if ranks>>r&1 != 0 {
				d.cards[d.n] = ginrummy.Of(u, r)
				d.n++
			}
		}
	}
	d.sums[0] = [ginrummy.HandSize + 1]float64{1}
	for i, c := range d.cards[:d.n] {
		w := odds[c]
		d.sums[i+1][0] = 1
		for j := 1; j <= d.Size; j++ {
			d.sums[i+1][j] = d.sums[i][j] + float64(w*d.sums[i][j-1])
		}
	}
}

// Uniform makes all hands equally likely.
func (d *Distribution) Uniform(certain, unknown ginrummy.Set, size int) {
	var odds Odds
	for i := range odds {
		odds[i] = 1
	}
	d.Set(certain, unknown, size, &odds, ginrummy.Suits())
}

// Probabilities returns the probability of each card. The probability of a known card is 0 or 1.
func (d *Distribution) Probabilities() (p [ginrummy.DeckSize]float64) {
	for c := range d.Certain.All() {
		p[c] = 1
	}
	// after[j] is the sum over the sets of j of the cards after the i-th.
	after := [ginrummy.HandSize + 1]float64{1}
	all := d.sums[d.n][d.Size]
	for i := d.n - 1; i >= 0; i-- {
		c := d.cards[i]
		w := d.Odds[c]
		sum := 0.0
		for j := range d.Size {
			sum += float64(d.sums[i][j] * after[d.Size-1-j])
		}
		p[c] = min(1, w*sum/all)
		for j := d.Size; j >= 1; j-- {
			after[j] += float64(w * after[j-1])
		}
	}
	return p
}

// Sample draws a hand, and returns it with the product of the odds of its unknown cards.
func (d *Distribution) Sample(rng *rand.Rand) (hand ginrummy.Set, weight float64) {
	hand, weight = d.Certain, 1
	left := d.Size
	for i := d.n; left > 0; i-- {
		c := d.cards[i-1]
		w := d.Odds[c]
		if random.Float64(rng)*d.sums[i][left] < w*d.sums[i-1][left-1] {
			hand, weight = hand.With(c), weight*w
			left--
		}
	}
	return hand, weight
}

// LogProbability returns the natural logarithm of the probability of a hand, which must have Certain and Size cards of Unknown.
func (d *Distribution) LogProbability(hand ginrummy.Set) float64 {
	log := 0.0
	for c := range (hand & d.Unknown).All() {
		log += math.Log(d.Odds[c])
	}
	return log - math.Log(d.sums[d.n][d.Size])
}

// LogHands returns the natural logarithm of the number of hands.
func (d *Distribution) LogHands() float64 {
	log := 0.0
	for i := range d.Size {
		log += math.Log(float64(d.n-i)) - math.Log(float64(i+1))
	}
	return log
}
