package strength

import (
	"testing"

	"roem/internal/engine/klaverjas"
	"roem/internal/model/klaverjas/deal"
)

func TestFit(t *testing.T) {
	m, err := deal.Default()
	if err != nil {
		t.Fatal(err)
	}
	calls := 0
	table, err := Fit(t.Context(), m, klaverjas.DefaultRules(klaverjas.Rotterdam), 120, 1, func(int) { calls++ })
	if err != nil {
		t.Fatal(err)
	}
	rows := 0
	for winner := range table {
		for _, c := range table[winner] {
			rows += c.Rows
			for i, outcome := range c.Atoms {
				if (outcome > 0) != (winner == 1) || i > 0 && outcome < c.Atoms[i-1] {
					t.Fatalf("winner %d: %v", winner, c.Atoms)
				}
			}
		}
	}
	if rows != 120 || calls != 120 {
		t.Errorf("%d rows, %d calls, want 120", rows, calls)
	}
}
