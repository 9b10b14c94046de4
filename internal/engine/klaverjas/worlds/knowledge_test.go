package worlds_test

import (
	"math"
	"math/rand/v2"
	"testing"

	"github.com/google/go-cmp/cmp"

	"roem/internal/engine/klaverjas"
	"roem/internal/engine/klaverjas/enginetest"
	"roem/internal/engine/klaverjas/worlds"
	"roem/internal/engine/piquet"
)

// The true deal is always a world, its number leads back to it, and every certain card is where it is said to be.
func TestTheTrueDealIsPossible(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 1))
	for range 3000 {
		p, v := enginetest.RandomView(t, rng, rng.IntN(33))
		k := enginetest.Knowledge(t, v)
		truth := enginetest.Held(p)
		n, ok := k.Rank(truth)
		if !ok {
			t.Fatalf("the true deal %v is not a world of %+v", truth, v)
		}
		if diff := cmp.Diff(truth, k.World(n)); diff != "" {
			t.Fatalf("world %d of %+v: %s", n, v, diff)
		}
		if got := k.Position(truth); got != p {
			t.Fatalf("the position of the true deal is %+v, want %+v", got, p)
		}
		for _, s := range piquet.Seats() {
			if s != v.Seat && (truth[s]&^k.May(s) != 0 || k.Has(s)&^truth[s] != 0) {
				t.Fatalf("%s holds %s; may hold %s, surely holds %s", s, truth[s], k.May(s), k.Has(s))
			}
		}
	}
}

// enumerate returns every deal of the unseen cards from which the cards played were legal, found by playing them.
func enumerate(t *testing.T, v worlds.View) map[worlds.World]bool {
	t.Helper()
	var dealt [4]piquet.Set
	dealt[v.Seat] = v.Hand
	trick := klaverjas.Trick{Leader: v.Leader, Winner: v.Leader}
	seen := v.Hand
	for _, c := range v.Played {
		seen = seen.With(c)
		dealt[trick.Turn()] = dealt[trick.Turn()].With(c)
		if trick = trick.With(c, v.Trump); trick.Len == 4 {
			trick = klaverjas.Trick{Leader: trick.Winner, Winner: trick.Winner}
		}
	}
	worlds := map[worlds.World]bool{}
	var deal func(rest []piquet.Card)
	deal = func(rest []piquet.Card) {
		if len(rest) == 0 {
			start, err := klaverjas.NewPosition(v.Rules, klaverjas.Deal{Trump: v.Trump, Leader: v.Leader, Declarer: v.Declarer, Hands: dealt})
			if err != nil {
				t.Fatal(err)
			}
			if p, err := start.Replay(v.Played); err == nil {
				worlds[enginetest.Held(p)] = true
			}
			return
		}
		for _, s := range piquet.Seats() {
			if s == v.Seat || dealt[s].Len() == klaverjas.HandSize {
				continue
			}
			open := false
			for _, other := range piquet.Seats() {
				open = open || other != s && v.Known[other].Has(rest[0])
			}
			if open {
				continue
			}
			dealt[s] = dealt[s].With(rest[0])
			deal(rest[1:])
			dealt[s] = dealt[s].Without(rest[0])
		}
	}
	deal((piquet.Deck &^ seen).Slice())
	return worlds
}

// The worlds are those found by enumeration, each with one number, and the probabilities are their shares.
func TestWorldsAreThoseOfEnumeration(t *testing.T) {
	rng := rand.New(rand.NewPCG(2, 1))
	for range 60 {
		_, v := enginetest.RandomView(t, rng, 19+rng.IntN(14))
		k := enginetest.Knowledge(t, v)
		want := enumerate(t, v)
		if k.Worlds() != uint64(len(want)) {
			t.Fatalf("%+v: %d worlds, want %d", v, k.Worlds(), len(want))
		}
		var holds [32][4]int
		for n := range k.Worlds() {
			w := k.World(n)
			if !want[w] {
				t.Fatalf("%+v: world %d, %v, is not possible", v, n, w)
			}
			delete(want, w)
			if back, ok := k.Rank(w); !ok || back != n {
				t.Fatalf("world %d has number %d, %v", n, back, ok)
			}
			for s := range w {
				for c := range w[s].All() {
					holds[c][s]++
				}
			}
		}
		for c := range k.Unseen().All() {
			for _, s := range piquet.Seats() {
				share := float64(holds[c][s]) / float64(k.Worlds())
				if got := k.Probability(c, s); math.Abs(got-share) > 1e-12 {
					t.Fatalf("%+v: %s is at %s with probability %v, want %v", v, c, s, got, share)
				}
			}
		}
	}
}

