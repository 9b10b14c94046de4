package random_test

import (
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"

	"roem/internal/random"
)

// scripted is a source that returns fixed numbers.
type scripted []uint64

func (s *scripted) Uint64() uint64 {
	v := (*s)[0]
	*s = (*s)[1:]
	return v
}

func TestBelow(t *testing.T) {
	tests := []struct {
		name   string
		n      uint64
		source scripted
		want   uint64
		unused int
	}{
		// For n = 3, 2^64 mod 3 = 1, so a number whose product has the low word 0 is rejected and drawn again.
		{"lowest is drawn again", 3, scripted{0, 1 << 63}, 1, 0},
		{"highest", 3, scripted{1<<64 - 1}, 2, 0},
		{"power of two draws once", 4, scripted{0, 7}, 0, 1},
		{"one", 1, scripted{1 << 60}, 0, 0},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			if got := random.Below(rand.New(&tt.source), tt.n); got != tt.want || len(tt.source) != tt.unused {
				t.Errorf("Below = %d with %d numbers unused, want %d with %d", got, len(tt.source), tt.want, tt.unused)
			}
		})
	}
}

// What a seed gives is part of the contract. It must never change, whatever Go does.
func TestSeedsAreRepeatable(t *testing.T) {
	type drawn struct {
		Words    [2]uint64
		Below    []uint64
		Fraction float64
		Order    []int
	}
	draw := func(rng *rand.Rand) (d drawn) {
		d.Words = [2]uint64{rng.Uint64(), rng.Uint64()}
		for _, n := range []uint64{1, 2, 3, 10, 64, 1000, 9465511770, 1<<63 + 1, 1<<63 + 1, 1<<63 + 1} {
			d.Below = append(d.Below, random.Below(rng, n))
		}
		d.Fraction = random.Float64(rng)
		d.Order = []int{0, 1, 2, 3, 4, 5, 6, 7}
		random.Shuffle(rng, d.Order)
		return d
	}
	for _, tt := range []struct {
		name string
		rng  *rand.Rand
		want drawn
	}{
		{"a seed", random.New(1), drawn{
			Words:    [2]uint64{2011346856662591082, 5175355758766438510},
			Below:    []uint64{0, 1, 2, 7, 2, 71, 7734054775, 8113359460125056271, 7778086904623084023, 2574100664199263027},
			Fraction: 0.618818238589973,
			Order:    []int{7, 2, 3, 6, 4, 5, 1, 0},
		}},
		{"a stream", random.New(1, 2, 3, 4), drawn{
			Words:    [2]uint64{3304183677142154135, 10960000743340918368},
			Below:    []uint64{0, 1, 2, 8, 59, 141, 7651455074, 8335969017314009280, 6949257664713215959, 528211349000798768},
			Fraction: 0.4180127323237304,
			Order:    []int{5, 6, 3, 2, 4, 0, 1, 7},
		}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			if diff := cmp.Diff(tt.want, draw(tt.rng)); diff != "" {
				t.Errorf("(-want +got)\n%s", diff)
			}
		})
	}
}

// Each order of three elements is drawn about equally often, and fractions are below 1 with the mean of 0.5.
func TestUniform(t *testing.T) {
	rng := random.New(3)
	seen := map[[3]int]int{}
	sum := 0.0
	const n = 60_000
	for range n {
		order := [3]int{0, 1, 2}
		random.Shuffle(rng, order[:])
		seen[order]++
		u := random.Float64(rng)
		if u < 0 || u >= 1 {
			t.Fatal(u)
		}
		sum += u
	}
	for order, times := range seen {
		if times < n/6-500 || times > n/6+500 { // five standard deviations
			t.Errorf("%v: %d of %d", order, times, n)
		}
	}
	if mean := sum / n; len(seen) != 6 || mean < 0.494 || mean > 0.506 {
		t.Errorf("%d orders, mean %v", len(seen), mean)
	}
}

// Neighbouring seeds share no seed of what they draw, and every word of a stream counts.
func TestSeedsAreIndependent(t *testing.T) {
	seen := map[uint64][2]uint64{}
	for seed := range uint64(20) {
		for i := range uint64(1000) {
			at := random.Seed(seed, i)
			if other, ok := seen[at]; ok {
				t.Fatalf("seed %d gives %d its seed %d, which seed %d gives %d", seed, i, at, other[0], other[1])
			}
			seen[at] = [2]uint64{seed, i}
		}
	}
	if got := random.Seed(7, 0); got != 7 {
		t.Errorf("the first is drawn from the seed %d, want 7", got)
	}
	stream := []uint64{1, 2, 3, 4, 5}
	whole := random.New(9, stream...).Uint64()
	for i := range stream {
		other := slices.Clone(stream)
		other[i]++
		if random.New(9, other...).Uint64() == whole {
			t.Errorf("word %d of a stream does not count", i)
		}
	}
}
