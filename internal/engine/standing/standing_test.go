package standing_test

import (
	"math"
	"math/rand/v2"
	"testing"

	"roem/internal/engine/standing"
)

// Each kind is told exactly where its sentence holds, for random costs around the limits of the games.
func TestOf(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 1))
	seen := map[standing.Kind]int{}
	for range 20_000 {
		limit := []float64{2, 5, standing.Chance}[rng.IntN(3)]
		cost, deviation := limit*(3*rng.Float64()-0.5), limit*rng.Float64()
		switch rng.IntN(5) {
		case 0:
			deviation = 0
		case 1:
			deviation = math.Inf(1)
		case 2:
			cost = 0
		}
		got := standing.Of(cost, deviation, limit)
		seen[got]++
		low, high := cost-2*deviation, cost+2*deviation
		free := low < 0 || cost <= 0 && deviation == 0 // it may cost nothing
		ok := map[standing.Kind]bool{
			standing.AsGood: free && high < limit, standing.Uncertain: free && high >= limit, standing.Worse: !free,
		}
		if !ok[got] {
			t.Fatalf("%v ± %v with the limit %v is %s", cost, deviation, limit, got)
		}
	}
	for _, k := range []standing.Kind{standing.AsGood, standing.Uncertain, standing.Worse} {
		if seen[k] < 500 {
			t.Errorf("%s was told %d times", k, seen[k])
		}
	}
}
