package forest

import (
	"math"
	"math/rand/v2"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// multiSample returns random columns, and three outputs that depend on some of them.
func multiSample(seed uint64, rows int) ([]Column, []Outputs, [][]bool) {
	rng := rand.New(rand.NewPCG(seed, 0))
	columns := make([]Column, 300) // more than a forest of one output may have
	for i := range columns {
		columns[i] = Column{Codes: make([]uint8, rows), Limit: 2 + i%4}
		for row := range rows {
			columns[i].Codes[row] = uint8(rng.IntN(columns[i].Limit))
		}
	}
	labels, bools := make([]Outputs, rows), make([][]bool, 3)
	for o := range bools {
		bools[o] = make([]bool, rows)
		for row := range rows {
			bools[o][row] = float64(columns[299-o].Codes[row])+rng.NormFloat64() > 1
			if bools[o][row] {
				labels[row].Set(64 * o / 2) // outputs 0, 32 and 64
			}
		}
	}
	return columns, labels, bools
}

// checkMultiNode compares a node and all below it with a naive search over the mean impurity of the outputs.
func checkMultiNode(t *testing.T, of *multiTree, at uint32, columns []Column, labels [][]bool, rows []int, minLeaf, outputs int) {
	t.Helper()
	gain := func(c Column, split int) float64 {
		left, right := partition(c, rows, split)
		if len(left) < minLeaf || len(right) < minLeaf {
			return math.Inf(-1)
		}
		sum := 0.0
		for _, of := range labels {
			sum += decrease(c, of, rows, split)
		}
		return sum
	}
	most := math.Inf(-1)
	for _, c := range columns {
		for split := range c.Limit - 1 {
			most = math.Max(most, gain(c, split))
		}
	}
	n := of.nodes[at]
	if n.column == multiLeaf {
		impurity := 0.0
		for o, of2 := range labels {
			members := 0
			for _, row := range rows {
				if of2[row] {
					members++
				}
			}
			impurity += gini(of2, rows)
			if got, want := of.leaves[int(n.next)*outputs+32*o], float32(members)/float32(len(rows)); got != want {
				t.Fatalf("output %d of leaf %d is %g, expected %g", o, at, got, want)
			}
		}
		if impurity > 0 && !math.IsInf(most, -1) {
			t.Fatalf("node %d is a leaf, but a split decreases the impurity by %g", at, most)
		}
		return
	}
	c := columns[n.column]
	if got := gain(c, int(n.split)); math.Abs(got-most) > 1e-9 {
		t.Fatalf("node %d: the split of column %d at %d decreases the impurity by %g, the best one by %g", at, n.column, n.split, got, most)
	}
	left, right := partition(c, rows, int(n.split))
	checkMultiNode(t, of, n.next, columns, labels, left, minLeaf, outputs)
	checkMultiNode(t, of, n.next+1, columns, labels, right, minLeaf, outputs)
}

func TestMultiAgainstNaive(t *testing.T) {
	columns, labels, bools := multiSample(1, 120)
	for _, minLeaf := range []int{1, 7} {
		f, err := TrainMulti(t.Context(), columns, labels, 65, MultiOptions{Options: Single(3), MinLeaf: minLeaf})
		if err != nil {
			t.Fatal(err)
		}
		rows := make([]int, len(labels))
		for i := range rows {
			rows[i] = i
		}
		checkMultiNode(t, &f.trees[0], 0, columns, bools, rows, minLeaf, 65)
	}
}

// A forest is the same with any number of workers, and predicts rows that it was not grown from better than their mean does.
func TestMultiForest(t *testing.T) {
	columns, labels, _ := multiSample(1, 600)
	_, _, other := multiSample(2, 600)
	test, _, _ := multiSample(2, 600)
	var before []float64
	for _, workers := range []int{1, 3} {
		o := MultiOptions{Options: Options{Trees: 30, Features: 100, Bootstrap: true, Seed: 5, Workers: workers}, MinLeaf: 10}
		f, err := TrainMulti(t.Context(), columns, labels, 65, o)
		if err != nil {
			t.Fatal(err)
		}
		var all []float64
		out, row := make([]float64, 65), make([]uint8, len(test))
		brier, share := 0.0, 0.0
		for i := range 600 {
			for c := range test {
				row[c] = test[c].Codes[i]
			}
			f.Predict(row, out)
			all = append(all, out[0], out[1], out[32], out[64])
			for o := range other {
				y := 0.0
				if other[o][i] {
					y = 1
				}
				brier += (out[32*o] - y) * (out[32*o] - y) / 1800
				share += y / 1800
			}
			if out[1] != 0 {
				t.Fatal("an output that is never true has a probability")
			}
		}
		if brier > 0.9*share*(1-share) {
			t.Errorf("a squared error of %.4f, %.4f without the columns", brier, share*(1-share))
		}
		if before != nil && !cmp.Equal(before, all) {
			t.Error("another number of workers gives another forest")
		}
		before = all
	}
}

func TestMultiArguments(t *testing.T) {
	columns, labels, _ := multiSample(1, 20)
	for name, try := range map[string]func() (*Multi, error){
		"no columns": func() (*Multi, error) {
			return TrainMulti(t.Context(), nil, labels, 65, MultiOptions{Options: Single(1)})
		},
		"no outputs": func() (*Multi, error) {
			return TrainMulti(t.Context(), columns, labels, 0, MultiOptions{Options: Single(1)})
		},
		"too many outputs": func() (*Multi, error) {
			return TrainMulti(t.Context(), columns, labels, MaxOutputs+1, MultiOptions{Options: Single(1)})
		},
		"no trees": func() (*Multi, error) { return TrainMulti(t.Context(), columns, labels, 65, MultiOptions{}) },
		"fewer codes": func() (*Multi, error) {
			return TrainMulti(t.Context(), columns, labels[1:], 65, MultiOptions{Options: Single(1)})
		},
		"a code beyond the limit of the last column": func() (*Multi, error) {
			damaged := append([]Column(nil), columns...)
			damaged[299].Limit = 1
			return TrainMulti(t.Context(), damaged, labels, 65, MultiOptions{Options: Single(1)})
		},
	} {
		if _, err := try(); err == nil {
			t.Errorf("%s: no error", name)
		}
	}
}
