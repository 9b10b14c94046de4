package forest

import (
	"math"
	"testing"

	"roem/internal/model/trees"
)

// A served forest predicts what the trained one does, to the precision of its levels.
func TestServed(t *testing.T) {
	shape := trees.Shape{Inputs: "test", Levels: trees.MaxLevels}
	columns, labels := sample(1, 800)
	test, _ := sample(2, 300)
	f, err := Train(t.Context(), columns, labels, Paper(3))
	if err != nil {
		t.Fatal(err)
	}
	served, err := f.Served(shape)
	if err != nil {
		t.Fatal(err)
	}
	want, err := f.PredictAll(t.Context(), test, 1)
	if err != nil {
		t.Fatal(err)
	}
	for row, p := range want {
		got := make([]float64, 1)
		if served.Predict(codesOf(test, row), got); math.Abs(got[0]-p) > 1e-5 {
			t.Errorf("row %d: %v, want %v", row, got[0], p)
		}
	}
}

func TestMultiServed(t *testing.T) {
	columns, labels, _ := multiSample(1, 300)
	test, _, _ := multiSample(2, 100)
	f, err := TrainMulti(t.Context(), columns, labels, 70, MultiOptions{Options: Options{Trees: 5, Features: -1, Bootstrap: true}, MinLeaf: 2})
	if err != nil {
		t.Fatal(err)
	}
	served, err := f.Served(trees.Shape{Inputs: "test", Levels: 255})
	if err != nil {
		t.Fatal(err)
	}
	if got := served.Nodes(); got != f.Nodes() {
		t.Errorf("%d nodes, want %d", got, f.Nodes())
	}
	want, got := make([]float64, 70), make([]float64, 70)
	for row := range 100 {
		codes := codesOf(test, row)
		f.Predict(codes, want)
		served.Predict(codes, got)
		for i := range want {
			if math.Abs(got[i]-want[i]) > 1.0/510+1e-9 {
				t.Errorf("row %d, output %d: %v, want %v", row, i, got[i], want[i])
			}
		}
	}
}

func codesOf(columns []Column, row int) (codes []uint8) {
	for _, c := range columns {
		codes = append(codes, c.Codes[row])
	}
	return codes
}
