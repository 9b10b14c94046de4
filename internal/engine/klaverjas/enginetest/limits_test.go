package enginetest

import (
	"context"
	"errors"
	"runtime"
	"slices"
	"sync/atomic"
	"testing"
	"time"

	"roem/internal/engine/klaverjas"
	"roem/internal/engine/klaverjas/dealstest"
	"roem/internal/engine/klaverjas/search"
	"roem/internal/testkit"
)

func drawnDeals(tb testing.TB, set dealstest.Set, n int) []klaverjas.Position {
	tb.Helper()
	deals, err := dealstest.Deals(set, n, 51)
	if err != nil {
		tb.Fatal(err)
	}
	if len(deals) != n {
		tb.Fatalf("%d deals of %s, want %d", len(deals), set, n)
	}
	return deals
}

// A solve allocates no memory, so that a solver causes no garbage collection.
func TestSolveAllocatesNothing(t *testing.T) {
	deals := slices.Concat(drawnDeals(t, dealstest.Uniform, 10), drawnDeals(t, dealstest.ClassUniform, 10))
	solver := search.New(search.Options{})
	for _, goal := range goals {
		t.Run(goal.String(), func(t *testing.T) {
			ctx := t.Context()
			// All deals are in one run, because the average over runs is rounded down.
			allocations := testing.AllocsPerRun(2, func() {
				for _, deal := range deals {
					if _, err := solver.Solve(ctx, search.Query{Position: deal, Goal: goal}); err != nil {
						t.Fatal(err)
					}
				}
			})
			if allocations != 0 {
				t.Errorf("%v allocations in %d solves, want 0", allocations, len(deals))
			}
		})
	}
}

// besideTheTable is the memory of a solver in addition to its table. It is less than lab/docs/klaverjas/search.md states.
const besideTheTable = 128 << 10

// The memory bound holds from the start to the end of the hardest deals.
func TestMemoryBound(t *testing.T) {
	const table = 32 << 20
	n := 20
	if testing.Short() {
		n = 2
	}
	deals := drawnDeals(t, dealstest.Hard, n)
	allocated := func() uint64 {
		var m runtime.MemStats
		runtime.ReadMemStats(&m)
		return m.TotalAlloc
	}
	ctx := t.Context()
	before := allocated()
	solver := search.New(search.Options{TableBytes: table})
	made := allocated() - before
	for i, deal := range deals {
		result, err := solver.Solve(ctx, search.Query{Position: deal, Goal: goals[i%3]})
		if err != nil {
			t.Fatal(err)
		}
		if result.Nodes < 10_000 {
			t.Errorf("hard deal %d: %d nodes are too few for a test", i, result.Nodes)
		}
	}
	solved := allocated() - before
	t.Logf("a new solver took %d bytes, and after %d hard deals %d, including a table of %d", made-table, n, solved-table, table)
	if made < table || made > table+besideTheTable {
		t.Errorf("a new solver allocates %d bytes, want %d to %d", made, table, table+besideTheTable)
	}
	if solved > table+besideTheTable {
		t.Errorf("%d bytes have been allocated after %d hard deals, want at most %d", solved, n, table+besideTheTable)
	}
}

// nodesAfterCancel is the maximum number of nodes of a solve after its context has ended. A solve checks the context every few thousand
// nodes, which takes a fraction of a millisecond.
const nodesAfterCancel = 10_000

