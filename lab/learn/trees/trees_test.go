package trees_test

import (
	"context"
	"errors"
	"math/rand/v2"
	"slices"
	"testing"

	"roem/lab/learn/trees"
)

// The expected number is a constant: earlier models must be reproducible.
func TestGenerator(t *testing.T) {
	key := [32]byte{0: 7, 8: 9, 16: 'b', 17: 'o', 18: 'o', 19: 's', 20: 't'}
	if got, want := trees.Generator("boost", 7, 9).Uint64(), rand.NewChaCha8(key).Uint64(); got != want {
		t.Errorf("the first number is %d, want %d", got, want)
	}
}

// Every row gets its score, for all sizes of blocks and numbers of workers.
func TestScores(t *testing.T) {
	const n = 1000
	columns := make([][]uint8, 3)
	var want []float64
	for row := range n {
		sum := 0.0
		for i := range columns {
			code := uint8(row * (i + 3) % 251)
			columns[i] = append(columns[i], code)
			sum += float64(code) * float64(i+1)
		}
		want = append(want, sum)
	}
	score := func(out []float64, rows []uint8, width int) {
		for k := range out {
			for i, code := range rows[k*width:][:width] {
				out[k] += float64(code) * float64(i+1)
			}
		}
	}
	for _, block := range []int{1, 64, n, 4 * n} {
		for _, workers := range []int{0, 1, 3} {
			got, err := trees.Scores(t.Context(), columns, block, workers, score)
			if err != nil || !slices.Equal(got, want) {
				t.Errorf("blocks of %d, %d workers: %v", block, workers, err)
			}
		}
	}
	ended, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := trees.Scores(ended, columns, 10, 2, score); !errors.Is(err, context.Canceled) {
		t.Errorf("with a cancelled context: %v", err)
	}
}

func TestEqual(t *testing.T) {
	columns := [][]uint8{{1, 2}, {3, 4}}
	if !trees.Equal(columns, 2) || trees.Equal(columns, 3) || trees.Equal(nil, 1) || trees.Equal([][]uint8{{1}, {3, 4}}, 2) {
		t.Error("Equal reports a wrong result")
	}
}
