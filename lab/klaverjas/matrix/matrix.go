// Package matrix holds the features of many deals by column, as trees are grown from them.
package matrix

import (
	"context"
	"runtime"

	"roem/internal/engine/klaverjas/features"
	"roem/internal/engine/piquet"
	"roem/lab/learn/blocks"
	"roem/lab/learn/forest"
)

// Matrix holds the codes of many deals by column, as trees are grown from them.
type Matrix struct {
	columns [][]uint8
}

// Column returns the codes of a column, by row.
func (m *Matrix) Column(column int) []uint8 { return m.columns[column] }

// block is the number of deals that are extracted before they are copied to columns. It is small so that the rows stay in the cache.
const block = 256

// Extract returns the matrix of rows deals. hands returns a deal and is called by several goroutines. workers is their number, 0 for
// one per core; the matrix does not depend on it. The error is the error of ctx.
func Extract(ctx context.Context, rows, workers int, hands func(row int) [4]piquet.Set) (*Matrix, error) {
	m := &Matrix{columns: make([][]uint8, features.Columns)}
	for i := range m.columns {
		m.columns[i] = make([]uint8, rows)
	}
	if workers < 1 {
		workers = runtime.GOMAXPROCS(0)
	}
	err := blocks.Each(ctx, rows, block, workers, func() func(from, to int) {
		var buffer [block]features.Row
		return func(from, to int) {
			part := buffer[:to-from]
			for i := range part {
				deal := hands(from + i)
				features.Extract(&part[i], &deal)
			}
			for column, to := range m.columns {
				to = to[from:][:len(part)]
				for i := range part {
					to[i] = part[i][column]
				}
			}
		}
	})
	return m, err
}

// Select returns the matrix of the given rows, in the given order.
func (m *Matrix) Select(rows []int32) *Matrix {
	out := &Matrix{columns: make([][]uint8, len(m.columns))}
	for i, from := range m.columns {
		to := make([]uint8, len(rows))
		for k, row := range rows {
			to[k] = from[row]
		}
		out.columns[i] = to
	}
	return out
}

// Forest returns all columns as columns of a forest.
func (m *Matrix) Forest() []forest.Column {
	out := make([]forest.Column, features.Columns)
	for column := range out {
		out[column] = forest.Column{
			Codes: m.Column(column), Limit: features.Codes(column),
			Between: func(below, above uint8) uint8 { return features.Between(column, below, above) },
		}
	}
	return out
}