// A solve stops within a number of nodes after its context has ended. The test does not measure time, which depends on the load of the
// machine.
func TestCancelStopsWithinAFewNodes(t *testing.T) {
	n := testkit.Times(4, 8, 20, 20)
	cut := 0 // solves that were stopped long before their end
	for i, deal := range drawnDeals(t, dealstest.Hard, n) {
		// solveUntil solves with an empty table and ends the context at report k, counted from 0. It returns the nodes at each report.
		solveUntil := func(k int) (result search.Result, at []uint64, err error) {
			ctx, stop := context.WithCancel(t.Context())
			defer stop()
			result, err = search.New(search.Options{}).Solve(ctx, search.Query{
				Position: deal, Goal: search.Moves,
				Progress: func(p search.Progress) {
					if len(at) == k {
						stop()
					}
					at = append(at, p.Nodes)
				},
			})
			return result, at, err
		}
		full, at, err := solveUntil(-1)
		if err != nil {
			t.Fatal(err)
		}
		// After the last report the value is known, but the line and the values of the other cards are not.
		for k := range at {
			result, again, err := solveUntil(k)
			if len(again) <= k || again[k] != at[k] {
				t.Fatalf("hard deal %d: reports after %d nodes, and after %d the second time", i, at, again)
			}
			if result.Nodes > at[k]+nodesAfterCancel {
				t.Errorf("hard deal %d, report %d: cancelled after %d nodes, stopped after %d of %d", i, k, at[k], result.Nodes, full.Nodes)
			}
			if full.Nodes > at[k]+nodesAfterCancel {
				cut++
				if !errors.Is(err, context.Canceled) {
					t.Errorf("hard deal %d, report %d: cancelled after %d of %d nodes: error = %v", i, k, at[k], full.Nodes, err)
				}
			}
		}
		over, stop := context.WithCancel(t.Context())
		stop()
		result, err := search.New(search.Options{}).Solve(over, search.Query{Position: deal, Goal: search.Moves})
		if !errors.Is(err, context.Canceled) || result.Nodes > nodesAfterCancel {
			t.Errorf("hard deal %d: with a context that has ended: %d nodes, error = %v", i, result.Nodes, err)
		}
	}
	t.Logf("%d solves had more than %d nodes left when they were cancelled", cut, nodesAfterCancel)
	if cut < n {
		t.Errorf("only %d solves of %d hard deals were stopped long before their end", cut, n)
	}
}

// BenchmarkCancel measures the time from the end of the context to the end of a solve of a hard deal, at moments distributed over the
// whole solve.
func BenchmarkCancel(b *testing.B) {
	deals := drawnDeals(b, dealstest.Hard, 20)
	solver := search.New(search.Options{})
	lasts := make([]time.Duration, len(deals))
	for i, deal := range deals {
		began := time.Now()
		if _, err := solver.Solve(b.Context(), search.Query{Position: deal, Goal: search.Moves}); err != nil {
			b.Fatal(err)
		}
		lasts[i] = time.Since(began)
	}
	const moments = 17 // coprime to the number of deals
	var took []time.Duration
	for i := 0; b.Loop(); i++ {
		ctx, stop := context.WithCancel(b.Context())
		var ended atomic.Int64 // in nanoseconds since began
		began := time.Now()
		timer := time.AfterFunc(lasts[i%len(deals)]*time.Duration(i%moments+1)/(moments+1), func() {
			ended.Store(int64(time.Since(began)))
			stop()
		})
		_, err := solver.Solve(ctx, search.Query{Position: deals[i%len(deals)], Goal: search.Moves})
		if returned := time.Since(began); err != nil {
			took = append(took, returned-time.Duration(ended.Load()))
		}
		timer.Stop()
		stop()
	}
	if len(took) == 0 {
		b.Skip("every solve ended before it was cancelled")
	}
	slices.Sort(took)
	ms := func(d time.Duration) float64 { return float64(d) / float64(time.Millisecond) }
	b.ReportMetric(ms(took[len(took)/2]), "median-ms")
	b.ReportMetric(ms(took[len(took)-1]), "max-ms")
}

// clock is a context whose deadline passes although it is never cancelled, as when no processor is free to run its timer.
type clock struct {
	context.Context
	first, then time.Time // the deadline that is returned once, and the deadline that is returned afterwards; zero for none
	asked       atomic.Bool
}

func (c *clock) Deadline() (time.Time, bool) {
	d := c.then
	if !c.asked.Swap(true) {
		d = c.first
	}
	return d, !d.IsZero()
}

// A solve checks the clock itself. When its deadline has passed it reads the deadline again, since the deadline may have been extended.
func TestSolveStopsAtItsDeadline(t *testing.T) {
	past := time.Now().Add(-time.Hour)
	deal := drawnDeals(t, dealstest.Hard, 1)[0]
	solver := search.New(search.Options{})
	result, err := solver.Solve(&clock{Context: t.Context(), first: past, then: past}, search.Query{Position: deal, Goal: search.Value})
	if !errors.Is(err, context.DeadlineExceeded) || result.Nodes > 10_000 {
		t.Errorf("%d nodes, error = %v", result.Nodes, err)
	}
	if _, err := solver.Solve(&clock{Context: t.Context(), first: past}, search.Query{Position: deal, Goal: search.Value}); err != nil {
		t.Errorf("with an extended deadline: %v", err)
	}
}
