package dealstest_test

import (
	"fmt"
	"os"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"roem/internal/engine/klaverjas"
	"roem/internal/engine/klaverjas/dealstest"
	"roem/internal/engine/klaverjas/index"
	"roem/internal/engine/piquet"
)

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
	deals, err := dealstest.Deals(dealstest.Hard, 1000, 1)
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
	for set, want := range map[dealstest.Set][]string{
		dealstest.Uniform:      {"H S EW 86062054130913936", "C W NS 7070248302549235", "H S NS 27785963005819375"},
		dealstest.ClassUniform: {"H S NS 57297736715088389", "C W EW 55256070282714910", "H S NS 27620262650688271"},
	} {
		t.Run(string(set), func(t *testing.T) {
			deals, err := dealstest.Deals(set, 3, 1)
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
			fewer, err := dealstest.Deals(set, 2, 1)
			if err != nil {
				t.Fatal(err)
			}
			if fewer[0] != deals[0] || fewer[1] != deals[1] {
				t.Error("two deals are not the first two of three")
			}
			other, err := dealstest.Deals(set, 1, 2)
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
	for _, set := range []dealstest.Set{dealstest.Uniform, dealstest.ClassUniform} {
		t.Run(string(set), func(t *testing.T) {
			deals, err := dealstest.Deals(set, 200, 1)
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
			case set == dealstest.ClassUniform && leaderDeclares != 200:
				t.Errorf("the leader's team declares in %d of 200, want all", leaderDeclares)
			case set == dealstest.Uniform && (leaderDeclares < 70 || leaderDeclares > 130):
				t.Errorf("the leader's team declares in %d of 200, want about half", leaderDeclares)
			}
		})
	}
}

func TestParseSet(t *testing.T) {
	for _, set := range dealstest.Sets() {
		if got, err := dealstest.ParseSet(string(set)); err != nil || got != set {
			t.Errorf("ParseSet(%q) = %q, %v", set, got, err)
		}
	}
	const want = `"easy" is not one of uniform, class-uniform, hard`
	if _, err := dealstest.ParseSet("easy"); err == nil || !strings.Contains(err.Error(), want) {
		t.Errorf("error %v, want one that names every set", err)
	}
}

// Nodes are deterministic, so two measurements of the same deals have the same nodes, and the same wins for every goal.
