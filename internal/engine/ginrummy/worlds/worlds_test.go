package worlds_test

import (
	"math"
	"math/bits"
	"testing"

	"roem/internal/engine/ginrummy"
	"roem/internal/engine/ginrummy/worlds"
	"roem/internal/random"
)

// The distribution agrees with trying all hands.
func TestDistribution(t *testing.T) {
	rng := random.New(3)
	var (
		d       worlds.Distribution
		odds    worlds.Odds
		unknown = ginrummy.SetOf(0, 5, 9, 17, 20, 33, 38, 41, 50)
		certain = ginrummy.SetOf(2, 3)
	)
	for i := range odds {
		odds[i] = 0.1 + 3*random.Float64(rng)
	}
	for size := range 6 {
		d.Set(certain, unknown, size, &odds, [4]ginrummy.Suit{2, 0, 3, 1})
		var (
			want  [ginrummy.DeckSize]float64
			sum   float64
			list  = unknown.Slice()
			count = 0
		)
		for subset := range uint(1 << len(list)) {
			if bits.OnesCount(subset) != size {
				continue
			}
			count++
			w, hand := 1.0, ginrummy.Set(0)
			for i, c := range list {
				if subset>>i&1 != 0 {
					w, hand = w*odds[c], hand.With(c)
				}
			}
			sum += w
			for c := range hand.All() {
				want[c] += w
			}
		}
		p := d.Probabilities()
		for c := range p {
			if want[c] /= sum; certain.Has(ginrummy.Card(c)) {
				want[c] = 1
			}
			if math.Abs(p[c]-want[c]) > 1e-12 {
				t.Errorf("size %d, %s: %g, want %g", size, ginrummy.Card(c), p[c], want[c])
			}
		}
		if got := d.LogHands(); math.Abs(got-math.Log(float64(count))) > 1e-9 {
			t.Errorf("size %d: the logarithm of the number of hands is %g, want the logarithm of %d", size, got, count)
		}
		const draws = 20000
		var drawn [ginrummy.DeckSize]float64
		for range draws {
			hand, w := d.Sample(rng)
			if hand.Len() != size+2 || !hand.Contains(certain) || !(certain | unknown).Contains(hand) {
				t.Fatalf("size %d: drew %s", size, hand)
			}
			if got := d.LogProbability(hand); math.Abs(got-math.Log(w/sum)) > 1e-9 {
				t.Fatalf("%s has the logarithm %g, want %g", hand, got, math.Log(w/sum))
			}
			for c := range hand.All() {
				drawn[c] += 1.0 / draws
			}
		}
		for c := range p {
			if math.Abs(drawn[c]-p[c]) > 5*math.Sqrt(p[c]*(1-p[c])/draws)+1e-12 {
				t.Errorf("size %d, %s: drawn with the share %g, want %g", size, ginrummy.Card(c), drawn[c], p[c])
			}
		}
	}
}

// The probability that a card makes a meld with the hand agrees with trying all hands.
func TestCompletes(t *testing.T) {
	rng := random.New(4)
	var (
		d    worlds.Distribution
		odds worlds.Odds
	)
	for i := range odds {
		odds[i] = 0.1 + 3*random.Float64(rng)
	}
	between := 0
	for range 40 {
		deck := ginrummy.Deck.Slice()
		random.Shuffle(rng, deck)
		certain, list := ginrummy.SetOf(deck[:3]...), ginrummy.SetOf(deck[3:15]...).Slice()
		d.Set(certain, ginrummy.SetOf(list...), 4, &odds, ginrummy.Suits())
		for _, c := range deck[13:30] { // two of the unknown cards, and others
			all, complete := 0.0, 0.0
			for subset := range uint(1 << len(list)) {
				hand, w := certain, 1.0
				for i, other := range list {
					if subset>>i&1 != 0 {
						hand, w = hand.With(other), w*odds[other]
					}
				}
				if bits.OnesCount(subset) != 4 || hand.Has(c) {
					continue
				}
				if all += w; hand.Completes(c) {
					complete += w
				}
			}
			got := d.Completes(c)
			if math.Abs(got-complete/all) > 1e-12 {
				t.Errorf("%s with %s and 4 of %v: %g, want %g", c, certain, list, got, complete/all)
			}
			if got > 0.01 && got < 0.99 {
				between++
			}
		}
	}
	if between < 40 {
		t.Errorf("%d probabilities are neither 0 nor 1", between)
	}
}
