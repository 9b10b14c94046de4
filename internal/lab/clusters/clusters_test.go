package clusters

import (
	"bytes"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"roem/internal/cards"
	"roem/internal/engine/klaverjas/players"
	"roem/internal/engine/klaverjas/search"
	"roem/internal/lab/games"
)

func TestQuotas(t *testing.T) {
	for name, c := range map[string]struct {
		sizes, want []int
		number      int
	}{
		"exact":             {sizes: []int{50, 30, 20}, number: 10, want: []int{5, 3, 2}},
		"largest remainder": {sizes: []int{47, 16, 37}, number: 10, want: []int{5, 1, 4}},
		"equal remainders":  {sizes: []int{1, 1, 1, 1}, number: 2, want: []int{1, 1, 0, 0}},
		"one for all":       {sizes: []int{99, 1}, number: 1, want: []int{1, 0}},
	} {
		t.Run(name, func(t *testing.T) {
			if diff := cmp.Diff(c.want, Quotas(c.sizes, c.number)); diff != "" {
				t.Error(diff)
			}
		})
	}
	rng := rand.New(rand.NewPCG(1, 1))
	for range 1000 { // a quota is never more than the size, so that samples are of different items
		sizes, total := make([]int, 1+rng.IntN(9)), 0
		for i := range sizes {
			sizes[i] = 1 + rng.IntN(9)
			total += sizes[i]
		}
		number, sum := rng.IntN(total+1), 0
		for i, q := range Quotas(sizes, number) {
			if q > sizes[i] {
				t.Fatalf("%d of %v: %d of cluster %d", number, sizes, q, i)
			}
			sum += q
		}
		if sum != number {
			t.Fatalf("%d of %v: the sum is %d", number, sizes, sum)
		}
	}
}

// naive joins the two clusters with the least mean distance, computed anew each time.
func naive(d [][]float64, number int) (all [][]int) {
	for i := range d {
		all = append(all, []int{i})
	}
	for len(all) > number {
		least, a, b := math.Inf(1), 0, 0
		for i := range all {
			for j := range i {
				sum := 0.0
				for _, x := range all[i] {
					for _, y := range all[j] {
						sum += d[x][y]
					}
				}
				if mean := sum / float64(len(all[i])*len(all[j])); mean < least {
					least, a, b = mean, j, i
				}
			}
		}
		all[a] = append(all[a], all[b]...)
		all = slices.Delete(all, b, b+1)
	}
	return all
}

func sorted(all [][]int) [][]int {
	for _, c := range all {
		slices.Sort(c)
	}
	slices.SortFunc(all, func(a, b []int) int { return a[0] - b[0] })
	return all
}

func TestAverageAgainstNaive(t *testing.T) {
	rng := rand.New(rand.NewPCG(2, 1))
	for n := 1; n < 40; n++ {
		d := make([][]float64, n)
		for i := range d {
			d[i] = make([]float64, n)
			for j := range i {
				d[i][j] = rng.Float64()
				d[j][i] = d[i][j]
			}
		}
		for _, number := range []int{1, 2, 5, n} {
			if diff := cmp.Diff(sorted(naive(d, number)), sorted(Average(d, number))); diff != "" {
				t.Fatalf("%d clusters of %d items: -naive +average\n%s", number, n, diff)
			}
		}
	}
}

// The distance is symmetric, 0 for equal worlds, and treats low trumps as nearly interchangeable, but not aces of plain suits.
func TestDistance(t *testing.T) {
	hands := func(north, east cards.Set) (w [4]cards.Set) {
		w[cards.North], w[cards.East] = north, east
		return w
	}
	card := func(s cards.Suit, f cards.Face) cards.Set { return cards.Set(0).With(cards.Of(s, f)) }
	base := hands(card(cards.Clubs, cards.Seven)|card(cards.Hearts, cards.Ace), card(cards.Clubs, cards.Eight)|card(cards.Hearts, cards.Seven))
	trumps := hands(card(cards.Clubs, cards.Eight)|card(cards.Hearts, cards.Ace), card(cards.Clubs, cards.Seven)|card(cards.Hearts, cards.Seven))
	aces := hands(card(cards.Clubs, cards.Seven)|card(cards.Hearts, cards.Seven), card(cards.Clubs, cards.Eight)|card(cards.Hearts, cards.Ace))
	for _, c := range []struct {
		name string
		with [4]cards.Set
		want float64
	}{{"equal", base, 0}, {"two low trumps", trumps, 2}, {"an ace and a seven", aces, 2 * 4 * (11 + 1)}} {
		for _, got := range []float64{Distance(base, c.with, cards.Clubs), Distance(c.with, base, cards.Clubs)} {
			if got != c.want {
				t.Errorf("%s: %v, expected %v", c.name, got, c.want)
			}
		}
	}
}

// With as many worlds as the reference, each method that does not repeat worlds finds its card where all worlds are searched.
func TestMeasure(t *testing.T) {
	kind, err := players.ParseKind("simple", 0)
	if err != nil {
		t.Fatal(err)
	}
	var rows bytes.Buffer
	if err := games.Make(t.Context(), &rows, games.Settings{
		Player: kind, Games: 12, Seed: 1, Workers: 1, Tools: func() *players.Tools { return new(players.Tools) },
	}); err != nil {
		t.Fatal(err)
	}
	all, err := games.Read(&rows)
	if err != nil {
		t.Fatal(err)
	}
	s := Settings{
		Positions: 2, Tricks: []int{6, 7}, Worlds: []int{4, 100_000}, Pool: 30, Reference: 100_000, Repeat: 2, Seed: 1,
		Solver: search.New(search.Options{TableBytes: 1 << 20}), Progress: func(int) {},
	}
	positions, err := Measure(t.Context(), all, s)
	if err != nil || len(positions) != 4 {
		t.Fatalf("%d positions, %v", len(positions), err)
	}
	for _, p := range positions {
		if p.Regret[1][Distinct] != 0 || p.Same[1][Distinct] != 1 || p.Regret[1][Clusters] != 0 {
			t.Errorf("trick %d: all worlds give another card than all worlds: %+v", p.Trick, p)
		}
		for m := range Methods {
			if r := p.Regret[0][m]; r < 0 || math.IsNaN(r) {
				t.Errorf("a regret of %v", r)
			}
		}
	}
	if text := Markdown(positions, s.Worlds); strings.Count(text, "\n") != 4 || strings.Contains(text, "NaN") {
		t.Error(text)
	}
}
