package advice_test

import (
	"fmt"
	"math/rand/v2"
	"testing"

	"roem/internal/engine/klaverjas"
	"roem/internal/engine/klaverjas/advice"
	"roem/internal/engine/klaverjas/index"
	"roem/internal/engine/klaverjas/search"
	"roem/internal/engine/klaverjas/worlds"
	"roem/internal/engine/piquet"
)

// benchHands returns hands in play under the default rules, after that many cards. They are played by advice over a few worlds, so that
// they are hands as players reach them. Only hands with several legal cards are returned.
func benchHands(b *testing.B, n, played int) []*worlds.Knowledge {
	b.Helper()
	solver := search.New(search.Options{})
	var out []*worlds.Knowledge
	for seed := uint64(0); len(out) < n; seed++ {
		rng := index.NewRand(seed)
		p, err := klaverjas.NewPosition(klaverjas.DefaultRules(klaverjas.Rotterdam), klaverjas.Deal{
			Trump: piquet.Clubs, Leader: piquet.North, Declarer: piquet.NorthSouth, Hands: index.Random(rng, piquet.Clubs, piquet.North),
		})
		if err != nil {
			b.Fatal(err)
		}
		h := hand{at: p}
		for range played {
			c, _, err := advice.Choose(b.Context(), h.knows(b), rng, 3, solver)
			if err != nil {
				b.Fatal(err)
			}
			h.play(b, c)
		}
		if k := h.knows(b); k.Legal().Len() > 1 {
			out = append(out, k)
		}
	}
	return out
}

// How long advice takes on one core. The service uses several.
func BenchmarkChoose(b *testing.B) {
	for _, bench := range []struct{ played, worlds int }{{0, 100}, {8, 100}, {12, 100}, {16, 100}, {20, 10_000}, {24, 10_000}} {
		b.Run(fmt.Sprintf("trick%d/worlds%d", bench.played/4+1, bench.worlds), func(b *testing.B) {
			hands := benchHands(b, 20, bench.played)
			solver := search.New(search.Options{})
			rng := rand.New(rand.NewPCG(1, 1))
			i, worlds, nodes := 0, 0, uint64(0)
			for b.Loop() {
				_, a, err := advice.Choose(b.Context(), hands[i%len(hands)], rng, bench.worlds, solver)
				if err != nil {
					b.Fatal(err)
				}
				i++
				worlds += a.Used
				nodes += a.Nodes
			}
			b.ReportMetric(float64(worlds)/float64(b.N), "worlds/op")
			b.ReportMetric(float64(b.Elapsed().Microseconds())/float64(worlds), "µs/world")
			b.ReportMetric(float64(nodes)/float64(worlds), "nodes/world")
		})
	}
}
