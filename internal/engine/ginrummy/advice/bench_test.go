package advice_test

import (
	"testing"

	"roem/internal/engine/ginrummy"
	"roem/internal/engine/ginrummy/advice"
	"roem/internal/engine/ginrummy/players"
	"roem/internal/random"
)

// views returns decisions of simple players.
func views(tb testing.TB, deals int) (list []ginrummy.View) {
	tb.Helper()
	for i := range uint64(deals) {
		deal := ginrummy.SeededDeal(77, i, ginrummy.Seat(i&1))
		seats := [2]players.Player{players.NewSimple(random.New(77, 0, i)), players.NewSimple(random.New(77, 1, i))}
		if _, _, err := players.PlayRound(tb.Context(), &deal, [2]int{}, seats, func(step *players.Step) {
			if r := &step.After; r.Phase() <= ginrummy.ToKnock {
				list = append(list, ginrummy.NewView(r, r.Seat(), step.Events[r.Seat()], [2]int{}))
			}
		}); err != nil {
			tb.Fatal(err)
		}
	}
	return list
}

func BenchmarkOptions(b *testing.B) {
	all := views(b, 20)
	a := advice.New(advice.Default(advice.Uniform))
	rng := random.New(1)
	b.ResetTimer()
	for i := range b.N {
		v := all[i%len(all)]
		if _, err := a.Options(b.Context(), &v, rng); err != nil {
			b.Fatal(err)
		}
	}
}
