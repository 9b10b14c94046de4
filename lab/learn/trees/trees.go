// Package trees holds the common code of the packages that learn decision trees: the random numbers of a tree, and the scores of rows.
// Results do not depend on the number of goroutines.
package trees

import (
	"context"
	"encoding/binary"
	"math/rand/v2"
	"runtime"

	"roem/lab/learn/blocks"
)

// Generator returns the random generator of a tree: ChaCha8. The key is the seed and the number of the tree (64 bits each,
// little-endian) and the name of the learner (at most 16 bytes), padded with zeros.
func Generator(learner string, seed, tree uint64) *rand.ChaCha8 {
	var key [32]byte
	binary.LittleEndian.PutUint64(key[:], seed)
	binary.LittleEndian.PutUint64(key[8:], tree)
	copy(key[16:], learner)
	return rand.NewChaCha8(key)
}

// Scores returns a number for each row of the columns, which have equal lengths. score computes the numbers of a block: the codes of
// row k of the block are rows[k*width:][:width]. workers is the number of goroutines, 0 for one per core.
func Scores(
	ctx context.Context, columns [][]uint8, block, workers int, score func(out []float64, rows []uint8, width int),
) ([]float64, error) {
	if workers < 1 {
		workers = runtime.GOMAXPROCS(0)
	}
	width := len(columns)
	out := make([]float64, len(columns[0]))
	err := blocks.Each(ctx, len(out), block, workers, func() func(from, to int) {
		rows := make([]uint8, block*width)
		return func(from, to int) {
			for i, column := range columns {
				for k, code := range column[from:to] {
					rows[k*width+i] = code
				}
			}
			score(out[from:to], rows, width)
		}
	})
	return out, err
}

// Equal reports whether there are number columns and all have the same length.
func Equal(columns [][]uint8, number int) bool {
	for _, column := range columns {
		if len(column) != len(columns[0]) {
			return false
		}
	}
	return len(columns) == number
}