// What a play excludes is what the engine says of each pair of cards, and pairs decide for whole hands.
func TestLegalityIsPairwise(t *testing.T) {
	rng := rand.New(rand.NewPCG(3, 1))
	for range 1500 {
		p, _ := enginetest.RandomPlay(t, rng, rng.IntN(32))
		trick, trump, rules := p.Trick(), p.Deal().Trump, p.Rules()
		left := piquet.Deck &^ trick.Set()
		for c := range left.All() {
			var want piquet.Set
			for x := range left.Without(c).All() {
				if !rules.Legal(trump, trick, piquet.SetOf(c, x)).Has(c) {
					want = want.With(x)
				}
			}
			if got := rules.Excluded(trump, trick, c) & left; got != want {
				t.Fatalf("%s to %+v under %+v excludes %s, want %s", c, trick, rules, got, want)
			}
			hand := piquet.SetOf(c) | piquet.Set(rng.Uint32()&rng.Uint32())&left
			if legal := rules.Legal(trump, trick, hand).Has(c); legal != (hand&want == 0) {
				t.Fatalf("%s of %s to %+v: legal is %v, by pairs %v", c, hand, trick, legal, !legal)
			}
		}
	}
}

// Samples fall evenly on the worlds: chi-square with up to 5,000 worlds.
func TestSamplesAreUniform(t *testing.T) {
	rng := rand.New(rand.NewPCG(4, 1))
	tested := 0
	for tested < 12 {
		_, v := enginetest.RandomView(t, rng, 18+rng.IntN(10))
		k := enginetest.Knowledge(t, v)
		worlds := k.Worlds()
		if worlds < 2 || worlds > 5000 {
			continue
		}
		tested++
		counts := make([]int, worlds)
		samples := int(40 * worlds)
		for range samples {
			n, ok := k.Rank(k.Sample(rng))
			if !ok {
				t.Fatal("a sample is not a world")
			}
			counts[n]++
		}
		checkChiSquare(t, counts, func(int) float64 { return 40 })
	}
}

// checkChiSquare fails at about 5 standard deviations of the statistic.
func checkChiSquare(t *testing.T, counts []int, expected func(int) float64) {
	t.Helper()
	sum := 0.0
	for i, n := range counts {
		d := float64(n) - expected(i)
		sum += d * d / expected(i)
	}
	free := float64(len(counts) - 1)
	if limit := free + 5*math.Sqrt(2*free) + 10; sum > limit {
		t.Errorf("chi-square is %.1f with %.0f degrees of freedom, want at most %.1f", sum, free, limit)
	}
}

func TestSampleDistinct(t *testing.T) {
	rng := rand.New(rand.NewPCG(5, 1))
	_, v := enginetest.RandomView(t, rng, 20)
	for enginetest.Knowledge(t, v).Worlds() < 20 {
		_, v = enginetest.RandomView(t, rng, 20)
	}
	k := enginetest.Knowledge(t, v)
	for _, n := range []int{0, 1, int(k.Worlds()) / 2, int(k.Worlds()) - 1, int(k.Worlds()), int(k.Worlds()) + 5} {
		got := k.SampleDistinct(rng, n)
		if want := min(n, int(k.Worlds())); len(got) != want {
			t.Errorf("%d of %d worlds: %d drawn, want %d", n, k.Worlds(), len(got), want)
		}
		seen := map[uint64]bool{}
		for _, w := range got {
			if seen[w] || w >= k.Worlds() {
				t.Errorf("%d of %d worlds: %d drawn twice or out of range", n, k.Worlds(), w)
			}
			seen[w] = true
		}
	}
}

