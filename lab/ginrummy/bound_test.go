package ginrummy

import (
	"math"
	"strings"
	"testing"

	"roem/internal/engine/ginrummy"
	"roem/internal/model/ginrummy/hand"
)

// What the mean of both starts expects of itself is computed from its probabilities alone, here by hand for equally likely hands.
func TestExpected(t *testing.T) {
	rows, err := Held(t.Context(), 9003, 1)
	if err != nil {
		t.Fatal(err)
	}
	r := &rows[len(rows)-1]
	p := Uniform().Of(r)
	seen := r.View.Seen()
	open, kept := float64(seen.Unknown().Len()), float64(seen.Kept.Len())
	x := (ginrummy.HandSize - kept) / open
	other := p
	for c := range seen.Unknown().All() {
		other[c] = x / 2
	}
	check := BoundCheck{Starts: [2]*Score{new(Score), new(Score)}, Both: new(Score)}
	check.add(r, &p, &[2]Estimate{p, p})
	check.add(r, &other, &[2]Estimate{p, p})
	own := -open * (x*math.Log(x) + (1-x)*math.Log(1-x)) / ginrummy.DeckSize
	gain := open * (x*math.Log(2) + (1-x)*math.Log((1-x)/(1-x/2))) / ginrummy.DeckSize
	top := (kept + (ginrummy.HandSize-kept)*x) / ginrummy.HandSize
	for _, one := range []struct {
		what      string
		got, want float64
	}{
		{"log loss", check.Entropy[0], 2 * own},
		{"gain", check.Gain[0], gain},
		{"ten most probable", check.Top[0], 2 * top},
		{"distance", check.Distance, 0},
	} {
		if math.Abs(one.got-one.want) > 1e-12 {
			t.Errorf("%s %g, want %g", one.what, one.got, one.want)
		}
	}
	if len(check.Gain) != 1 || gain <= 0 {
		t.Errorf("two rows of one deal: %v", check.Gain)
	}
}

// The two starts and the lines of a small bound, and that longer chains bring the starts together.
func TestBound(t *testing.T) {
	n, err := hand.Default()
	if err != nil {
		t.Fatal(err)
	}
	b, err := RunBound(t.Context(), BoundSettings{
		Rows: 8, Seed: 9004, Deals: 8, Steps: 1 << 14, Checks: 4, Propose: n.Estimator().Of, Network: Network("network", n),
	})
	if err != nil {
		t.Fatal(err)
	}
	first, last := &b.Checks[0], &b.Checks[3]
	if b.Base.Rows != 8 || last.Steps != 1<<14 || last.Distance >= first.Distance {
		t.Errorf("%d rows, %d proposals, distances %g and %g", b.Base.Rows, last.Steps, first.Distance, last.Distance)
	}
	for i, g := range last.Gain {
		if g < 0 || last.Both.Deals[i] != b.Base.Deals[i] {
			t.Errorf("deal %d: expected gain %g, %g rows", i, g, last.Both.Deals[i])
		}
	}
	if text := b.Markdown(); strings.Count(text, "\n| ") != 5 {
		t.Error(text)
	}
}
