package boost

import (
	"context"
	"errors"
	"math"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// sample returns random columns, and targets that depend on some of them. The dependence on the categories of column 1 is not
// monotonic.
func sample(seed uint64, rows int, loss Loss) ([]Column, []float64) {
	rng := rand.New(rand.NewPCG(seed, 0))
	limits := []int{2, 4, 9, 3, 100, 1, 256}
	columns := make([]Column, len(limits))
	for i, limit := range limits {
		columns[i] = Column{Codes: make([]uint8, rows), Limit: limit, Category: i == 1}
		for row := range rows {
			columns[i].Codes[row] = uint8(rng.IntN(limit))
		}
	}
	targets := make([]float64, rows)
	for row := range rows {
		sum := float64(columns[2].Codes[row])/9 + float64(columns[4].Codes[row])/50 - 1.5
		if c := columns[1].Codes[row]; c == 1 || c == 2 {
			sum = -sum
		}
		targets[row] = sum + 0.3*rng.NormFloat64()
		if loss == Logistic {
			if targets[row] > 0 {
				targets[row] = 1
			} else {
				targets[row] = 0
			}
		}
	}
	return columns, targets
}

func options(loss Loss) Options {
	return Options{Loss: loss, Trees: 20, Leaves: 8, Rate: 0.3, Lambda: 1, LeastWeight: 1, Rows: 1, Columns: 1, Seed: 1}
}

// naive grows one tree by trying every split of every leaf with derivatives summed from the rows. It returns the score of each row.
func naive(columns []Column, gradients, weights []float64, o Options) []float64 {
	strength := func(rows []int) float64 {
		g, h := 0.0, 0.0
		for _, row := range rows {
			g += gradients[row]
			h += weights[row]
		}
		return g * g / (h + o.Lambda)
	}
	heavy := func(rows []int) bool {
		h := 0.0
		for _, row := range rows {
			h += weights[row]
		}
		return len(rows) > 0 && h >= o.LeastWeight
	}
	all := make([]int, len(gradients))
	for i := range all {
		all[i] = i
	}
	leaves := [][]int{all}
	for len(leaves) < o.Leaves {
		most, at := 0.0, 0
		var bestLeft, bestRight []int
		for i, rows := range leaves {
			for _, c := range columns {
				sets := make([]func(uint8) bool, 0)
				for split := range c.Limit - 1 {
					sets = append(sets, func(code uint8) bool { return int(code) <= split })
				}
				if c.Category {
					sets = sets[:0]
					for set := range 1 << c.Limit {
						sets = append(sets, func(code uint8) bool { return set>>code&1 != 0 })
					}
				}
				for _, isLeft := range sets {
					var left, right []int
					for _, row := range rows {
						if isLeft(c.Codes[row]) {
							left = append(left, row)
						} else {
							right = append(right, row)
						}
					}
					if !heavy(left) || !heavy(right) {
						continue
					}
					if gain := strength(left) + strength(right) - strength(rows); gain > most+1e-6 {
						most, at, bestLeft, bestRight = gain, i, left, right
					}
				}
			}
		}
		if most == 0 {
			break
		}
		leaves[at] = bestLeft
		leaves = append(leaves, bestRight)
	}
	out := make([]float64, len(gradients))
	for _, rows := range leaves {
		g, h := 0.0, o.Lambda
		for _, row := range rows {
			g += gradients[row]
			h += weights[row]
		}
		for _, row := range rows {
			out[row] = -o.Rate * g / h
		}
	}
	return out
}

// In each round, the scores equal the scores of the naive trees. The gains of the last rounds must not be so close that rounding decides
// between splits; with these seeds they are not.
func TestAgainstNaive(t *testing.T) {
	for _, loss := range []Loss{Logistic, Squared} {
		samples := uint64(4)
		if testing.Short() {
			samples = 1
		}
		for seed := range samples {
			columns, targets := sample(seed, 150, loss)
			o := options(loss)
			o.Trees, o.Leaves = 3, 5
			m, err := Train(t.Context(), columns, targets, o)
			if err != nil {
				t.Fatal(err)
			}
			mean := 0.0
			for _, y := range targets {
				mean += y / float64(len(targets))
			}
			score := mean
			if loss == Logistic {
				score = math.Log(mean / (1 - mean))
			}
			want := make([]float64, len(targets))
			for i := range want {
				want[i] = score
			}
			for range o.Trees {
				gradients, weights := make([]float64, len(targets)), make([]float64, len(targets))
				for i, y := range targets {
					gradients[i], weights[i] = want[i]-y, 1
					if loss == Logistic {
						p := 1 / (1 + math.Exp(-want[i]))
						gradients[i], weights[i] = p-y, p*(1-p)
					}
				}
				for i, x := range naive(columns, gradients, weights, o) {
					want[i] += x
				}
			}
			got, err := m.PredictAll(t.Context(), columns, 1)
			if err != nil {
				t.Fatal(err)
			}
			for i := range want {
				if math.Abs(got[i]-want[i]) > 1e-6 {
					t.Fatalf("loss %d, seed %d, row %d: %g, expected %g", loss, seed, i, got[i], want[i])
				}
			}
		}
	}
}

// More trees have a lower loss on the training rows, and new rows are predicted better than by the mean.
func TestLearns(t *testing.T) {
	for _, loss := range []Loss{Logistic, Squared} {
		columns, targets := sample(1, 6000, loss)
		fresh, truth := sample(2, 6000, loss)
		errorOf := func(trees int, columns []Column, targets []float64) float64 {
			o := options(loss)
			o.Trees = trees
			m, err := Train(t.Context(), columnsOf(t, columns, 1), targetsOf(1, loss), o)
			if err != nil {
				t.Fatal(err)
			}
			if len(m.trees) != trees {
				t.Fatalf("%d trees, expected %d", len(m.trees), trees)
			}
			scores, err := m.PredictAll(t.Context(), columns, 0)
			if err != nil {
				t.Fatal(err)
			}
			sum := 0.0
			for i, y := range targets {
				if loss == Logistic {
					sum -= math.Log(math.Abs(1 - y - Probability(scores[i])))
				} else {
					sum += (scores[i] - y) * (scores[i] - y)
				}
			}
			return sum / float64(len(targets))
		}
		none, few, many := errorOf(0, columns, targets), errorOf(10, columns, targets), errorOf(40, columns, targets)
		if !(many < few && few < none) {
			t.Errorf("loss %d: %g with no tree, %g with 10, %g with 40", loss, none, few, many)
		}
		if got := errorOf(40, fresh, truth); got > none/2 {
			t.Errorf("loss %d: the loss of new rows is %g, the loss of the mean %g", loss, got, none)
		}
	}
}

func columnsOf(t *testing.T, _ []Column, seed uint64) []Column {
	t.Helper()
	columns, _ := sample(seed, 6000, Squared)
	return columns
}

func targetsOf(seed uint64, loss Loss) []float64 {
	_, targets := sample(seed, 6000, loss)
	return targets
}

// The model does not depend on the number of workers, both with all rows and columns and with drawn ones. Another seed draws other rows
// and columns.
func TestWorkers(t *testing.T) {
	columns, targets := sample(3, 40_000, Logistic) // more than a block
	for _, share := range []float64{1, 0.6} {
		var models []*Model
		for _, c := range []struct {
			workers int
			seed    uint64
		}{{1, 1}, {2, 1}, {5, 1}, {2, 2}} {
			o := options(Logistic)
			o.Trees, o.Rows, o.Columns, o.Workers, o.Seed = 6, share, share, c.workers, c.seed
			m, err := Train(t.Context(), columns, targets, o)
			if err != nil {
				t.Fatal(err)
			}
			models = append(models, m)
		}
		equal := func(a, b *Model) bool {
			return cmp.Equal(a.trees, b.trees, cmp.AllowUnexported(node{}))
		}
		if !equal(models[0], models[1]) || !equal(models[0], models[2]) {
			t.Errorf("share %g: the model depends on the number of workers", share)
		}
		if equal(models[0], models[3]) != (share == 1) {
			t.Errorf("share %g: another seed gives the same model: %t", share, share != 1)
		}
		one, err := models[0].PredictAll(t.Context(), columns, 1)
		if err != nil {
			t.Fatal(err)
		}
		three, err := models[0].PredictAll(t.Context(), columns, 3)
		if err != nil {
			t.Fatal(err)
		}
		if !cmp.Equal(one, three) {
			t.Error("the predictions depend on the number of workers")
		}
		for row := range 100 {
			var codes []uint8
			for _, c := range columns {
				codes = append(codes, c.Codes[row])
			}
			if got := models[0].Predict(codes); got != one[row] {
				t.Fatalf("row %d: Predict returns %g, PredictAll %g", row, got, one[row])
			}
		}
	}
}

func TestDegenerate(t *testing.T) {
	one := []Column{{Codes: []uint8{0, 0, 0}, Limit: 1}}
	m, err := Train(t.Context(), one, []float64{1, 2, 6}, options(Squared))
	if err != nil {
		t.Fatal(err)
	}
	if got := m.Predict([]uint8{0}); got != 3 {
		t.Errorf("rows without differences: %g, expected 3", got)
	}
	m, err = Train(t.Context(), one, []float64{1, 1, 1}, options(Logistic))
	if err != nil {
		t.Fatal(err)
	}
	if p := Probability(m.Predict([]uint8{0})); !(p > 0.8 && p < 1) {
		t.Errorf("only one class: %g", p)
	}
	m, err = Train(t.Context(), one, []float64{4, 4, 4}, options(Squared)) // all gradients are 0
	if err != nil {
		t.Fatal(err)
	}
	if got := m.Predict([]uint8{0}); got != 4 {
		t.Errorf("targets all 4: %g", got)
	}
}

func TestRefused(t *testing.T) {
	columns, targets := sample(1, 10, Logistic)
	set := func(change func(*Options)) Options {
		o := options(Logistic)
		change(&o)
		return o
	}
	tests := []struct {
		name    string
		columns []Column
		targets []float64
		o       Options
		want    string
	}{
		{"trees", columns, targets, set(func(o *Options) { o.Trees = -1 }), "-1 trees"},
		{"leaves", columns, targets, set(func(o *Options) { o.Leaves = 1 }), "1 leaves"},
		{"rate", columns, targets, set(func(o *Options) { o.Rate = math.NaN() }), "rate NaN"},
		{"rows drawn", columns, targets, set(func(o *Options) { o.Rows = 1.5 }), "1.5 of rows"},
		{"columns drawn", columns, targets, set(func(o *Options) { o.Columns = 0 }), "0 of columns"},
		{"no columns", nil, targets, options(Logistic), "0 columns"},
		{"no rows", columns, nil, options(Logistic), "0 rows"},
		{"short", columns, targets[:9], options(Logistic), "column 0 has 10 rows, expected 9"},
		{"limit", []Column{{Codes: columns[0].Codes, Limit: 257}}, targets, options(Logistic), "limit of 257"},
		{"categories", []Column{{Codes: columns[0].Codes, Limit: 9, Category: true}}, targets, options(Logistic), "expected 1 to 8"},
		{"code", []Column{{Codes: columns[4].Codes, Limit: 2}}, targets, options(Logistic), "expected below 2"},
		{"target", columns, []float64{0, 1, 2, 0, 0, 0, 0, 0, 0, 0}, options(Logistic), "target 2 in row 2"},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			if _, err := Train(t.Context(), test.columns, test.targets, test.o); err == nil || !strings.Contains(err.Error(), test.want) {
				t.Errorf("error %v, expected one with %q", err, test.want)
			}
		})
	}
	m, err := Train(t.Context(), columns, targets, options(Logistic))
	if err != nil {
		t.Fatal(err)
	}
	if _, err := m.PredictAll(t.Context(), columns[1:], 1); !errors.Is(err, ErrColumns) {
		t.Errorf("error %v, expected %v", err, ErrColumns)
	}
	ended, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := Train(ended, columns, targets, options(Logistic)); !errors.Is(err, context.Canceled) {
		t.Errorf("error %v, expected %v", err, context.Canceled)
	}
}

func BenchmarkTrain(b *testing.B) {
	columns, targets := sample(1, 100_000, Logistic)
	o := options(Logistic)
	o.Trees, o.Leaves = 1, 63
	for b.Loop() {
		if _, err := Train(b.Context(), columns, targets, o); err != nil {
			b.Fatal(err)
		}
	}
}

// BenchmarkPredict predicts one row with 200 trees.
func BenchmarkPredict(b *testing.B) {
	columns, targets := sample(1, 20_000, Logistic)
	o := options(Logistic)
	o.Trees, o.Leaves = 200, 63
	m, err := Train(b.Context(), columns, targets, o)
	if err != nil {
		b.Fatal(err)
	}
	rows := make([][]uint8, 1000)
	for row := range rows {
		for _, c := range columns {
			rows[row] = append(rows[row], c.Codes[row*20])
		}
	}
	b.ReportAllocs()
	for i := 0; b.Loop(); i++ {
		m.Predict(rows[i%len(rows)])
	}
}
