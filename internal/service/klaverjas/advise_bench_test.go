package klaverjas

import (
	"fmt"
	"testing"

	"roem/internal/engine/klaverjas"
	"roem/internal/engine/klaverjas/advice"
	"roem/internal/engine/klaverjas/index"
	"roem/internal/engine/klaverjas/search"
	"roem/internal/engine/klaverjas/worlds"
	"roem/internal/engine/piquet"
	"roem/internal/service"
)

// adviseQueries returns queries for the seat to play after that many cards of random deals, which are played by advice over three worlds.
// Only those with several legal cards are returned.
func adviseQueries(b *testing.B, g *Game, n, played, count int) []*AdviseQuery {
	b.Helper()
	solver := search.New(search.Options{})
	var out []*AdviseQuery
	for seed := uint64(0); len(out) < n; seed++ {
		rng := index.NewRand(seed)
		at, err := klaverjas.NewPosition(klaverjas.DefaultRules(klaverjas.Rotterdam), klaverjas.Deal{
			Trump: piquet.Clubs, Leader: piquet.North, Declarer: piquet.NorthSouth, Hands: index.Random(rng, piquet.Clubs, piquet.North),
		})
		if err != nil {
			b.Fatal(err)
		}
		var list []piquet.Card
		for range played {
			k, err := worlds.New(worlds.ViewOf(at, list, at.Turn()))
			if err != nil {
				b.Fatal(err)
			}
			c, _, err := advice.Choose(b.Context(), k, rng, 3, solver)
			if err != nil {
				b.Fatal(err)
			}
			if at, err = at.Play(c); err != nil {
				b.Fatal(err)
			}
			list = append(list, c)
		}
		if at.Legal().Len() < 2 {
			continue
		}
		body := adviseBody{Worlds: &count, viewBody: viewBody{
			Trump: "C", Leader: "N", Seat: at.Turn().String(), Hand: cardList{cards: at.Deal().Hands[at.Turn()].Slice()},
			Played: &cardList{cards: list},
		}}
		q, err := g.readAdvise(body)
		if err != nil {
			b.Fatal(err)
		}
		out = append(out, q)
	}
	return out
}

// How long a request for advice takes with two searchers on an idle machine of two cores. There is no cache.
func BenchmarkAdvise(b *testing.B) {
	for _, bench := range []struct{ played, worlds int }{{0, 100}, {8, 100}, {12, 100}, {20, 50_000}, {24, 50_000}} {
		b.Run(fmt.Sprintf("trick%d/worlds%d", bench.played/trickSize+1, bench.worlds), func(b *testing.B) {
			g := New(must(service.New(service.Options{Slots: 2})), Options{})
			queries := adviseQueries(b, g, 30, bench.played, bench.worlds)
			i, worlds := 0, 0
			for b.Loop() {
				answer, err := service.Ask(b.Context(), g.service, queries[i%len(queries)])
				if err != nil {
					b.Fatal(err)
				}
				i++
				worlds += answer.Progress.Done
			}
			b.ReportMetric(float64(b.Elapsed().Microseconds())/1000/float64(b.N), "ms/op")
			b.ReportMetric(float64(worlds)/float64(b.N), "worlds/op")
		})
	}
}

func must[T any](value T, err error) T {
	if err != nil {
		panic(err)
	}
	return value
}
