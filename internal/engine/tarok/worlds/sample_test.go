package worlds

import (
	"cmp"
	"math/rand/v2"
	"slices"
	"testing"

	gocmp "github.com/google/go-cmp/cmp"

	"roem/internal/engine/tarok"
	"roem/internal/random"
)

func drawView(rng *rand.Rand, contract tarok.Contract, played int) View {
	for {
		s := tarok.DrawSetup(rng, contract)
		p, err := tarok.NewPosition(s)
		if err != nil {
			continue
		}
		var list []tarok.Card
		for len(list) < played && !p.Finished() {
			list = append(list, tarok.Any(rng, p.Legal()))
			p, _ = p.Play(list[len(list)-1])
		}
		if !p.Finished() {
			return ViewOf(&s, list, p.Turn())
		}
	}
}

func TestDistance(t *testing.T) {
	set := func(texts ...string) (s tarok.Set) {
		for _, text := range texts {
			c, err := tarok.ParseCard(text)
			if err != nil {
				t.Fatal(err)
			}
			s = s.With(c)
		}
		return s
	}
	tests := []struct {
		name string
		a, b tarok.Set // what A has besides equal cards, and B has in the other world
		want int
	}{
		{"equal", set("HK", "T1"), set("HK", "T1"), 0},
		{"a king against a low card", set("HK"), set("H4"), 2 * 4 * (5 + 1)},
		{"a queen, a cavalier and a jack against low cards", set("HQ", "SC", "DJ"), set("H4", "S7", "D4"), 2 * 4 * (4 + 3 + 2 + 3)},
		{"a tarok against one three higher", set("T5"), set("T8"), 2 * 3},
		{"taroks with equal sums", set("T5", "T8"), set("T6", "T7"), 0},
		{"tarok 1 against a low card", set("T1"), set("S7"), 2 * (4*(5+1) + 11)},
		{"taroks 21 and 22", set("T21"), set("T22"), 2 * (4*(5+5) + 1)},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			var a, b tarok.Setup
			a.Deal.Hands[tarok.A], a.Deal.Hands[tarok.B] = tt.a, tt.b
			b.Deal.Hands[tarok.A], b.Deal.Hands[tarok.B] = tt.b, tt.a
			x, y := handsOf(&a), handsOf(&b)
			if got := int(x.distance(&y)); got != tt.want || int(y.distance(&x)) != got {
				t.Errorf("distance %d, want %d", got, tt.want)
			}
		})
	}
}

// TestAverageLinkage compares the clusters with a plain program, which computes all mean distances again after each step.
func TestAverageLinkage(t *testing.T) {
	rng := random.New(1)
	for _, n := range []int{1, 2, 7, 40} {
		for _, k := range []int{1, 2, n / 3, n} {
			d := make([][]int32, n)
			for i := range d {
				d[i] = make([]int32, n)
				for j := range i {
					d[i][j] = int32(random.Below(rng, 12)) // many ties
					d[j][i] = d[i][j]
				}
			}
			want := make([][]int, n)
			for i := range want {
				want[i] = []int{i}
			}
			mean := func(a, b []int) (sum, count int) {
				for _, i := range a {
					for _, j := range b {
						sum += int(d[i][j])
					}
				}
				return sum, len(a) * len(b)
			}
			for len(want) > max(1, k) {
				x, y := 0, 1
				sum, count := mean(want[x], want[y])
				for i := range want {
					for j := i + 1; j < len(want); j++ {
						if s, c := mean(want[i], want[j]); s*count < sum*c {
							x, y, sum, count = i, j, s, c
						}
					}
				}
				want[x] = append(want[x], want[y]...)
				want = slices.Delete(want, y, y+1)
			}
			for _, m := range want {
				slices.Sort(m)
			}
			got := averageLinkage(d, max(1, k))
			if diff := gocmp.Diff(want, got); diff != "" {
				t.Fatalf("%d to %d (-plain, +got):\n%s", n, k, diff)
			}
		}
	}
}

func TestQuotas(t *testing.T) {
	tests := []struct {
		sizes []int
		n     int
		want  []int
	}{
		{[]int{100, 100, 100}, 30, []int{10, 10, 10}},
		{[]int{150, 100, 50}, 30, []int{15, 10, 5}},
		{[]int{5, 3, 1, 1}, 3, []int{2, 1, 0, 0}},           // shares 1.5, 0.9, 0.3, 0.3
		{[]int{4, 4, 4}, 4, []int{2, 1, 1}},                 // equal remainders
		{[]int{2, 1, 1}, 4, []int{2, 1, 1}},                 // all of them
		{[]int{290, 4, 3, 2, 1}, 30, []int{29, 1, 0, 0, 0}}, // shares 29, 0.4, 0.3, 0.2, 0.1
	}
	for _, tt := range tests {
		var groups [][]int
		for _, size := range tt.sizes {
			groups = append(groups, make([]int, size))
		}
		if diff := gocmp.Diff(tt.want, quotas(groups, tt.n)); diff != "" {
			t.Errorf("%v, %d (-want, +got):\n%s", tt.sizes, tt.n, diff)
		}
	}
}

func TestClustered(t *testing.T) {
	rng := random.New(2)
	for _, contract := range tarok.Contracts() {
		for _, played := range []int{0, 10, 25, 45} {
			w, err := New(drawView(rng, contract, played))
			if err != nil {
				t.Fatal(err)
			}
			seed := rng.Uint64()
			clusters := w.Clustered(random.New(seed), 30, 300)
			if diff := gocmp.Diff(clusters, w.Clustered(random.New(seed), 30, 300)); diff != "" {
				t.Fatalf("another result from the same seed:\n%s", diff)
			}
			size, chosen := 0, 0
			for _, c := range clusters {
				size += c.Size
				chosen += len(c.Worlds)
				for i := range c.Worlds {
					w.Position(c.Worlds[i])
				}
			}
			base := int(min(300, w.Count()))
			if size != base || chosen != min(30, base) || !slices.IsSortedFunc(clusters,
				func(a, b Cluster) int { return cmp.Compare(b.Size, a.Size) }) {
				t.Errorf("%s after %d: clusters of %d worlds, expected %d; %d chosen, expected %d", contract, played, size, base, chosen, min(30, base))
			}
			if base == 300 && len(clusters) != 10 {
				t.Errorf("%s after %d: %d clusters, expected 10", contract, played, len(clusters))
			}
		}
	}
}

// TestPlainTakesAll: where there are few worlds, the sample is all of them.
func TestPlainTakesAll(t *testing.T) {
	w, err := New(drawView(random.New(3), tarok.Three, 45))
	if err != nil {
		t.Fatal(err)
	}
	list := w.Plain(random.New(1), 1000)
	if len(list) != int(w.Count()) {
		t.Errorf("%d worlds, want %d", len(list), w.Count())
	}
}

func BenchmarkClustered(b *testing.B) {
	w, err := New(drawView(random.New(4), tarok.Two, 0))
	if err != nil {
		b.Fatal(err)
	}
	rng := random.New(1)
	for b.Loop() {
		w.Clustered(rng, 30, Base)
	}
}
