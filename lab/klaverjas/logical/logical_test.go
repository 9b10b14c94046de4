package logical

import (
	"math"
	"strings"
	"testing"
)

// The agents reach the figures of their authors' program. This is a short run of make -C lab klaverjas-logical: the tolerances are three
// standard errors of the difference, from the numbers of hands of both.
func TestReference(t *testing.T) {
	figures, err := Compare(t.Context(), 400, 1)
	if err != nil {
		t.Fatal(err)
	}
	if len(figures) != 2+3+8+2+2+3 {
		t.Errorf("%d figures", len(figures))
	}
	for _, f := range figures {
		if !f.Close() {
			t.Errorf("%s: %s %v, want %v: more than %v and three standard errors of %v", f.Players, f.Name, f.Got, f.Want, f.Tolerance, f.Error)
		}
	}
	var table strings.Builder
	if err := WriteTable(&table, figures); err != nil || strings.Count(table.String(), "\n") != len(figures)+2 {
		t.Errorf("%v\n%s", err, &table)
	}
}

// The third rule of the paper is not sound: with it, one hand in eight has a belief that is false. What the rules imply is never false.
func TestFalseBeliefs(t *testing.T) {
	for _, tt := range []struct {
		ns, ew    string
		low, high float64
	}{
		{ns: "logical", ew: "logical", low: 0.06, high: 0.18}, // 0.12 in the authors' program
		{ns: "logical:rules", ew: "logical:rules"},
	} {
		s, err := Measure(t.Context(), 400, 2, tt.ns, tt.ew)
		if err != nil || s.False < tt.low || s.False > tt.high || math.IsNaN(s.False) {
			t.Errorf("%s: %v of the hands have a false belief, want %v to %v (%v)", tt.ns, s.False, tt.low, tt.high, err)
		}
	}
}
