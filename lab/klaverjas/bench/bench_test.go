package bench_test

import (
	"context"
	"errors"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"roem/internal/engine/klaverjas/dealstest"
	"roem/internal/engine/klaverjas/search"
	"roem/lab/klaverjas/bench"
)

func TestMeasure(t *testing.T) {
	deals, err := dealstest.Deals(dealstest.Uniform, 5, 1)
	if err != nil {
		t.Fatal(err)
	}
	var won []int
	for _, goal := range []search.Goal{search.Win, search.Value} {
		done := 0
		row, err := bench.Measure(t.Context(), dealstest.Uniform, goal, deals, func() { done++ })
		if err != nil {
			t.Fatal(err)
		}
		again, err := bench.Measure(t.Context(), dealstest.Uniform, goal, deals, func() {})
		if err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(row.Nodes, again.Nodes); diff != "" {
			t.Errorf("%v: nodes of two measurements (-first +second):\n%s", goal, diff)
		}
		if row.Set != dealstest.Uniform || row.Goal != goal.String() || row.Deals != 5 || done != 5 {
			t.Errorf("%v: row %+v after %d deals done", goal, row, done)
		}
		if row.Milliseconds.Mean <= 0 || row.NodesPerSecond <= 0 || row.Milliseconds.Max < row.Milliseconds.P50 {
			t.Errorf("%v: times %+v", goal, row.Milliseconds)
		}
		won = append(won, row.Won)
	}
	if won[0] != won[1] {
		t.Errorf("goal win has %d won, goal value %d", won[0], won[1])
	}
}

func TestMeasureStops(t *testing.T) {
	deals, err := dealstest.Deals(dealstest.Uniform, 5, 1)
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	_, err = bench.Measure(ctx, dealstest.Uniform, search.Win, deals, cancel)
	if !errors.Is(err, context.Canceled) {
		t.Errorf("error %v, want the error of the context", err)
	}
}

func TestMeasureOfNothing(t *testing.T) {
	row, err := bench.Measure(t.Context(), dealstest.Hard, search.Win, nil, nil)
	want := bench.Row{Set: dealstest.Hard, Goal: "win"}
	if diff := cmp.Diff(want, row); diff != "" || err != nil {
		t.Errorf("row (-want +got):\n%s\nerror %v", diff, err)
	}
}

func TestMarkdown(t *testing.T) {
	r := bench.Report{
		Version: "v1.2.3", Solver: "7", Seed: "5",
		Machine: bench.Machine{CPU: "Z80", Cores: 4, OS: "cpm", Arch: "z80", Go: "go1.26"},
		Rows: []bench.Row{
			{
				Set: dealstest.ClassUniform, Goal: "win", Deals: 3, Won: 2,
				Milliseconds:   bench.Spread{Mean: 0.01234, P50: 0.5, P99: 12.345, Max: 12345.6},
				Nodes:          bench.Spread{Mean: 10.5, P50: 10, P99: 11, Max: 1e7},
				NodesPerSecond: 9.4e6,
			},
			{Set: dealstest.Hard, Goal: "moves"},
		},
	}
	const want = `roem v1.2.3 (solver 7), one of the 4 cores of Z80, cpm/z80, go1.26, seed 5.

| deals         | goal  | number | won | mean ms | p50 ms | p99 ms | max ms | mean nodes | p50 nodes | p99 nodes | max nodes | nodes/ms |
|---------------|-------|-------:|----:|--------:|-------:|-------:|-------:|-----------:|----------:|----------:|----------:|---------:|
| class-uniform | win   |      3 |   2 |  0.0123 |  0.500 |   12.3 |  12346 |         10 |        10 |        11 |  10000000 |     9400 |
| hard          | moves |      0 |   0 |       0 |      0 |      0 |      0 |          0 |         0 |         0 |         0 |        0 |
`
	var got strings.Builder
	if err := r.Markdown(&got); err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(want, got.String()); diff != "" {
		t.Errorf("report (-want +got):\n%s", diff)
	}
}

func TestThisMachine(t *testing.T) {
	m := bench.ThisMachine()
	if m.CPU == "" || m.Cores < 1 || m.OS == "" || m.Arch == "" || !strings.HasPrefix(m.Go, "go") {
		t.Errorf("this machine: %+v", m)
	}
}
