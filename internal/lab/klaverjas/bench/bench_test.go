package bench_test

import (
	"context"
	"errors"
	"fmt"
	"os"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"roem/internal/engine/klaverjas"
	"roem/internal/engine/klaverjas/index"
	"roem/internal/engine/klaverjas/search"
	"roem/internal/engine/piquet"
	"roem/internal/lab/klaverjas/bench"
)

// The embedded copy of the hard deals must equal the vectors.
func TestHardDealsAreTheVectors(t *testing.T) {
	want, err := os.ReadFile("../../../../testdata/vectors/hard-deals.jsonl")
	if err != nil {
		t.Fatal(err)
	}
	got, err := os.ReadFile("hard-deals.jsonl")
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(string(want), string(got)); diff != "" {
		t.Errorf("hard-deals.jsonl (-vectors +copy):\n%s", diff)
	}
	deals, err := bench.Deals(bench.Hard, 1000, 1)
	if err != nil {
		t.Fatal(err)
	}
	if lines := strings.Count(string(want), "\n"); len(deals) != lines {
		t.Errorf("%d hard deals, want %d", len(deals), lines)
	}
	first := deals[0].Deal()
	if got := [...]string{first.Trump.String(), first.Leader.String(), first.Declarer.String()}; got != [...]string{"D", "N", "NS"} {
		t.Errorf("first deal: trump, leader, declarer %v", got)
	}
	if east := first.Hands[piquet.East]; !east.Has(piquet.Of(piquet.Hearts, piquet.Jack)) || east.Len() != 8 {
		t.Errorf("east holds %v, want eight cards with JH", east.Slice())
	}
}

func TestDealsAreRepeatable(t *testing.T) {
	// The expected deals are constants: every version of Go and of Roem must draw the same deals, so that measurements are comparable.
	for set, want := range map[bench.Set][]string{
		bench.Uniform:      {"H S EW 86062054130913936", "C W NS 7070248302549235", "H S NS 27785963005819375"},
		bench.ClassUniform: {"H S NS 57297736715088389", "C W EW 55256070282714910", "H S NS 27620262650688271"},
	} {
		t.Run(string(set), func(t *testing.T) {
			deals, err := bench.Deals(set, 3, 1)
			if err != nil {
				t.Fatal(err)
			}
			var got []string
			for _, p := range deals {
				got = append(got, describe(p.Deal()))
			}
			if diff := cmp.Diff(want, got); diff != "" {
				t.Errorf("deals (-want +got):\n%s", diff)
			}
			fewer, err := bench.Deals(set, 2, 1)
			if err != nil {
				t.Fatal(err)
			}
			if fewer[0] != deals[0] || fewer[1] != deals[1] {
				t.Error("two deals are not the first two of three")
			}
			other, err := bench.Deals(set, 1, 2)
			if err != nil {
				t.Fatal(err)
			}
			if other[0] == deals[0] {
				t.Error("another seed gives the same deal")
			}
		})
	}
}

func describe(d klaverjas.Deal) string {
	return fmt.Sprintf("%v %v %v %d", d.Trump, d.Leader, d.Declarer, index.Rank(d))
}

func TestDealsVary(t *testing.T) {
	for _, set := range []bench.Set{bench.Uniform, bench.ClassUniform} {
		t.Run(string(set), func(t *testing.T) {
			deals, err := bench.Deals(set, 200, 1)
			if err != nil {
				t.Fatal(err)
			}
			kinds := map[string]int{}
			leaderDeclares := 0
			for _, p := range deals {
				d := p.Deal()
				kinds[d.Trump.String()+d.Leader.String()]++
				if d.Leader.Team() == d.Declarer {
					leaderDeclares++
				}
			}
			if len(kinds) != 16 {
				t.Errorf("trump and leader in %d ways, want 16", len(kinds))
			}
			switch {
			case set == bench.ClassUniform && leaderDeclares != 200:
				t.Errorf("the leader's team declares in %d of 200, want all", leaderDeclares)
			case set == bench.Uniform && (leaderDeclares < 70 || leaderDeclares > 130):
				t.Errorf("the leader's team declares in %d of 200, want about half", leaderDeclares)
			}
		})
	}
}

func TestParseSet(t *testing.T) {
	for _, set := range bench.Sets() {
		if got, err := bench.ParseSet(string(set)); err != nil || got != set {
			t.Errorf("ParseSet(%q) = %q, %v", set, got, err)
		}
	}
	if _, err := bench.ParseSet("easy"); err == nil || !strings.Contains(err.Error(), `"easy" is not one of uniform, class-uniform, hard`) {
		t.Errorf("error %v, want one that names every set", err)
	}
}

// Nodes are deterministic, so two measurements of the same deals have the same nodes, and the same wins for every goal.
func TestMeasure(t *testing.T) {
	deals, err := bench.Deals(bench.Uniform, 5, 1)
	if err != nil {
		t.Fatal(err)
	}
	var won []int
	for _, goal := range []search.Goal{search.Win, search.Value} {
		done := 0
		row, err := bench.Measure(t.Context(), bench.Uniform, goal, deals, func() { done++ })
		if err != nil {
			t.Fatal(err)
		}
		again, err := bench.Measure(t.Context(), bench.Uniform, goal, deals, func() {})
		if err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(row.Nodes, again.Nodes); diff != "" {
			t.Errorf("%v: nodes of two measurements (-first +second):\n%s", goal, diff)
		}
		if row.Set != bench.Uniform || row.Goal != goal.String() || row.Deals != 5 || done != 5 {
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
	deals, err := bench.Deals(bench.Uniform, 5, 1)
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	_, err = bench.Measure(ctx, bench.Uniform, search.Win, deals, cancel)
	if !errors.Is(err, context.Canceled) {
		t.Errorf("error %v, want the error of the context", err)
	}
}

func TestMeasureOfNothing(t *testing.T) {
	row, err := bench.Measure(t.Context(), bench.Hard, search.Win, nil, nil)
	want := bench.Row{Set: bench.Hard, Goal: "win"}
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
				Set: bench.ClassUniform, Goal: "win", Deals: 3, Won: 2,
				Milliseconds:   bench.Spread{Mean: 0.01234, P50: 0.5, P99: 12.345, Max: 12345.6},
				Nodes:          bench.Spread{Mean: 10.5, P50: 10, P99: 11, Max: 1e7},
				NodesPerSecond: 9.4e6,
			},
			{Set: bench.Hard, Goal: "moves"},
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
