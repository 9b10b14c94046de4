package servicetest

import (
	"math"
	"testing"

	"roem/internal/api"
)

// Stands compares a standing with the sentences of the contract for the cost in the answer and its standard error. It says nothing of costs
// that are so near a limit that rounding decides.
func Stands(tb testing.TB, got api.Standing, cost, deviation, limit float64) {
	tb.Helper()
	low, high, near := cost-2*deviation, cost+2*deviation, limit/500
	if math.Abs(low) < near && deviation > 0 || math.Abs(high-limit) < near {
		return
	}
	want := api.StandingUncertain
	switch {
	case cost == 0 && deviation == 0:
		want = api.StandingAsGood
	case low >= 0:
		want = api.StandingWorse
	case high < limit:
		want = api.StandingAsGood
	}
	if got != want {
		tb.Errorf("a cost of %v ± %v is %s, want %s", cost, deviation, got, want)
	}
}
