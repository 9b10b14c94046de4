package match

import (
	"context"
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
)

func TestRunInOrder(t *testing.T) {
	const n = 1000
	for _, workers := range []int{0, 1, 2, 7} {
		t.Run(fmt.Sprint(workers, " workers"), func(t *testing.T) {
			var got, want []int
			err := Run(t.Context(), n, workers, func(_ context.Context, worker, deal int) (int, error) {
				if worker < 0 || worker >= max(workers, 1) {
					t.Errorf("worker %d", worker)
				}
				return deal * deal, nil
			}, func(deal, result int) error {
				if deal != len(got) {
					t.Errorf("deal %d in place %d", deal, len(got))
				}
				got = append(got, result)
				return nil
			})
			for i := range n {
				want = append(want, i*i)
			}
			if diff := cmp.Diff(want, got); diff != "" || err != nil {
				t.Errorf("%v (-want +got)\n%s", err, diff)
			}
		})
	}
}

// The first deal that fails decides, in the order of the deals and not of time.
func TestRunFails(t *testing.T) {
	failed := map[int]error{40: errors.New("deal 40"), 41: errors.New("deal 41"), 90: errors.New("deal 90")}
	for _, workers := range []int{1, 2, 5, 64} {
		var put int
		err := Run(t.Context(), 200, workers, func(_ context.Context, _, deal int) (int, error) {
			return deal, failed[deal]
		}, func(int, int) error { put++; return nil })
		if !errors.Is(err, failed[40]) || put > 40 {
			t.Errorf("%d workers: %v after %d results", workers, err, put)
		}
	}
	broken := errors.New("the disk is full")
	err := Run(t.Context(), 200, 3, func(context.Context, int, int) (int, error) { return 0, nil }, func(deal, _ int) error {
		if deal == 20 {
			return broken
		}
		if deal > 20 {
			t.Errorf("deal %d is put after an error", deal)
		}
		return nil
	})
	if !errors.Is(err, broken) {
		t.Errorf("%v, want the error of put", err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	err = Run(ctx, 1_000_000, 3, func(_ context.Context, _, deal int) (int, error) {
		if deal == 500 {
			cancel()
		}
		return 0, nil
	}, func(int, int) error { return nil })
	if !errors.Is(err, context.Canceled) {
		t.Errorf("%v, want the error of the context", err)
	}
}

func TestMeanOf(t *testing.T) {
	near := cmpopts.EquateApprox(0, 1e-12)
	for _, tt := range []struct {
		values      []float64
		mean, error float64
	}{
		{nil, 0, 0}, {[]float64{3}, 3, 0}, {[]float64{1, 1, 1}, 1, 0}, {[]float64{2, 4, 4, 4, 5, 5, 7, 9}, 5, math.Sqrt(32.0 / 7 / 8)},
	} {
		want := Estimate{tt.mean, tt.error, tt.mean - Z*tt.error, tt.mean + Z*tt.error}
		if diff := cmp.Diff(want, MeanOf(tt.values), near); diff != "" {
			t.Errorf("%v (-want +got)\n%s", tt.values, diff)
		}
	}
}

// The interval of a share lies between 0 and 1 and contains the share, also with few games. For wins and losses alone it is Wilson's. For
// many values it follows from their variance.
func TestShareOf(t *testing.T) {
	near := cmpopts.EquateApprox(0, 5e-5)
	for _, tt := range []struct {
		values    []float64
		low, high float64
	}{
		{nil, 0, 1},
		{[]float64{1}, 0.2065, 1},
		{[]float64{0}, 0, 0.7935},
		{[]float64{1, 1, 1, 0, 0}, 0.2307, 0.8824},
		{slices.Repeat([]float64{1}, 100), 0.9630, 1},
	} {
		e := ShareOf(tt.values)
		if diff := cmp.Diff([]float64{tt.low, tt.high}, []float64{e.Low, e.High}, near); diff != "" {
			t.Errorf("%v (-want +got)\n%s", tt.values, diff)
		}
	}
	for n := range 300 {
		var values []float64
		rng := rand.New(rand.NewPCG(1, uint64(n)))
		for range n % 30 {
			values = append(values, float64(rng.IntN(3))/2)
		}
		if e := ShareOf(values); e.Low < 0 || e.High > 1 || e.Low > e.Mean || e.Mean > e.High || e.High-e.Low < 0.05 {
			t.Errorf("%v: %+v", values, e)
		}
	}
	many := slices.Repeat([]float64{0, 0.5, 1, 0.5}, 10_000) // pairs, which vary half as much as single games
	if e, plain := ShareOf(many), MeanOf(many); math.Abs(e.Low-plain.Low) > 1e-5 || math.Abs(e.High-plain.High) > 1e-5 {
		t.Errorf("many values: %+v, want nearly %+v", e, plain)
	}
}

func TestSummarise(t *testing.T) {
	got := Summarise([]Pair{{10, -2}, {4, -4}, {-6, 0}, {8, 8}})
	want := Summary{
		Deals: 4, Difference: MeanOf([]float64{4, 0, -3, 8}), Won: 2, Tied: 1, Lost: 1, Share: ShareOf([]float64{1, 0.5, 0, 1}),
		Duplication: Variance([]float64{4, 0, -3, 8}) / ((Variance([]float64{10, 4, -6, 8}) + Variance([]float64{-2, -4, 0, 8})) / 4),
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("(-want +got)\n%s", diff)
	}
	// If the deal alone decides, playing it twice leaves no variance.
	if got := Summarise([]Pair{{10, -10}, {-4, 4}, {6, -6}}); got.Duplication != 0 || got.Difference != (Estimate{}) {
		t.Errorf("%+v, want no variance", got)
	}
}

func TestTimes(t *testing.T) {
	var times Times
	if times.Mean() != 0 || times.Quantile(0.99) != 0 {
		t.Error("a time without a decision")
	}
	var other Times
	for i := range 100 {
		to := &times
		if i%2 == 0 {
			to = &other
		}
		to.Add(time.Duration(100 - i))
	}
	times.Join(other)
	got := []time.Duration{times.Mean(), times.Quantile(0), times.Quantile(0.5), times.Quantile(0.99), times.Quantile(1)}
	if diff := cmp.Diff([]time.Duration{50, 1, 50, 99, 100}, got); diff != "" || times.Len() != 100 {
		t.Errorf("(-want +got)\n%s", diff)
	}
}
