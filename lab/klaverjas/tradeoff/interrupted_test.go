package tradeoff

import (
	"math"
	"math/rand/v2"
	"testing"

	"github.com/google/go-cmp/cmp"

	"roem/internal/engine/klaverjas/dealstest"
	"roem/internal/engine/klaverjas/search"
	"roem/internal/service/klaverjas/hybrid"
)

// The result does not depend on the number of workers, and does not contain searches that finish.
func TestInterruptAll(t *testing.T) {
	positions, err := dealstest.Deals(dealstest.ClassUniform, 400, 7)
	if err != nil {
		t.Fatal(err)
	}
	solver := search.New(search.Options{})
	var deals []Deal
	long := 0
	for _, p := range positions {
		r, err := solver.Solve(t.Context(), search.Query{Position: p, Goal: search.Win})
		if err != nil {
			t.Fatal(err)
		}
		deals = append(deals, Deal{Position: p, Prediction: hybrid.Prediction{WinProbability: 0.5}, Won: r.Won, Cards: float64(r.Nodes)})
		if r.Nodes > leastNodes {
			long++
		}
	}
	var all [][]Interrupted
	for _, workers := range []int{1, 3} {
		done := make(chan struct{}, len(deals))
		interrupted, err := InterruptAll(t.Context(), deals, 1, workers, func() { done <- struct{}{} })
		if err != nil || len(done) != len(deals) {
			t.Fatalf("%d deals done, %v", len(done), err)
		}
		all = append(all, interrupted)
	}
	if n := len(all[0]); n < 10 || n > long {
		t.Errorf("%d searches were interrupted, of %d that are long enough", n, long)
	}
	if diff := cmp.Diff(all[0], all[1]); diff != "" {
		t.Errorf("three workers (-one +three)\n%s", diff)
	}
	interrupt := NewInterrupt(t.Context(), 0)
	if e, err := interrupt(&deals[0], math.MaxInt64); e != nil || err != nil {
		t.Errorf("a search that finishes returns %+v, %v", e, err)
	}
}

// The regression finds the weights from which the rows were generated.
func TestFitRegression(t *testing.T) {
	want := hybrid.Features{0.7, -0.1, 0.2, 0.3, -0.3, 0.7, 0.5, 2, 1, 1, 1.5, 1.4, 0.5, 0.8}
	const bias = 0.6
	rng := rand.New(rand.NewPCG(1, 2))
	rows := make([]Interrupted, 40_000)
	for i := range rows {
		sum := bias
		for k := range want {
			rows[i].Features[k] = rng.NormFloat64()
			sum += want[k] * rows[i].Features[k]
		}
		rows[i].Won = rng.Float64() < 1/(1+math.Exp(-sum))
	}
	got, err := FitRegression(t.Context(), rows)
	if err != nil {
		t.Fatal(err)
	}
	if math.Abs(got.Bias-bias) > 0.1 || got.Rows != len(rows) {
		t.Errorf("bias %v of %d rows, want %v", got.Bias, got.Rows, bias)
	}
	for k, w := range got.Weights {
		if math.Abs(w-want[k]) > 0.1 {
			t.Errorf("feature %d: %v, want %v", k, w, want[k])
		}
	}
	if _, err := FitRegression(t.Context(), nil); err == nil {
		t.Error("no error without rows")
	}
}