// A weighted distribution has the probabilities of its definition: the product of the weights of each world, normalised.
func TestWeighted(t *testing.T) {
	rng := rand.New(rand.NewPCG(6, 1))
	tested := 0
	for tested < 20 {
		_, v := enginetest.RandomView(t, rng, 19+rng.IntN(9))
		k := enginetest.Knowledge(t, v)
		if k.Worlds() < 2 || k.Worlds() > 3000 {
			continue
		}
		tested++
		var weights [32][4]float64
		for c := range weights {
			for s := range weights[c] {
				weights[c][s] = math.Exp(2 * rng.NormFloat64())
			}
		}
		w, err := k.Weighted(&weights)
		if err != nil {
			t.Fatal(err)
		}
		total := 0.0
		want := make([]float64, k.Worlds())
		for n := range want {
			want[n] = 1
			for s, hand := range k.World(uint64(n)) {
				if piquet.Seat(s) == v.Seat {
					continue
				}
				for c := range hand.All() {
					want[n] *= weights[c][s]
				}
			}
			total += want[n]
		}
		var holds [32][4]float64
		for n := range want {
			want[n] /= total
			world := k.World(uint64(n))
			if got := math.Exp(w.LogProbability(world)); math.Abs(got-want[n]) > 1e-9 {
				t.Fatalf("world %d has probability %v, want %v", n, got, want[n])
			}
			for s, hand := range world {
				for c := range hand.All() {
					holds[c][s] += want[n]
				}
			}
		}
		for c := range k.Unseen().All() {
			for _, s := range piquet.Seats() {
				if got := w.Probability(c, s); math.Abs(got-holds[c][s]) > 1e-9 {
					t.Fatalf("%s is at %s with probability %v, want %v", c, s, got, holds[c][s])
				}
			}
		}
		// The samples, in groups of worlds so that none is expected too seldom.
		const groups, samples = 8, 4000
		var counts [groups]int
		var expected [groups]float64
		for n, p := range want {
			expected[n%groups] += samples * p
		}
		for range samples {
			n, ok := k.Rank(w.Sample(rng))
			if !ok {
				t.Fatal("a sample is not a world")
			}
			counts[n%groups]++
		}
		if len(want) >= groups {
			checkChiSquare(t, counts[:], func(i int) float64 { return max(expected[i], 1e-9) })
		}
	}
}

// Weights that leave no world, or are no weights, are errors.
func TestWeightedErrors(t *testing.T) {
	rng := rand.New(rand.NewPCG(7, 1))
	_, v := enginetest.RandomView(t, rng, 8)
	v.Known = [4]piquet.Set{}
	k := enginetest.Knowledge(t, v)
	for name, weight := range map[string]float64{"zero": 0, "negative": -1, "not a number": math.NaN(), "infinite": math.Inf(1)} {
		var weights [32][4]float64
		for c := range weights {
			weights[c] = [4]float64{weight, weight, weight, weight}
		}
		if _, err := k.Weighted(&weights); err == nil {
			t.Errorf("%s: no error", name)
		}
	}
}

// The knowledge of a view, with all probabilities: the views of random play, from the first card to the last.
func BenchmarkNew(b *testing.B) {
	rng := rand.New(rand.NewPCG(8, 1))
	views := make([]worlds.View, 512)
	for i := range views {
		_, views[i] = enginetest.RandomView(b, rng, i%32)
	}
	b.ReportAllocs()
	for i := 0; b.Loop(); i++ {
		if _, err := worlds.New(views[i%len(views)]); err != nil {
			b.Fatal(err)
		}
	}
}

// A uniform world before the first card, where there are most.
func BenchmarkSample(b *testing.B) {
	rng := rand.New(rand.NewPCG(9, 1))
	_, v := enginetest.RandomView(b, rng, 0)
	v.Known = [4]piquet.Set{}
	k := enginetest.Knowledge(b, v)
	b.ReportAllocs()
	for b.Loop() {
		k.Sample(rng)
	}
}

// A weighted world before the first card, and the table that it needs.
func BenchmarkWeighted(b *testing.B) {
	rng := rand.New(rand.NewPCG(10, 1))
	_, v := enginetest.RandomView(b, rng, 0)
	v.Known = [4]piquet.Set{}
	k := enginetest.Knowledge(b, v)
	var weights [32][4]float64
	for c := range weights {
		for s := range weights[c] {
			weights[c][s] = rng.Float64()
		}
	}
	b.Run("table", func(b *testing.B) {
		for b.Loop() {
			if _, err := k.Weighted(&weights); err != nil {
				b.Fatal(err)
			}
		}
	})
	w, err := k.Weighted(&weights)
	if err != nil {
		b.Fatal(err)
	}
	b.Run("sample", func(b *testing.B) {
		for b.Loop() {
			w.Sample(rng)
		}
	})
}
