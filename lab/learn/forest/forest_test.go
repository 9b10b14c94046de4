package forest

import (
	"context"
	"errors"
	"math"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// sample returns random columns, and labels that depend on some of them.
func sample(seed uint64, rows int) ([]Column, []bool) {
	rng := rand.New(rand.NewPCG(seed, 0))
	limits := []int{2, 4, 9, 3, 100, 1, 256}
	columns := make([]Column, len(limits))
	for i, limit := range limits {
		columns[i] = Column{Codes: make([]uint8, rows), Limit: limit}
		for row := range rows {
			columns[i].Codes[row] = uint8(rng.IntN(limit))
		}
	}
	labels := make([]bool, rows)
	for row := range rows {
		sum := float64(columns[2].Codes[row])/9 + float64(columns[4].Codes[row])/100
		labels[row] = sum+0.3*rng.NormFloat64() > 1 != (columns[0].Codes[row] == 1)
	}
	return columns, labels
}

// The reference is a naive CART: it tries every threshold of every column and computes the impurity from the rows each time.

func gini(labels []bool, rows []int) float64 {
	if len(rows) == 0 {
		return 0
	}
	p := 0.0
	for _, row := range rows {
		if labels[row] {
			p++
		}
	}
	p /= float64(len(rows))
	return 1 - p*p - (1-p)*(1-p)
}

func partition(c Column, rows []int, split int) (left, right []int) {
	for _, row := range rows {
		if int(c.Codes[row]) <= split {
			left = append(left, row)
		} else {
			right = append(right, row)
		}
	}
	return left, right
}

// decrease is the decrease in impurity by a split, times the number of rows. It is -Inf if one side is empty.
func decrease(c Column, labels []bool, rows []int, split int) float64 {
	left, right := partition(c, rows, split)
	if len(left) == 0 || len(right) == 0 {
		return math.Inf(-1)
	}
	return float64(len(rows))*gini(labels, rows) - float64(len(left))*gini(labels, left) - float64(len(right))*gini(labels, right)
}

// bestOf returns the greatest decrease of any split of a column.
func bestOf(c Column, labels []bool, rows []int) float64 {
	most := math.Inf(-1)
	for split := range c.Limit - 1 {
		most = math.Max(most, decrease(c, labels, rows, split))
	}
	return most
}

// checkNode compares a node and all nodes below it with the naive CART, and adds the decreases to sums by column.
func checkNode(t *testing.T, of tree, at uint32, columns []Column, labels []bool, rows []int, everyColumn bool, sums []float64) {
	t.Helper()
	n := of[at]
	most := math.Inf(-1)
	for _, c := range columns {
		most = math.Max(most, bestOf(c, labels, rows))
	}
	pure := gini(labels, rows) == 0
	if n.column == leafColumn {
		if !pure && !math.IsInf(most, -1) {
			t.Fatalf("node %d is a leaf, but a split of its %d rows decreases the impurity by %g", at, len(rows), most)
		}
		members := 0
		for _, row := range rows {
			if labels[row] {
				members++
			}
		}
		if got, want := math.Float32frombits(n.next), float32(members)/float32(len(rows)); got != want {
			t.Fatalf("leaf %d has %g, expected %g", at, got, want)
		}
		return
	}
	if pure {
		t.Fatalf("node %d is pure, but split", at)
	}
	c := columns[n.column]
	brings := decrease(c, labels, rows, int(n.split))
	if !everyColumn {
		most = bestOf(c, labels, rows)
	}
	if math.Abs(brings-most) > 1e-9 {
		t.Fatalf("node %d: the split of column %d at %d has a decrease of %g, the best one %g", at, n.column, n.split, brings, most)
	}
	left, right := partition(c, rows, int(n.split))
	below, above := 0, 255
	for _, row := range left {
		below = max(below, int(c.Codes[row]))
	}
	for _, row := range right {
		above = min(above, int(c.Codes[row]))
	}
	if want := (below + above) / 2; int(n.split) != want {
		t.Fatalf("node %d separates %d and %d at %d, expected %d", at, below, above, n.split, want)
	}
	sums[n.column] += brings
	checkNode(t, of, n.next, columns, labels, left, everyColumn, sums)
	checkNode(t, of, n.next+1, columns, labels, right, everyColumn, sums)
}

func TestAgainstNaive(t *testing.T) {
	samples := uint64(30)
	if testing.Short() {
		samples = 8
	}
	for seed := range samples {
		columns, labels := sample(seed, 20+int(seed)*10)
		rows := make([]int, len(labels))
		for i := range rows {
			rows[i] = i
		}
		for _, features := range []int{0, 1, -1, 3} {
			f, err := Train(t.Context(), columns, labels, Options{Trees: 1, Features: features, Seed: seed})
			if err != nil {
				t.Fatal(err)
			}
			sums := make([]float64, len(columns))
			checkNode(t, f.trees[0], 0, columns, labels, rows, features == 0, sums)
			total := 0.0
			for _, x := range sums {
				total += x
			}
			for i, got := range f.Importance() {
				if math.Abs(got-sums[i]/total) > 1e-9 {
					t.Fatalf("importance of column %d: %g, expected %g", i, got, sums[i]/total)
				}
			}
		}
	}
}

// With Bootstrap, a tree is the tree of the drawn rows, each counted as often as it was drawn.
func TestBootstrap(t *testing.T) {
	columns, labels := sample(5, 300)
	f, err := Train(t.Context(), columns, labels, Options{Trees: 20, Bootstrap: true, Seed: 3})
	if err != nil {
		t.Fatal(err)
	}
	distinct := 0
	for number, of := range f.trees {
		g := newGrower(columns, labels, len(columns))
		g.rng = generator(3, uint64(number))
		g.draw(true)
		var rows []int
		for _, it := range g.items {
			distinct++
			for range it.copies {
				rows = append(rows, int(it.row))
			}
		}
		if len(rows) != len(labels) {
			t.Fatalf("tree %d drew %d rows, expected %d", number, len(rows), len(labels))
		}
		checkNode(t, of, 0, columns, labels, rows, true, make([]float64, len(columns)))
	}
	// The expected share of different rows in a bootstrap is 1 - 1/e.
	if share := float64(distinct) / float64(len(f.trees)*len(labels)); math.Abs(share-0.632) > 0.02 {
		t.Errorf("a bootstrap holds %.3f of the rows, expected 0.632", share)
	}
}

// Columns are drawn evenly: if several columns are equal and the root examines one of them, each column is used equally often.
func TestColumnsDrawnEvenly(t *testing.T) {
	one, labels := sample(1, 40)
	columns := []Column{one[2], one[2], one[2], one[2]}
	f, err := Train(t.Context(), columns, labels, Options{Trees: 4000, Features: 1, Seed: 1})
	if err != nil {
		t.Fatal(err)
	}
	var count [4]int
	for _, of := range f.trees {
		count[of[0].column]++
	}
	for i, n := range count {
		if n < 900 || n > 1100 { // mean 1000, four standard deviations of 27
			t.Errorf("column %d is at the root of %d of 4000 trees", i, n)
		}
	}
}

// The threshold is the code that Between returns.
func TestBetween(t *testing.T) {
	columns := []Column{{Codes: []uint8{0, 0, 4, 4}, Limit: 5, Between: func(below, above uint8) uint8 {
		if below != 0 || above != 4 {
			t.Errorf("Between was called with %d and %d", below, above)
		}
		return 1
	}}}
	f, err := Train(t.Context(), columns, []bool{false, false, true, true}, Single(1))
	if err != nil {
		t.Fatal(err)
	}
	for code, want := range []float64{0, 0, 1, 1, 1} {
		if got := f.Predict([]uint8{uint8(code)}); got != want {
			t.Errorf("code %d: %g, expected %g", code, got, want)
		}
	}
}

func TestDegenerate(t *testing.T) {
	tests := []struct {
		name   string
		codes  []uint8
		labels []bool
		want   float64
	}{
		{"one row", []uint8{1}, []bool{true}, 1},
		{"one class", []uint8{0, 1, 2}, []bool{false, false, false}, 0},
		{"nothing to tell the rows apart", []uint8{1, 1, 1, 1}, []bool{true, false, true, true}, 0.75},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			columns := []Column{{Codes: test.codes, Limit: 3}}
			f, err := Train(t.Context(), columns, test.labels, Single(1))
			if err != nil {
				t.Fatal(err)
			}
			if got := f.Predict([]uint8{1}); got != test.want {
				t.Errorf("predicts %g, expected %g", got, test.want)
			}
			if diff := cmp.Diff([]float64{0}, f.Importance()); diff != "" {
				t.Error(diff)
			}
			if len(f.trees) != 1 || len(f.trees[0]) != 1 {
				t.Errorf("%v, expected one node", f.trees)
			}
		})
	}
}

