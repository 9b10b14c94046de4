package enginetest

import (
	"errors"
	"testing"

	"roem/internal/engine/klaverjas/dealstest"
	"roem/internal/engine/klaverjas/search"
)

// A search stops at its limit of nodes and returns its progress. With a lower limit the progress is not greater. With a limit above its
// nodes the search finishes.
func TestMaxNodes(t *testing.T) {
	for i, deal := range drawnDeals(t, dealstest.Hard, 8) {
		whole, err := search.New(search.Options{}).Solve(t.Context(), search.Query{Position: deal, Goal: search.Win})
		if err != nil || whole.Partial != ([search.Plies]search.Choice{}) {
			t.Fatalf("deal %d: %+v, %v", i, whole, err)
		}
		deepest, done := 0, -1
		for _, most := range []uint64{1, 1000, whole.Nodes / 4, whole.Nodes / 2} {
			got, err := search.New(search.Options{}).Solve(t.Context(), search.Query{Position: deal, Goal: search.Win, MaxNodes: most})
			if !errors.Is(err, search.ErrMaxNodes) || got.Nodes < most || got.Nodes > most+8 {
				t.Fatalf("deal %d within %d nodes: it took %d, %v", i, most, got.Nodes, err)
			}
			for ply, c := range got.Partial {
				if c.Cards == 0 {
					continue
				}
				deepest = max(deepest, ply)
				if c.Cards < 2 || c.Cards > 8 || c.Done >= c.Cards {
					t.Errorf("deal %d within %d nodes: ply %d is %+v", i, most, ply, c)
				}
				if leader := deal.Turn().Team(); ply < 4 && (c.Team == leader) != (ply%2 == 0) {
					t.Errorf("deal %d: ply %d belongs to %s, but %s led", i, ply, c.Team, leader)
				}
			}
			if most == 1 {
				continue
			}
			if first := got.Partial[0]; first.Cards != 8 || int(first.Done) < done {
				t.Errorf("deal %d within %d nodes: the first ply is %+v, with fewer nodes it had finished %d", i, most, first, done)
			} else {
				done = int(first.Done)
			}
		}
		if deepest < 4 {
			t.Errorf("deal %d: the line has %d choices", i, deepest)
		}
		got, err := search.New(search.Options{}).Solve(t.Context(), search.Query{Position: deal, Goal: search.Win, MaxNodes: whole.Nodes + 1})
		if err != nil || got.Won != whole.Won || got.Nodes != whole.Nodes {
			t.Errorf("deal %d: %+v, %v, want %+v", i, got, err, whole)
		}
	}
}

// The progress of an interrupted search does not appear in a later result of the same solver.
func TestPartialIsReset(t *testing.T) {
	deals := drawnDeals(t, dealstest.Hard, 2)
	s := search.New(search.Options{})
	stop := func(s *search.Solver, i int) [search.Plies]search.Choice {
		got, err := s.Solve(t.Context(), search.Query{Position: deals[i], Goal: search.Win, MaxNodes: 20_000})
		if !errors.Is(err, search.ErrMaxNodes) {
			t.Fatal(err)
		}
		return got.Partial
	}
	want := stop(search.New(search.Options{}), 1)
	stop(s, 0)
	if got := stop(s, 1); got != want {
		t.Errorf("%v, and in a new solver %v", got, want)
	}
}
