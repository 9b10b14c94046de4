package contest_test

import (
	"errors"
	"math/rand/v2"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"roem/internal/engine/match"
	"roem/internal/engine/table/contest"
	"roem/internal/engine/table/tabletest"
)

// Who takes the last wins.
func score(p tabletest.Pile) (won [2]float64) { won[p.Last()] = 1; return won }

func best(view [2]int, _ *rand.Rand) int    { return max(view[0]%4, 1) }
func drawn(view [2]int, rng *rand.Rand) int { return 1 + rng.IntN(min(view[0], 3)) }
func kind(name string, rule func([2]int, *rand.Rand) int) match.Kind[match.Player[[2]int, int]] {
	return match.NewRule(name, rule)
}

func duel() contest.Duel[tabletest.Pile, uint8, [2]int, int] {
	return contest.Duel[tabletest.Pile, uint8, [2]int, int]{
		Kinds: [2]match.Kind[match.Player[[2]int, int]]{kind("best", best), kind("drawn", drawn)}, Seed: 7,
		Deal: func(rng *rand.Rand) tabletest.Pile { return tabletest.Pile{Left: 5 + rng.IntN(20)} }, Score: score,
	}
}

var errStop = errors.New("stop")

// A duel has the same result with any number of workers, and after an interruption.
func TestDuel(t *testing.T) {
	t.Parallel()
	same := cmpopts.IgnoreFields(contest.Side{}, "Decision")
	want, err := duel().Run(t.Context(), contest.Plan{Units: 60})
	if err != nil || want.Deals != 60 || want.Lost > 0 || want.Difference.Low <= 0 || want.Sides[1].Name != "drawn" {
		t.Fatalf("%+v, %v", want, err)
	}
	got, err := duel().Run(t.Context(), contest.Plan{Units: 60, Workers: 3})
	if diff := cmp.Diff(want, got, same); diff != "" || err != nil {
		t.Errorf("three workers: %s %v", diff, err)
	}
	var saved []byte
	_, err = duel().Run(t.Context(), contest.Plan{Units: 60, Keeping: match.Keeping{Save: func(encode func() ([]byte, error)) (err error) {
		if saved == nil {
			saved, err = encode()
			return err
		}
		return errStop
	}}})
	if !errors.Is(err, errStop) {
		t.Fatal(err)
	}
	got, err = duel().Run(t.Context(), contest.Plan{Units: 60, Keeping: match.Keeping{Saved: saved}})
	if diff := cmp.Diff(want, got, same); diff != "" || err != nil || got.Sides[0].Decision.Len() != want.Sides[0].Decision.Len() {
		t.Errorf("after an interruption: %s %v", diff, err)
	}
}
