package enginetest

import (
	"context"
	"errors"
	"math"
	"math/rand/v2"
	"strconv"
	"testing"

	"github.com/google/go-cmp/cmp"

	"roem/internal/engine/tarok"
	"roem/internal/engine/tarok/search"
	"roem/internal/random"
	"roem/internal/testkit"
)

var twoSided = []tarok.Contract{tarok.Three, tarok.Two, tarok.One, tarok.Zero, tarok.Beggar}

func solve(t *testing.T, s *search.Solver, q search.Query) search.Result {
	t.Helper()
	r, err := s.Solve(context.Background(), q)
	if err != nil {
		t.Fatal(err)
	}
	return r
}

// The exact search finds the value of plain minimax for every legal card, in the middle of a trick too, and its line has that value.
func TestExactIsMinimax(t *testing.T) {
	s := search.New(search.Options{TableBytes: 1 << 16})
	for seed := range uint64(200) {
		rng := random.New(seed)
		size := 2 + int(seed%2)
		if seed%50 == 0 {
			size = 4
		}
		p := RandomEnding(rng, size, twoSided...)
		if seed%3 == 0 && size < 4 {
			p = emperorEnding(rng, size)
		}
		for range random.Below(rng, 3) {
			p, _ = p.Play(tarok.Any(rng, p.Legal()))
		}
		if p.Finished() {
			continue
		}
		setup := p.Setup()
		beggar := setup.Contract == tarok.Beggar
		r := solve(t, s, search.Query{Position: p, Goal: search.Moves})
		made := p.Thirds()
		want := Naive(p).Minimax()
		if got := r.Thirds - made; !beggar && got != want || beggar && r.Won != (want == 1) {
			t.Fatalf("seed %d, %s: %d thirds, won %v, in the reference %d", seed, setup.Contract, got, r.Won, want)
		}
		for _, m := range r.Moves {
			next, err := p.Play(m.Card)
			if err != nil {
				t.Fatal(err)
			}
			want := next.Thirds() + Naive(next).Minimax()
			won := tarok.Points(want) > 35
			if beggar {
				won, want = !next.Finished() && Naive(next).Minimax() == 1 || next.Finished() && next.Tricks(setup.Declarer) == 0, m.Thirds
			}
			if m.Thirds != want || m.Won != won {
				t.Fatalf("seed %d, %s, %s: %d thirds, won %v, in the reference %d, %v", seed, setup.Contract, m.Card, m.Thirds, m.Won, want, won)
			}
		}
		if end, err := p.Replay(r.Line); err != nil || !end.Finished() || !beggar && end.Thirds() != r.Thirds {
			t.Fatalf("seed %d: the line %v ends with %d thirds: %v", seed, r.Line, end.Thirds(), err)
		}
	}
}

// emperorEnding returns an ending in which each player holds one of taroks 1, 21 and 22.
func emperorEnding(rng *rand.Rand, size int) tarok.Position {
	for {
		p := RandomEnding(rng, size+4, twoSided...)
		for !p.Finished() && p.Hand(tarok.A).Len() > size {
			legal := p.Legal()
			if rest := legal &^ tarok.Trula; !rest.Empty() {
				legal = rest
			}
			p, _ = p.Play(tarok.Any(rng, legal))
		}
		each := !p.Finished()
		for _, player := range tarok.Players() {
			each = each && (p.Hand(player)&tarok.Trula).Len() == 1
		}
		if each && len(p.Trick()) == 0 {
			return p
		}
	}
}

// The declarer of the example game can still make this number of points before the last tricks (section 4 of the paper, computed
// independently).
func TestExampleEndings(t *testing.T) {
	setup, played := Example()
	start, err := tarok.NewPosition(setup)
	if err != nil {
		t.Fatal(err)
	}
	s := search.New(search.Options{})
	var got []int
	for trick := 11; trick <= 16; trick++ {
		p, err := start.Replay(played[:3*(trick-1)])
		if err != nil {
			t.Fatal(err)
		}
		r := solve(t, s, search.Query{Position: p})
		got = append(got, r.Thirds-p.Thirds())
	}
	if diff := cmp.Diff([]int{24, 45, 45, 30, 30, 21}, got); diff != "" {
		t.Error(diff)
	}
}

func TestSearchEnds(t *testing.T) {
	s := search.New(search.Options{TableBytes: 1 << 16})
	p := RandomEnding(random.New(5), 10, tarok.Two)
	if _, err := s.Solve(context.Background(), search.Query{Position: p, MaxNodes: 5000}); !errors.Is(err, search.ErrMaxNodes) {
		t.Errorf("%v, want the limit of nodes", err)
	}
	cause := errors.New("pause")
	if _, err := s.Solve(context.Background(), search.Query{Position: p, Pause: func() error { return cause }}); !errors.Is(err, cause) {
		t.Errorf("%v, want the error of the pause", err)
	}
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	if _, err := s.Solve(ctx, search.Query{Position: p}); !errors.Is(err, context.Canceled) {
		t.Errorf("%v, want the error of the context", err)
	}
	klop := RandomEnding(random.New(5), 3, tarok.Klop)
	if _, err := s.Solve(context.Background(), search.Query{Position: klop}); !errors.Is(err, search.ErrKlop) {
		t.Errorf("%v, want the error of klop", err)
	}
}

