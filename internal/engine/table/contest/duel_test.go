package contest_test

import (
	"errors"
	"math/rand/v2"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"roem/internal/engine/match"
	"roem/internal/engine/table/contest"
)

// pile is a hand of two seats that take one, two or three in turns from a pile. Who takes the last wins.
type pile struct{ left, acts int }

func (p pile) Turn() (seat uint8, ok bool) { return uint8(p.acts % 2), p.left > 0 }
func (p pile) View(uint8) int              { return p.left }
func (p pile) Act(n int) (pile, error)     { return pile{p.left - n, p.acts + 1}, nil }
func (p pile) score() (won [2]float64)     { won[(p.acts+1)%2] = 1; return won }
func best(left int, _ *rand.Rand) int      { return max(left%4, 1) }
func drawn(left int, rng *rand.Rand) int   { return 1 + rng.IntN(min(left, 3)) }
func kind(name string, rule func(int, *rand.Rand) int) match.Kind[match.Player[int, int]] {
	return match.NewRule(name, rule)
}

func duel() contest.Duel[pile, uint8, int, int] {
	return contest.Duel[pile, uint8, int, int]{
		Kinds: [2]match.Kind[match.Player[int, int]]{kind("best", best), kind("drawn", drawn)}, Seed: 7,
		Deal: func(rng *rand.Rand) pile { return pile{left: 5 + rng.IntN(20)} }, Score: pile.score,
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
