package bidadvice_test

import (
	"testing"

	"roem/internal/engine/klaverjas"
	"roem/internal/engine/klaverjas/bidding"
	"roem/internal/engine/klaverjas/index"
	"roem/internal/service/klaverjas/bidadvice"
)

// BenchmarkAdvise measures advice before the first call and after three passes.
func BenchmarkAdvise(b *testing.B) {
	v := advisor(b)
	for name, passes := range map[string]int{"first": 0, "third": 2, "last": 3} {
		b.Run(name, func(b *testing.B) {
			rng := index.NewRand(1)
			for b.Loop() {
				q := bidadvice.Question{Rules: klaverjas.DefaultRules(klaverjas.Rotterdam), Auction: start(b, bidding.Setting{}, passes), Seed: 1}
				q.Hand = index.Random(rng, 0, 0)[0]
				if _, err := v.Advise(b.Context(), q); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}
