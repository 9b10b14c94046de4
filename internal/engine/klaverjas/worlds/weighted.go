package worlds

import (
	"fmt"
	"math"
	"math/rand/v2"

	"roem/internal/engine/piquet"
	"roem/internal/random"
)

// Weighted is a distribution over the worlds of a view: the probability of a world is proportional to the product of the weights of its
// cards, one for each card and the seat that holds it. Equal weights give the uniform distribution. It is immutable.
//
// A belief about single cards becomes a distribution over worlds in this way, with the sizes of the hands and everything that the view
// excludes taken into account exactly.
type Weighted struct {
	k       *Knowledge
	cards   [most]piquet.Card
	len     int
	weights [most][3]float64 // by card and other seat; 0 where the seat may not hold the card; at most 1
	// sum[i][a][b] is the sum, over the ways to deal the cards from i on, of the products of their weights, where the first other seat
	// gets a cards, the second b, and the third the rest.
	sum   [most + 1][9][9]float64
	probs [32][4]float64
}

// Weighted returns the distribution for weights by card and seat. Weights of cards that are not unseen, and of seats that may not hold a
// card, are ignored. The error names a weight that is negative or not finite, or says that every world has weight 0.
func (k *Knowledge) Weighted(weights *[32][4]float64) (*Weighted, error) {
	w := &Weighted{k: k}
	for c := range k.unseen.All() {
		most := 0.0
		for o, seat := range k.others {
			weight := weights[c][seat]
			if !(weight >= 0) || math.IsInf(weight, 1) {
				return nil, fmt.Errorf("the weight %v of %s at %s is not a number from 0", weight, c, seat)
			}
			if k.may[seat].Has(c) {
				w.weights[w.len][o] = weight
				most = max(most, weight)
			}
		}
		for o := range k.others { // factors common to a card change nothing, and products of many small weights would underflow
			w.weights[w.len][o] /= max(most, math.SmallestNonzeroFloat64)
		}
		w.cards[w.len] = c
		w.len++
	}
	w.backward()
	if need := k.table.need; w.sum[0][need[0]][need[1]] == 0 {
		return nil, fmt.Errorf("every world has weight 0")
	}
	w.forward()
	return w, nil
}

// backward fills sum from the last card to the first.
func (w *Weighted) backward() {
	need := w.k.table.need
	w.sum[w.len][0][0] = 1
	for i := w.len - 1; i >= 0; i-- {
		rest := w.len - i
		p, next := &w.weights[i], &w.sum[i+1]
		for a := range min(need[0], rest) + 1 {
			for b := range min(need[1], rest-a) + 1 {
				c := rest - a - b
				if c > need[2] {
					continue
				}
				sum := 0.0
				if a > 0 {
					sum += p[0] * next[a-1][b]
				}
				if b > 0 {
					sum += p[1] * next[a][b-1]
				}
				if c > 0 {
					sum += p[2] * next[a][b]
				}
				w.sum[i][a][b] = sum
			}
		}
	}
}

// forward computes the probability of each card and seat.
func (w *Weighted) forward() {
	need := w.k.table.need
	var before [9][9]float64 // the probability of each need of the first two seats before a card
	before[need[0]][need[1]] = 1
	for i := range w.len {
		var after [9][9]float64
		card := w.cards[i]
		for a := range need[0] + 1 {
			for b := range need[1] + 1 {
				if before[a][b] == 0 {
					continue
				}
				p := w.shares(i, a, b)
				for o, seat := range w.k.others {
					w.probs[card][seat] += before[a][b] * p[o]
				}
				after[max(a-1, 0)][b] += before[a][b] * p[0] // p[0] is 0 where a is
				after[a][max(b-1, 0)] += before[a][b] * p[1]
				after[a][b] += before[a][b] * p[2]
			}
		}
		before = after
	}
}

// shares returns the probabilities that each other seat gets card i, where the first two need a and b cards.
func (w *Weighted) shares(i, a, b int) (p [3]float64) {
	all, next := w.sum[i][a][b], &w.sum[i+1]
	if all == 0 {
		return p
	}
	if a > 0 {
		p[0] = w.weights[i][0] * next[a-1][b] / all
	}
	if b > 0 {
		p[1] = w.weights[i][1] * next[a][b-1] / all
	}
	p[2] = w.weights[i][2] * next[a][b] / all
	return p
}

// Probability returns the probability that a seat holds an unseen card. For any other card it is 0.
func (w *Weighted) Probability(c piquet.Card, s piquet.Seat) float64 { return w.probs[c&31][s&3] }

// Sample draws a world.
func (w *Weighted) Sample(rng *rand.Rand) World {
	var hands [3]piquet.Set
	a, b := w.k.table.need[0], w.k.table.need[1]
	for i := range w.len {
		p := w.shares(i, a, b)
		o, u := 2, random.Float64(rng)
		switch {
		case u < p[0]:
			o, a = 0, a-1
		case u < p[0]+p[1]:
			o, b = 1, b-1
		case p[2] == 0: // u is so close to 1 that rounding matters
			if o = 0; p[1] > 0 {
				o = 1
			}
			if o == 0 {
				a--
			} else {
				b--
			}
		}
		hands[o] = hands[o].With(w.cards[i])
	}
	return w.k.deal(hands)
}

// LogProbability returns the natural logarithm of the probability of a world, minus infinity for hands that are not a world of the view.
func (w *Weighted) LogProbability(world World) float64 {
	if _, ok := w.k.Rank(world); !ok {
		return math.Inf(-1)
	}
	need := w.k.table.need
	log := -math.Log(w.sum[0][need[0]][need[1]])
	for i, card := range w.cards[:w.len] {
		for o, seat := range w.k.others {
			if world[seat].Has(card) {
				log += math.Log(w.weights[i][o])
			}
		}
	}
	return log
}
