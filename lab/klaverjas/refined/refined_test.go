package refined_test

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"roem/internal/engine/klaverjas/advice"
	"roem/internal/engine/klaverjas/players"
	"roem/internal/engine/piquet"
	"roem/internal/engine/standing"
	"roem/internal/service/klaverjas"
	"roem/lab/klaverjas/refined"
)

// The same settings give the same report with any number of workers. A decision with a jack has it among its cards.
func TestMeasure(t *testing.T) {
	kind, err := players.ParseKind("simple", 0)
	if err != nil {
		t.Fatal(err)
	}
	measure := func(workers int) []refined.Decision {
		all, err := refined.Measure(t.Context(), refined.Settings{
			Random: 4, Jacks: 2, Most: 200, Truth: 300, Player: kind, Seed: 3, Workers: workers,
			Tools: klaverjas.NewTools, Models: klaverjas.Policies,
		})
		if err != nil {
			t.Fatal(err)
		}
		return all
	}
	one := measure(1)
	report := refined.Report(one, 200)
	if diff := cmp.Diff(report, refined.Report(measure(2), 200)); diff != "" {
		t.Errorf("with two workers:\n%s", diff)
	}
	if !strings.Contains(report, "4 decisions at random") || !strings.Contains(report, "The jacks alone") {
		t.Errorf("the report is\n%s", report)
	}
	jacks := refined.Jacks(one, true)
	if len(jacks) != 2 || len(one) != 6 {
		t.Fatalf("%d decisions, %d with a jack", len(one), len(jacks))
	}
	for _, d := range jacks {
		found := false
		for _, v := range d.Truth.Cards {
			found = found || v.Card == *d.Jack
		}
		if !found {
			t.Errorf("%v is not among the cards of %v", *d.Jack, d.Truth.Cards)
		}
	}
}

// Two cards that are not told apart from the advised one cost 12 and 1 in truth. Only the second one is as good by its standing.
func TestCount(t *testing.T) {
	value := func(c piquet.Card, cost, deviation float64, s standing.Kind) advice.Value {
		return advice.Value{Card: c, Cost: advice.Estimate{Mean: cost, Error: deviation}, Standing: s}
	}
	all := []refined.Decision{{
		Answers: []refined.Answer{{Worlds: 100, Advice: advice.Advice{Card: 1, Cards: []advice.Value{
			value(1, 0, 0, standing.Best), value(2, 2, 1.4, standing.AsGood), value(3, 6, 8, standing.Uncertain), value(4, 30, 5, standing.Worse),
		}}}},
		Truth: advice.Advice{Cards: []advice.Value{
			value(1, 0, 0, standing.Best), value(2, 1, 0, standing.Worse), value(3, 12, 0, standing.Worse), value(4, 50, 0, standing.Worse),
		}},
	}}
	want := refined.Marks{Rows: 3, Of: [4]int{0, 1, 1, 1}, Costly: [4]int{0, 0, 1, 1}, Held: 2, Decisions: 1}
	if diff := cmp.Diff(want, refined.Count(all, 100, refined.Told)); diff != "" {
		t.Errorf("by the standing (-want +got)\n%s", diff)
	}
	want.Of, want.Costly, want.Misled = [4]int{0, 2, 0, 1}, [4]int{0, 1, 0, 1}, 1
	if diff := cmp.Diff(want, refined.Count(all, 100, refined.NotApart)); diff != "" {
		t.Errorf("not told apart (-want +got)\n%s", diff)
	}
}