// The forest and its predictions do not depend on the number of workers. Another seed gives another forest.
func TestWorkers(t *testing.T) {
	columns, labels := sample(9, 9000) // more rows than a block
	test, _ := sample(10, 9000)
	var forests []*Forest
	var predictions [][]float64
	for _, o := range []struct {
		workers int
		seed    uint64
	}{{1, 7}, {2, 7}, {5, 7}, {1, 8}} {
		f, err := Train(t.Context(), columns, labels, Options{Trees: 7, Features: -1, Bootstrap: true, Seed: o.seed, Workers: o.workers})
		if err != nil {
			t.Fatal(err)
		}
		p, err := f.PredictAll(t.Context(), test, o.workers)
		if err != nil {
			t.Fatal(err)
		}
		forests, predictions = append(forests, f), append(predictions, p)
	}
	for i := 1; i <= 2; i++ {
		if diff := cmp.Diff(forests[0].trees, forests[i].trees, cmp.AllowUnexported(node{})); diff != "" {
			t.Fatal("the forest depends on the number of workers")
		}
		if diff := cmp.Diff(forests[0].Importance(), forests[i].Importance()); diff != "" {
			t.Fatal(diff)
		}
		if diff := cmp.Diff(predictions[0], predictions[i]); diff != "" {
			t.Fatal("the predictions depend on the number of workers")
		}
	}
	if cmp.Equal(predictions[0], predictions[3]) {
		t.Error("another seed gives the same predictions")
	}
	for row := range labels {
		var codes []uint8
		for _, c := range test {
			codes = append(codes, c.Codes[row])
		}
		if got := forests[0].Predict(codes); got != predictions[0][row] {
			t.Fatalf("row %d: Predict returns %g, PredictAll %g", row, got, predictions[0][row])
		}
	}
}

