package advice_test

import (
	"context"
	"errors"
	"math"
	"math/rand/v2"
	"testing"

	"roem/internal/engine/klaverjas/advice"
	"roem/internal/engine/klaverjas/playout"
	"roem/internal/engine/klaverjas/search"
)

// noSolver fails: a search that is not expected.
type noSolver struct{}

func (noSolver) Solve(context.Context, search.Query) (search.Result, error) {
	return search.Result{}, errNoSolver
}

var errNoSolver = errors.New("no search")

// In the last tricks a race is the weighted mean of exact searches.
func TestRaceSearchesTheLastTricks(t *testing.T) {
	rng := rand.New(rand.NewPCG(6, 3))
	o := advice.PlayoutOptions{Candidates: 50, Worlds: 20, Weights: playout.Weights{Power: 0.7, Floor: 0.03}}
	solver := search.New(search.Options{TableBytes: 1 << 20})
	for n := 32 - 4*advice.ExactTricks; n < 28; n++ {
		_, q := someQuestion(t, rng, n)
		got, err := q.Race(t.Context(), rand.New(rand.NewPCG(7, 7)), mixers(), solver, o)
		if err != nil {
			t.Fatal(err)
		}
		var tally advice.Tally
		for _, w := range q.Weigh(rand.New(rand.NewPCG(7, 7)), mixers().Players, o).Worlds {
			row, _, err := q.Solve(t.Context(), solver, w.World)
			if err != nil {
				t.Fatal(err)
			}
			tally.Add(q, row, w.Weight)
		}
		sign, next := 1.0, 0.0
		if v := q.Knowledge().View(); v.Seat.Team() != v.Declarer {
			sign = -1
		}
		for _, v := range q.Advise(&tally, advice.Score, false).Cards {
			switch {
			case v.Card != got.Card:
				if v.Card == got.Next {
					next = v.Cost.Mean
				}
			case v.Cost.Mean > 1e-9:
				t.Errorf("%d cards played: %s costs %v", n, got.Card, v.Cost.Mean)
			case math.Abs(sign*v.Outcome.Mean-got.Mean) > 1e-9:
				t.Errorf("%d cards played: %s has the mean %v, want %v", n, got.Card, got.Mean, sign*v.Outcome.Mean)
			}
		}
		if !got.Solved || got.Worlds == 0 || got.Second != (len(q.Cards()) > 1) || math.Abs(next-got.Cost) > 1e-9 {
			t.Errorf("%d cards played: %+v, want %v for the next card", n, got, next)
		}
		if _, err := q.Race(t.Context(), rng, mixers(), noSolver{}, o); !errors.Is(err, errNoSolver) {
			t.Errorf("error %v", err)
		}
	}
}

// Before its first test a race is the advice of all playouts.
func TestRaceWithoutTests(t *testing.T) {
	rng := rand.New(rand.NewPCG(3, 3))
	o := advice.PlayoutOptions{Candidates: 50, Worlds: advice.RaceFirst - 1, Weights: playout.Weights{Power: 0.7, Floor: 0.03}}
	for n := range 16 {
		_, q := someQuestion(t, rng, n)
		want, err := q.AdvisePlayouts(t.Context(), rand.New(rand.NewPCG(7, 7)), mixers(), o)
		if err != nil {
			t.Fatal(err)
		}
		got, err := q.Race(t.Context(), rand.New(rand.NewPCG(7, 7)), mixers(), noSolver{}, o)
		if err != nil {
			t.Fatal(err)
		}
		for _, v := range want.Cards {
			if v.Card == got.Card && v.Cost.Mean > 1e-9 {
				t.Errorf("%d cards played: %s costs %v", n, got.Card, v.Cost.Mean)
			}
		}
	}
}

// A race plays fewer worlds out and finds the card of all playouts, or one that is not told apart from it.
func TestRace(t *testing.T) {
	rng := rand.New(rand.NewPCG(4, 3))
	o := advice.PlayoutOptions{Candidates: 300, Worlds: 150, Weights: playout.Weights{Power: 0.7, Floor: 0.03}}
	calls, same, hands := [2]int{}, 0, 0
	count := func(i int) playout.Models {
		return playout.Models{Play: mixer{each: func() { calls[i]++ }}, Players: []playout.Policy{mixer{}}}
	}
	for n := range 16 {
		_, q := someQuestion(t, rng, n)
		all, err := q.AdvisePlayouts(t.Context(), rand.New(rand.NewPCG(7, 7)), count(0), o)
		if err != nil {
			t.Fatal(err)
		}
		got, err := q.Race(t.Context(), rand.New(rand.NewPCG(7, 7)), count(1), noSolver{}, o)
		if err != nil {
			t.Fatal(err)
		}
		hands++
		for _, v := range all.Cards {
			switch {
			case v.Card != got.Card:
			case v.Cost.Mean < 1e-9:
				same++
			case v.Cost.Mean > 4*v.Cost.Error:
				t.Errorf("%d cards played: %s costs %v ± %v", n, got.Card, v.Cost.Mean, v.Cost.Error)
			}
		}
	}
	if calls[1]*10 > calls[0]*9 || same*10 < hands*8 {
		t.Errorf("%d of %d choices of the policy, %d of %d cards the same", calls[1], calls[0], same, hands)
	}
}

// A race asks nothing about a forced card, and ends with its context.
func TestRaceEnds(t *testing.T) {
	rng := rand.New(rand.NewPCG(5, 3))
	q := questionOf(t, randomHand(t, rng, 28).knows(t))
	if got, err := q.Race(t.Context(), rng, playout.Models{}, nil, advice.DefaultPlayouts(100)); err != nil || got.Card != q.Cards()[0] {
		t.Errorf("card %s, error %v", got.Card, err)
	}
	_, q = someQuestion(t, rng, 4)
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := q.Race(ctx, rng, mixers(), noSolver{}, advice.DefaultPlayouts(20)); !errors.Is(err, context.Canceled) {
		t.Errorf("error %v", err)
	}
}
