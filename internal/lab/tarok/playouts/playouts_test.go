package playouts_test

import (
	"bytes"
	"math"
	"strings"
	"testing"

	"roem/internal/engine/tarok/players"
	"roem/internal/lab/tarok/playouts"
	"roem/internal/random"
)

// TestLogistic: the fit finds the function that the data were drawn from.
func TestLogistic(t *testing.T) {
	rng := random.New(1)
	want := playouts.Fit{Intercept: -13, Slope: 1.2}
	var x []float64
	var happened []bool
	for range 20000 {
		at := 4 + 14*rng.Float64()
		x = append(x, at)
		happened = append(happened, rng.Float64() < 1/(1+math.Exp(-want.Intercept-want.Slope*at)))
	}
	got := playouts.Logistic(x, happened)
	if math.Abs(got.Slope-want.Slope) > 0.05 || math.Abs(got.Intercept-want.Intercept) > 0.6 {
		t.Errorf("%+v, want %+v", got, want)
	}
}

// TestSwitches: each variant plays, and is a line of the table.
func TestSwitches(t *testing.T) {
	var out bytes.Buffer
	list := playouts.Variants()
	if err := playouts.Switches(t.Context(), &out, list, players.Kinds()[1], 1, 1); err != nil {
		t.Fatal(err)
	}
	if lines := strings.Count(out.String(), "\n"); lines != len(list) {
		t.Errorf("%d lines for %d variants: %s", lines, len(list), out.String())
	}
}

// TestBids: stronger hands bid more.
func TestBids(t *testing.T) {
	var out bytes.Buffer
	if err := playouts.Bids(t.Context(), &out, 40, 1); err != nil || !strings.HasPrefix(out.String(), "three: ") {
		t.Errorf("%s %v", out.String(), err)
	}
}
