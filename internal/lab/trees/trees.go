// Package trees holds what the learners of decision trees have in common: the numbers that a tree is drawn from, and rows that
// are worked in blocks, by several goroutines, with the same results whatever their number.
package trees

import (
	"context"
	"encoding/binary"
	"math/rand/v2"
	"runtime"
	"sync"
	"sync/atomic"
)

// Generator returns what the tree of that number draws from: ChaCha8, keyed by the seed and the number (64 bits each,
// little-endian) and by the name of the learner, which has at most 16 bytes, filled up with zeros.
func Generator(learner string, seed, tree uint64) *rand.ChaCha8 {
	var key [32]byte
	binary.LittleEndian.PutUint64(key[:], seed)
	binary.LittleEndian.PutUint64(key[8:], tree)
	copy(key[16:], learner)
	return rand.NewChaCha8(key)
}

// EachBlock cuts n rows into blocks and has several workers do them, each with a function of its own. The error is the
// context's.
func EachBlock(ctx context.Context, n, block, workers int, worker func() func(from, to int)) error {
	var next atomic.Int64
	var all sync.WaitGroup
	for range min(workers, (n+block-1)/block) {
		all.Go(func() {
			do := worker()
			for ctx.Err() == nil {
				from := int(next.Add(int64(block))) - block
				if from >= n {
					return
				}
				do(from, min(from+block, n))
			}
		})
	}
	all.Wait()
	return ctx.Err()
}

// Scores returns a number for each row of columns, which are of equal length. score sets those of a block: the k-th is that of
// the row at rows[k*width:], with a code of each of the width columns. There are as many workers, 0 for one on each core.
func Scores(
	ctx context.Context, columns [][]uint8, block, workers int, score func(out []float64, rows []uint8, width int),
) ([]float64, error) {
	if workers < 1 {
		workers = runtime.GOMAXPROCS(0)
	}
	width := len(columns)
	out := make([]float64, len(columns[0]))
	err := EachBlock(ctx, len(out), block, workers, func() func(from, to int) {
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

// Equal reports whether there are as many columns as that, all of the same length.
func Equal(columns [][]uint8, number int) bool {
	for _, column := range columns {
		if len(column) != len(columns[0]) {
			return false
		}
	}
	return len(columns) == number
}
