package service_test

import (
	"testing"

	"roem/internal/api"
	"roem/internal/service"
)

// A verdict follows from the costs that the answer states.
func TestVerdict(t *testing.T) {
	rule := service.ReviewRule{LeastCost: 5, StandardErrors: 2}
	number := func(x float64) *float64 { return &x }
	for _, tt := range []struct {
		name  string
		open  int
		cost  float64
		error *float64
		want  api.Verdict
	}{
		{"no cost at all", 0, 0, number(0), api.VerdictRight},
		{"a cost with open cards only", 20, 0, number(0), api.VerdictUnlucky},
		{"both", 20, 11, number(3), api.VerdictMistake},
		{"a cost on knowledge only", 0, 11, number(3), api.VerdictLucky},
		{"two standard errors above the least", 0, 13, number(4), api.VerdictLucky},
		{"nearer", 0, 13, number(4.01), api.VerdictUncertain},
		{"two standard errors below the least", 20, 4.99, number(0.01), api.VerdictUncertain},
		{"farther", 20, 4.97, number(0.01), api.VerdictUnlucky},
		{"below the least, exact", 1, 4.99, number(0), api.VerdictUnlucky},
		{"the least, exact", 1, 5, number(0), api.VerdictMistake},
		{"digits that are no sums of halves", 0, 5.02, number(0.01), api.VerdictLucky},
		{"a high cost of which little is known", 0, 22, number(12), api.VerdictUncertain},
		{"one world of several", 20, 50, nil, api.VerdictUncertain},
	} {
		t.Run(tt.name, func(t *testing.T) {
			if got := rule.Verdict(tt.open, service.KnownCost{Cost: tt.cost, StandardError: tt.error}); got != tt.want {
				t.Errorf("%s, want %s", got, tt.want)
			}
		})
	}
}
