package reasons_test

import (
	"strings"
	"testing"

	"roem/internal/engine/klaverjas/players"
	"roem/lab/klaverjas/reasons"
)

// The report lists each mistake with its lines, which end with outcomes that differ by its cost.
func TestReport(t *testing.T) {
	kind, err := players.ParseKind("simple", 1)
	if err != nil {
		t.Fatal(err)
	}
	all, err := reasons.Find(t.Context(), reasons.Settings{
		Mistakes: 12, Each: 3, Players: []players.Kind{kind}, Tools: &players.Tools{},
	})
	if err != nil || len(all) != 12 {
		t.Fatalf("%d mistakes, %v", len(all), err)
	}
	page := reasons.Report(all, 4, "the command")
	for _, m := range all {
		played, err := m.Before.Replay(m.Lines.Played)
		if err != nil {
			t.Fatal(err)
		}
		best, err := m.Before.Replay(m.Lines.Best)
		if err != nil {
			t.Fatal(err)
		}
		if cost := played.Outcome() - best.Outcome(); cost != m.Cost && cost != -m.Cost || m.Cost == 0 {
			t.Errorf("the card costs %d, the lines differ by %d", m.Cost, cost)
		}
	}
	if n := strings.Count(page, "\n## "); n != 4 {
		t.Errorf("%d mistakes are listed", n)
	}
	for i := range 4 {
		if m := all[3*i]; m.Found && !strings.Contains(page, m.Reason.Text(m.Before, m.Lines)) {
			t.Errorf("the sentence of mistake %d is not on the page", i)
		}
	}
}