func TestRefused(t *testing.T) {
	columns, labels := sample(1, 10)
	tests := []struct {
		name    string
		columns []Column
		labels  []bool
		o       Options
		want    string
	}{
		{"no trees", columns, labels, Options{}, "0 trees"},
		{"no columns", nil, labels, Single(1), "0 columns"},
		{"too many columns", make([]Column, 256), labels, Single(1), "256 columns"},
		{"no rows", columns, nil, Single(1), "0 rows"},
		{"short column", columns, labels[:9], Single(1), "column 0 has 10 rows, expected 9"},
		{"limit", []Column{{Codes: columns[0].Codes, Limit: 257}}, labels, Single(1), "limit of 257"},
		{"code", []Column{{Codes: columns[4].Codes, Limit: 2}}, labels, Single(1), "expected below 2"},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			_, err := Train(t.Context(), test.columns, test.labels, test.o)
			if err == nil || !strings.Contains(err.Error(), test.want) {
				t.Errorf("error %v, expected one with %q", err, test.want)
			}
		})
	}
	f, err := Train(t.Context(), columns, labels, Single(1))
	if err != nil {
		t.Fatal(err)
	}
	if _, err := f.PredictAll(t.Context(), columns[1:], 1); !errors.Is(err, ErrColumns) {
		t.Errorf("error %v, expected %v", err, ErrColumns)
	}
	ended, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := Train(ended, columns, labels, Single(1)); !errors.Is(err, context.Canceled) {
		t.Errorf("error %v, expected %v", err, context.Canceled)
	}
}

func BenchmarkTrain(b *testing.B) {
	columns, labels := sample(1, 50_000)
	for b.Loop() {
		if _, err := Train(b.Context(), columns, labels, Options{Trees: 1, Features: -1, Bootstrap: true, Seed: 1}); err != nil {
			b.Fatal(err)
		}
	}
}

// BenchmarkPredict predicts one row with 64 trees.
func BenchmarkPredict(b *testing.B) {
	columns, labels := sample(1, 50_000)
	f, err := Train(b.Context(), columns, labels, Paper(1))
	if err != nil {
		b.Fatal(err)
	}
	rows := make([][]uint8, 1000)
	for row := range rows {
		for _, c := range columns {
			rows[row] = append(rows[row], c.Codes[row*50])
		}
	}
	b.ReportAllocs()
	for i := 0; b.Loop(); i++ {
		f.Predict(rows[i%len(rows)])
	}
}
