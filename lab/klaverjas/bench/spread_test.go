package bench

import (
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestSpread(t *testing.T) {
	upTo := func(n int) (values []float64) {
		for i := n; i >= 1; i-- {
			values = append(values, float64(i))
		}
		return values
	}
	for _, c := range []struct {
		name   string
		values []float64
		want   Spread
	}{
		{"one", []float64{7}, Spread{Mean: 7, P50: 7, P99: 7, Max: 7}},
		{"two", []float64{3, 1}, Spread{Mean: 2, P50: 1, P99: 3, Max: 3}},
		{"99", upTo(99), Spread{Mean: 50, P50: 50, P99: 99, Max: 99}},
		{"100", upTo(100), Spread{Mean: 50.5, P50: 50, P99: 99, Max: 100}},
		{"1000", upTo(1000), Spread{Mean: 500.5, P50: 500, P99: 990, Max: 1000}},
	} {
		t.Run(c.name, func(t *testing.T) {
			if diff := cmp.Diff(c.want, spread(c.values)); diff != "" {
				t.Errorf("spread (-want +got):\n%s", diff)
			}
		})
	}
}

func TestThreeDigits(t *testing.T) {
	for value, want := range map[float64]string{
		0: "0", 0.000456: "0.000456", 0.5: "0.500", 1: "1.00", 9.876: "9.88", 12.34: "12.3", 123.4: "123", 12345.6: "12346",
	} {
		if got := threeDigits(value); got != want {
			t.Errorf("threeDigits(%v) = %q, want %q", value, got, want)
		}
	}
}
