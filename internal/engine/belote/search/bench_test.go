package search_test

import (
	"testing"

	"roem/internal/engine/belote"
	"roem/internal/engine/belote/search"
	"roem/internal/engine/piquet"
	"roem/internal/random"
)

// BenchmarkSolve solves random deals of four suits, each with an empty table.
func BenchmarkSolve(b *testing.B) {
	for _, utility := range []search.Utility{search.Points, search.Contract} {
		b.Run(utility.String(), func(b *testing.B) {
			s := search.New(search.Options{})
			var generated, nodes, seed uint64
			for b.Loop() {
				d := belote.Random(random.New(seed%256), piquet.Deck, belote.Trump(seed%4))
				p, err := belote.NewPosition(d)
				if err != nil {
					b.Fatal(err)
				}
				r, err := s.Solve(b.Context(), search.Query{Position: p, Utility: utility, NoLine: true})
				if err != nil {
					b.Fatal(err)
				}
				generated += r.Generated
				nodes += r.Nodes
				seed++
			}
			b.ReportMetric(float64(generated)/float64(b.N), "generated/op")
			b.ReportMetric(float64(nodes)/float64(b.N), "nodes/op")
		})
	}
}

// A search allocates nothing for its positions: only the deal and the result.
func TestAllocations(t *testing.T) {
	s := search.New(search.Options{})
	p, err := belote.NewPosition(belote.Random(random.New(3), piquet.Deck&^belote.Deck(piquet.Suits()[3]), belote.NoTrump))
	if err != nil {
		t.Fatal(err)
	}
	for _, algorithm := range []search.Algorithm{search.Table, search.AlphaBeta} {
		allocated := testing.AllocsPerRun(3, func() {
			q := search.Query{Position: p, Utility: search.Contract, Algorithm: algorithm, NoLine: true}
			if _, err := s.Solve(t.Context(), q); err != nil {
				t.Fatal(err)
			}
		})
		if allocated > 20 {
			t.Errorf("%s: %.0f allocations", algorithm, allocated)
		}
	}
}
