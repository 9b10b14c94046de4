package logistic

import (
	"math"
	"math/rand/v2"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
)

// A sparse fit has the probabilities of the fit of dense columns, up to the different ridge, also where inputs are present several times.
func TestSparseAgainstDense(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 1))
	const width, n = 6, 3000
	rows, labels := make([][]uint16, n), make([]bool, n)
	columns := make([]Column, width)
	for i := range columns {
		columns[i] = Column{Codes: make([]uint8, n), Values: []float64{0, 1, 2}}
	}
	for row := range n {
		score := -0.5
		for i := range width {
			times := rng.IntN(3)
			columns[i].Codes[row] = uint8(times)
			for range times {
				rows[row] = append(rows[row], uint16(i))
			}
			score += float64(times) * (float64(i) - 2.5) / 3
		}
		labels[row] = rng.Float64() < 1/(1+math.Exp(-score))
	}
	dense, err := Train(t.Context(), columns, labels, Options{Ridge: 0, Steps: 25})
	if err != nil {
		t.Fatal(err)
	}
	for _, workers := range []int{1, 3} {
		sparse, err := TrainSparse(t.Context(), rows, width, labels, Options{Ridge: 1e-9, Steps: 25, Workers: workers})
		if err != nil {
			t.Fatal(err)
		}
		want, err := dense.PredictAll(columns)
		if err != nil {
			t.Fatal(err)
		}
		var got []float64
		for _, row := range rows {
			got = append(got, sparse.Predict(row))
		}
		if diff := cmp.Diff(want, got, cmpopts.EquateApprox(0, 1e-4)); diff != "" {
			t.Errorf("-dense +sparse, %d workers:\n%s", workers, diff)
		}
	}
}

// A ridge shrinks the weights, and inputs that exclude each other can be fitted.
func TestSparseRidge(t *testing.T) {
	rows, labels := [][]uint16{{0}, {0}, {0}, {1}, {1}, {1}}, []bool{true, true, false, false, false, true}
	odds := func(ridge float64) float64 {
		m, err := TrainSparse(t.Context(), rows, 2, labels, Options{Ridge: ridge, Steps: 30})
		if err != nil {
			t.Fatal(err)
		}
		return m.Predict([]uint16{0})
	}
	if got := odds(1e-7); math.Abs(got-math.Log(2)) > 1e-3 {
		t.Errorf("log odds %.4f, expected %.4f", got, math.Log(2))
	}
	if got := odds(1); got <= 0 || got > 0.3 {
		t.Errorf("log odds %.4f with a large ridge", got)
	}
	for name, try := range map[string]func() (*Sparse, error){
		"no ridge":     func() (*Sparse, error) { return TrainSparse(t.Context(), rows, 2, labels, Options{Steps: 1}) },
		"no rows":      func() (*Sparse, error) { return TrainSparse(t.Context(), nil, 2, nil, Default()) },
		"fewer labels": func() (*Sparse, error) { return TrainSparse(t.Context(), rows, 2, labels[1:], Default()) },
		"an input beyond the width": func() (*Sparse, error) {
			return TrainSparse(t.Context(), rows, 1, labels, Default())
		},
	} {
		if _, err := try(); err == nil {
			t.Errorf("%s: no error", name)
		}
	}
}
