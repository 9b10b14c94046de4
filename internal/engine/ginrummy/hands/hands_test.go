package hands_test

import (
	"math"
	"math/bits"
	"testing"

	"roem/internal/engine/ginrummy"
	"roem/internal/engine/ginrummy/hands"
	"roem/internal/engine/ginrummy/players"
	"roem/internal/random"
)

// The distribution agrees with trying all hands.
func TestDistribution(t *testing.T) {
	rng := random.New(3)
	var (
		d       hands.Distribution
		odds    hands.Odds
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
			t.Errorf("size %d: the logarithm of the number of hands is %g, want that of %d", size, got, count)
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
		d    hands.Distribution
		odds hands.Odds
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

// The hand that a simple player has explains what it did better than random hands do.
func TestLikelihood(t *testing.T) {
	rng := random.New(5)
	var h hands.History
	better, all := 0, 0
	for i := range uint64(60) {
		deal := ginrummy.SeededDeal(41, i, 0)
		seats := [2]players.Player{players.NewSimple(random.New(41, 0, i)), players.NewSimple(random.New(41, 1, i))}
		if _, _, err := players.PlayRound(t.Context(), &deal, [2]int{}, seats, func(step *players.Step) {
			r := &step.After
			if step.Action.Kind != ginrummy.Discard || r.Phase() != ginrummy.ToDraw || step.Before.Turns() < 6 {
				return
			}
			who := step.Before.Seat().Other()
			v := ginrummy.NewView(r, who, step.Events[who], [2]int{})
			h.Set(&v, false)
			mean := func(hand ginrummy.Set) (sum float64) {
				for range 20 {
					sum += h.Likelihood(hand, rng)
				}
				return sum
			}
			var d hands.Distribution
			seen := v.Seen()
			d.Uniform(seen.Kept, seen.Unknown(), ginrummy.HandSize-seen.Kept.Len())
			other, _ := d.Sample(rng)
			if mine := mean(r.Hand(who.Other())); mine == 0 {
				t.Errorf("deal %d: the true hand is impossible", i)
			} else if all++; mine > mean(other) {
				better++
			}
		}); err != nil {
			t.Fatal(err)
		}
	}
	if all < 100 || float64(better) < 0.9*float64(all) {
		t.Errorf("the true hand explains more than a random one in %d of %d situations", better, all)
	}
}

// Hands are taken as often as their weights say.
func TestResample(t *testing.T) {
	rng := random.New(7)
	all := []hands.Sample{{Hand: 1, Weight: 3}, {Hand: 2, Weight: 0}, {Hand: 4, Weight: 5}, {Hand: 8, Weight: 2}}
	got := map[ginrummy.Set]int{}
	for _, hand := range hands.Resample(nil, all, 100, rng) {
		got[hand]++
	}
	if got[1] != 30 || got[2] != 0 || got[4] != 50 || got[8] != 20 {
		t.Errorf("%v", got)
	}
	for i := range all {
		all[i].Weight = 0
	}
	if list := hands.Resample(nil, all, 8, rng); len(list) != 8 {
		t.Errorf("%d hands", len(list))
	}
}
