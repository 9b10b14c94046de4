package strength

import (
	"strings"
	"testing"

	"roem/internal/engine/klaverjas"
	"roem/internal/model/klaverjas/deal"
	"roem/internal/service/klaverjas/handstrength"
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

func TestEvaluate(t *testing.T) {
	m, err := deal.Default()
	if err != nil {
		t.Fatal(err)
	}
	r, err := Evaluate(t.Context(), &handstrength.Estimator{Predictor: m}, Options{
		Hands: 2, Precision: 0.05, Reference: 0.05, Method: handstrength.Network, Rules: klaverjas.DefaultRules(klaverjas.Rotterdam), Seed: 1,
	}, func(int) {})
	if err != nil {
		t.Fatal(err)
	}
	if r.Hands != 2 || r.Estimates != 8 || r.StatedRMS > 0.06 || r.RMSE > 0.15 || r.Searches != 0 || r.Worlds < 256 {
		t.Errorf("%+v", r)
	}
	if !strings.Contains(r.String(), "hands 2, estimates 8\n") {
		t.Error(r.String())
	}
}
