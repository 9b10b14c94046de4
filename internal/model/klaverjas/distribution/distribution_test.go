package distribution

import (
	"math"
	"testing"

	"roem/internal/engine/klaverjas"
	"roem/internal/engine/klaverjas/index"
	"roem/internal/random"
)

// The features of a class are the features of its mirrors, and the embedded regressions give every class a sensible effort.
func TestClasses(t *testing.T) {
	rng := index.NewRand(1)
	for range 2000 {
		c, err := index.ClassAt(uint32(random.Below(rng, index.Classes)))
		if err != nil {
			t.Fatal(err)
		}
		f := FeaturesOf(c)
		for _, mirror := range c.Mirrors() {
			if FeaturesOf(mirror) != f {
				t.Errorf("%v and its mirror %v have other features", c, mirror)
			}
		}
		for _, system := range []klaverjas.System{klaverjas.Rotterdam, klaverjas.Amsterdam} {
			for _, leaders := range []bool{true, false} {
				r := Default().Of(system, leaders)
				if log10 := r.Log10(f); !(log10 > 0 && log10 < 7) || !(r.Sigma > 0.1 && r.Sigma < 1.5) {
					t.Errorf("%v %v %v: 10^%v nodes, sigma %v", c, system, leaders, log10, r.Sigma)
				}
			}
		}
	}
}

// The features by hand, of a class with a void and a hand without trump.
func TestFeatures(t *testing.T) {
	c := index.Class{{4, 4, 0, 0}, {0, 2, 3, 3}, {3, 1, 3, 1}, {1, 1, 2, 4}}
	f := FeaturesOf(c)
	want := map[int]float64{
		0: 4, 1: 0, 2: 3, // trumps
		3: 16, 4: 16, // the leader's hand with itself: trumps, plain suits
		7: 12, 8: 4, // the leader and the partner
		23: 2, 24: 0, 25: 4, 26: 0, 27: 8, 28: 2, // the leader's hand
		29: 0, 30: 0, 31: 3, 32: 1, 33: 0,
		47: c.Spread(), 48: math.Log10(float64(c.Size())),
	}
	for i, x := range want {
		if math.Abs(f[i]-x) > 1e-12 {
			t.Errorf("feature %d: %v, want %v", i, f[i], x)
		}
	}
}
