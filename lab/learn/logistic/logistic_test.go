package logistic

import (
	"context"
	"errors"
	"math"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// truth has the bias and the coefficient of each value from which the samples are drawn.
var truth = []float64{-0.5, 1.2, -0.8, 0.3}

func sample(seed uint64, rows int) ([]Column, []bool) {
	rng := rand.New(rand.NewPCG(seed, 0))
	values := [][]float64{{0, 1}, {-1, 0, 2.5}, {0, 1, 2, 3, 4}}
	columns := make([]Column, len(values))
	for i, v := range values {
		columns[i] = Column{Codes: make([]uint8, rows), Values: v}
	}
	labels := make([]bool, rows)
	for row := range rows {
		score := truth[0]
		for i, v := range values {
			code := rng.IntN(len(v))
			columns[i].Codes[row] = uint8(code)
			score += truth[i+1] * v[code]
		}
		labels[row] = rng.Float64() < 1/(1+math.Exp(-score))
	}
	return columns, labels
}

// A fit finds the coefficients from which the sample was drawn, within the sampling error.
func TestRecovers(t *testing.T) {
	columns, labels := sample(1, 100_000)
	m, err := Train(t.Context(), columns, labels, Default())
	if err != nil {
		t.Fatal(err)
	}
	for a := range 2 {
		for b := range 3 {
			for c := range 5 {
				want := truth[0]
				for i, code := range []int{a, b, c} {
					want += truth[i+1] * columns[i].Values[code]
				}
				if got := m.Predict([]uint8{uint8(a), uint8(b), uint8(c)}); math.Abs(got-want) > 0.08 {
					t.Errorf("codes %d %d %d: %g, expected %g", a, b, c, got, want)
				}
			}
		}
	}
}

// The solution is a minimum: the derivative of the log loss is 0 in every direction.
func TestOptimal(t *testing.T) {
	columns, labels := sample(2, 500)
	m, err := Train(t.Context(), columns, labels, Options{Steps: 50})
	if err != nil {
		t.Fatal(err)
	}
	scores, err := m.PredictAll(columns)
	if err != nil {
		t.Fatal(err)
	}
	for i := -1; i < len(columns); i++ {
		sum := 0.0
		for row, yes := range labels {
			x, y := 1.0, 0.0
			if i >= 0 {
				x = columns[i].Values[columns[i].Codes[row]]
			}
			if yes {
				y = 1
			}
			sum += x * (1/(1+math.Exp(-scores[row])) - y) / float64(len(labels))
		}
		if math.Abs(sum) > 1e-6 {
			t.Errorf("derivative of coefficient %d is %g, expected 0", i, sum)
		}
	}
}

// A column that is a sum of others changes the coefficients but not the predictions.
func TestDependentColumns(t *testing.T) {
	columns, labels := sample(3, 2000)
	sum := Column{Codes: make([]uint8, 2000), Values: []float64{0, 1, 2, 3, 4, 5}}
	for row := range sum.Codes {
		sum.Codes[row] = columns[0].Codes[row] + columns[2].Codes[row]
	}
	constant := Column{Codes: make([]uint8, 2000), Values: []float64{7}}
	without, err := Train(t.Context(), columns, labels, Default())
	if err != nil {
		t.Fatal(err)
	}
	with, err := Train(t.Context(), append(columns[:3:3], sum, constant), labels, Default())
	if err != nil {
		t.Fatal(err)
	}
	a, err := without.PredictAll(columns)
	if err != nil {
		t.Fatal(err)
	}
	b, err := with.PredictAll(append(columns[:3:3], sum, constant))
	if err != nil {
		t.Fatal(err)
	}
	for row := range a {
		if math.Abs(a[row]-b[row]) > 1e-3 {
			t.Fatalf("row %d: %g and %g", row, a[row], b[row])
		}
	}
	if _, err := Train(t.Context(), append(columns[:3:3], sum), labels, Options{Steps: 5}); err == nil {
		t.Log("without a ridge, only rounding errors make the system regular")
	} else if !errors.Is(err, errSingular) {
		t.Errorf("error %v, expected %v", err, errSingular)
	}
}

// If all rows have one class, or a column separates the classes, the log loss without a ridge has no minimum. With the ridge the
// coefficients are finite.
func TestSeparable(t *testing.T) {
	column := []Column{{Codes: []uint8{0, 0, 1, 1}, Values: []float64{0, 1}}}
	for _, labels := range [][]bool{{true, true, true, true}, {false, false, true, true}} {
		m, err := Train(t.Context(), column, labels, Default())
		if err != nil {
			t.Fatal(err)
		}
		for code, want := range map[uint8]bool{0: labels[0], 1: labels[3]} {
			if got := m.Predict([]uint8{code}); math.IsNaN(got) || math.IsInf(got, 0) || got > 0 != want {
				t.Errorf("%v: code %d scores %g", labels, code, got)
			}
		}
	}
}

func TestWorkers(t *testing.T) {
	columns, labels := sample(4, 20_000)
	var models []*Model
	for _, workers := range []int{1, 2, 5} {
		o := Default()
		o.Workers = workers
		m, err := Train(t.Context(), columns, labels, o)
		if err != nil {
			t.Fatal(err)
		}
		models = append(models, m)
	}
	for _, m := range models[1:] {
		if !cmp.Equal(models[0], m, cmp.AllowUnexported(Model{})) {
			t.Error("the model depends on the number of workers")
		}
	}
	all, err := models[0].PredictAll(columns)
	if err != nil {
		t.Fatal(err)
	}
	for row := range 50 {
		codes := []uint8{columns[0].Codes[row], columns[1].Codes[row], columns[2].Codes[row]}
		if got := models[0].Predict(codes); got != all[row] {
			t.Errorf("row %d: Predict returns %g, PredictAll %g", row, got, all[row])
		}
	}
}

func TestRefused(t *testing.T) {
	columns, labels := sample(5, 10)
	for _, test := range []struct {
		name    string
		columns []Column
		labels  []bool
		o       Options
		want    string
	}{
		{"no columns", nil, labels, Default(), "no columns"},
		{"no rows", columns, nil, Default(), "no rows"},
		{"ridge", columns, labels, Options{Ridge: math.NaN(), Steps: 1}, "ridge NaN"},
		{"steps", columns, labels, Options{}, "0 steps"},
		{"short", columns, labels[1:], Default(), "column 0 has 10 rows, expected 9"},
		{"code", []Column{{Codes: columns[2].Codes, Values: []float64{0}}}, labels, Default(), "expected below 1"},
	} {
		t.Run(test.name, func(t *testing.T) {
			if _, err := Train(t.Context(), test.columns, test.labels, test.o); err == nil || !strings.Contains(err.Error(), test.want) {
				t.Errorf("error %v, expected one with %q", err, test.want)
			}
		})
	}
	m, err := Train(t.Context(), columns, labels, Default())
	if err != nil {
		t.Fatal(err)
	}
	if _, err := m.PredictAll(columns[1:]); !errors.Is(err, ErrColumns) {
		t.Errorf("error %v, expected %v", err, ErrColumns)
	}
	ended, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := Train(ended, columns, labels, Default()); !errors.Is(err, context.Canceled) {
		t.Errorf("error %v, expected %v", err, context.Canceled)
	}
}

func BenchmarkPredict(b *testing.B) {
	columns, labels := sample(1, 1000)
	m, err := Train(b.Context(), columns, labels, Default())
	if err != nil {
		b.Fatal(err)
	}
	row := []uint8{1, 2, 3}
	b.ReportAllocs()
	for b.Loop() {
		m.Predict(row)
	}
}
