package index

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"roem/internal/engine/klaverjas"
	"roem/internal/engine/piquet"
	"roem/internal/random"
)

// The deals of a seed are part of the contract (the seed of /v1/klaverjas/deals/random). They must never change.
func TestSeedsAreRepeatable(t *testing.T) {
	type drawn struct{ Uniform, OfClass, ClassUniform uint64 }
	even := Class{{2, 2, 2, 2}, {2, 2, 2, 2}, {2, 2, 2, 2}, {2, 2, 2, 2}}
	want := map[uint64]drawn{
		0:         {67102579063688889, 64569207772087544, 83582471117901308},
		1:         {10855676727872436, 79564362164441305, 76762015954124325},
		20261121:  {52354831055386135, 38243793657359516, 59560237303006739},
		1<<64 - 1: {33716646393238776, 49639947013946683, 60424514157237086},
	}
	for seed, w := range want {
		index := func(hands [4]piquet.Set) uint64 {
			return Rank(klaverjas.Deal{Trump: piquet.Diamonds, Leader: piquet.South, Hands: hands})
		}
		ofClass, err := RandomOfClass(NewRand(seed), even, piquet.Diamonds, piquet.South)
		if err != nil {
			t.Fatal(err)
		}
		got := drawn{
			Uniform:      index(Random(NewRand(seed), piquet.Diamonds, piquet.South)),
			OfClass:      index(ofClass),
			ClassUniform: index(RandomClassUniform(NewRand(seed), piquet.Diamonds, piquet.South)),
		}
		if diff := cmp.Diff(w, got); diff != "" {
			t.Errorf("seed %d (-want +got):\n%s", seed, diff)
		}
	}
}

// chiSquare returns the sum of (observed - expected)^2 / expected over the cells.
func chiSquare(observed []int, expected float64) float64 {
	sum := 0.0
	for _, n := range observed {
		sum += (float64(n) - expected) * (float64(n) - expected) / expected
	}
	return sum
}

func TestRandomIsUniform(t *testing.T) {
	// The seat of each card: 32 x 4 cells of n/4. The seed is fixed, so the test is deterministic. A uniform source is below the bound
	// 9,999 times in 10,000: chi-square with 96 degrees of freedom (32 x 3) is below 154.
	n := many(t, 100_000)
	rng := NewRand(7)
	var cells [128]int
	for range n {
		hands := Random(rng, piquet.Hearts, piquet.East)
		checkHands(t, hands)
		for seat, hand := range hands {
			for c := range hand.All() {
				cells[4*int(c)+seat]++
			}
		}
	}
	if got := chiSquare(cells[:], float64(n)/4); got > 154 {
		t.Errorf("chi-square %.1f over card and seat, want at most 154", got)
	}
}

func TestRandomOfClassIsUniform(t *testing.T) {
	// All 64 deals of a small class: with 63 degrees of freedom, 1 in 10,000 is above 113.
	n := many(t, 200_000)
	rng := NewRand(8)
	c := Class{{8, 0, 0, 0}, {0, 7, 1, 0}, {0, 1, 7, 0}, {0, 0, 0, 8}}
	counts := map[uint64]int{}
	for range n {
		hands, err := RandomOfClass(rng, c, piquet.Clubs, piquet.South)
		if err != nil {
			t.Fatal(err)
		}
		counts[Rank(klaverjas.Deal{Trump: piquet.Clubs, Leader: piquet.South, Hands: hands})]++
	}
	if len(counts) != 64 {
		t.Fatalf("%d different deals drawn, want all 64", len(counts))
	}
	var cells []int
	for _, k := range counts {
		cells = append(cells, k)
	}
	if got := chiSquare(cells, float64(n)/64); got > 113 {
		t.Errorf("chi-square %.1f, want at most 113", got)
	}
}

func TestRandomOfClassIsOfTheClass(t *testing.T) {
	rng := NewRand(9)
	for range many(t, 50_000) {
		c, err := ClassAt(uint32(random.Below(rng, Classes)))
		if err != nil {
			t.Fatal(err)
		}
		d := klaverjas.Deal{Trump: piquet.Suit(random.Below(rng, 4)), Leader: piquet.Seat(random.Below(rng, 4))}
		d.Hands, err = RandomOfClass(rng, c, d.Trump, d.Leader)
		if err != nil {
			t.Fatal(err)
		}
		checkHands(t, d.Hands)
		if got := ClassOf(d); got != c {
			t.Fatalf("a deal of class %v is of class %v", c, got)
		}
	}
}

func TestRandomClassUniformDrawsClassesEvenly(t *testing.T) {
	// A hundred bins of class numbers of nearly equal size: with 99 degrees of freedom, 1 in 10,000 is above 158.
	n := many(t, 200_000)
	rng := NewRand(10)
	var cells [100]int
	for range n {
		d := klaverjas.Deal{Trump: piquet.Spades, Leader: piquet.West}
		d.Hands = RandomClassUniform(rng, d.Trump, d.Leader)
		number, err := ClassNumber(ClassOf(d))
		if err != nil {
			t.Fatal(err)
		}
		cells[int(number)*100/Classes]++
	}
	if got := chiSquare(cells[:], float64(n)/100); got > 158 {
		t.Errorf("chi-square %.1f, want at most 158", got)
	}
}