func BenchmarkExact(b *testing.B) {
	for _, size := range []int{6, 8, 10} {
		b.Run(strconv.Itoa(size), func(b *testing.B) {
			var list []tarok.Position
			for seed := range uint64(50) {
				list = append(list, RandomEnding(random.New(seed), size, tarok.Three, tarok.Two, tarok.One, tarok.Zero))
			}
			s := search.New(search.Options{})
			var nodes, worst uint64
			i := 0
			for b.Loop() {
				r, err := s.Solve(context.Background(), search.Query{Position: list[i%len(list)], NoLine: true})
				if err != nil {
					b.Fatal(err)
				}
				nodes, worst, i = nodes+r.Nodes, max(worst, r.Nodes), i+1
			}
			b.ReportMetric(float64(nodes)/float64(i), "nodes/op")
			b.ReportMetric(float64(worst), "worst")
		})
	}
}

// combinations are the enhancements of Table 2 of the paper, with the plain table and a minimal window too.
func combinations() (out []search.Enhancements) {
	for _, table := range []search.Table{search.NoTable, search.Plain, search.Equivalence} {
		for _, selection := range []search.Selection{search.EveryCard, search.Provable, search.Learned} {
			for i := range 8 {
				out = append(out, search.Enhancements{
					Deepening: i&1 != 0, History: i&2 != 0, Minimal: i&4 != 0, Selection: selection, Table: table,
				})
			}
		}
	}
	return out
}

// The search to a limited depth finds the same value with every enhancement that is exact. The others, the classes of positions and the
// learned table, find a legal card.
func TestLimitedIsPlain(t *testing.T) {
	s := search.New(search.Options{TableBytes: 1 << 16})
	for seed := range testkit.Times[uint64](50, 100, 300, 300) {
		rng := random.New(seed)
		p := RandomEnding(rng, 3+int(seed%10), twoSided...)
		if seed%4 == 3 {
			p = emperorEnding(rng, 2+int(seed%7))
		}
		for range random.Below(rng, 3) {
			if next, err := p.Play(tarok.Any(rng, p.Legal())); err == nil && !next.Finished() {
				p = next
			}
		}
		depth := 3 + 3*int(seed%3)
		var want float64
		for i, e := range combinations() {
			r, err := s.Estimate(context.Background(), search.LimitedQuery{Position: p, Depth: depth, Enhancements: e})
			if err != nil {
				t.Fatal(err)
			}
			if i == 0 {
				want = r.Value
			}
			exact := e.Table != search.Equivalence && e.Selection != search.Learned
			if !p.Legal().Has(r.Card) || exact && math.Abs(r.Value-want) > 1e-9 {
				t.Errorf("seed %d, %+v: %s with %v, want %v", seed, e, r.Card, r.Value, want)
			}
		}
	}
}

// The cards that are left out in the last trick of a search change no value. Before the third card of a trick a search of two tricks is
// small, and the test compares a large number of positions.
func TestLastTrick(t *testing.T) {
	s := search.New(search.Options{TableBytes: 1 << 16})
	for seed := range testkit.Times[uint64](300, 800, 3000, 3000) {
		rng := random.New(seed)
		p := RandomEnding(rng, 2+int(seed%9), twoSided[:4]...)
		if seed%8 == 7 {
			p = emperorEnding(rng, 2+int(seed%5))
		}
		for range 2 {
			p, _ = p.Play(tarok.Any(rng, p.Legal()))
		}
		if p.Finished() {
			continue
		}
		var values [2]float64
		for i, selection := range []search.Selection{search.EveryCard, search.Provable} {
			r, err := s.Estimate(context.Background(), search.LimitedQuery{
				Position: p, Depth: 6,
				Enhancements: search.Enhancements{History: true, Selection: selection},
			})
			if err != nil {
				t.Fatal(err)
			}
			values[i] = r.Value
		}
		if math.Abs(values[0]-values[1]) > 1e-9 {
			t.Errorf("seed %d: %v, want %v", seed, values[1], values[0])
		}
	}
}

// Without a discount of tricks that are worth nothing, the value of a search to the end has the sign and the size of the tricks: with one
// card in each hand it is 0.9 times the last trick.
func TestLimitedLastTrick(t *testing.T) {
	s := search.New(search.Options{TableBytes: 1 << 16})
	for seed := range uint64(20) {
		p := RandomEnding(random.New(seed), 1, tarok.Three, tarok.Zero)
		r, err := s.Estimate(context.Background(), search.LimitedQuery{Position: p, Depth: 18, Enhancements: search.AllFour, Moves: true})
		if err != nil {
			t.Fatal(err)
		}
		end := p
		for !end.Finished() {
			end, _ = end.Play(end.Legal().First())
		}
		all := 0
		for _, player := range tarok.Players() {
			all += p.Hand(player).Thirds()
		}
		if want := 0.9 * float64(2*(end.Thirds()-p.Thirds())-all); math.Abs(r.Value-want) > 1e-9 || len(r.Moves) != 1 ||
			r.Moves[0].Value != r.Value {
			t.Errorf("seed %d: %+v, want %v", seed, r, want)
		}
	}
}
