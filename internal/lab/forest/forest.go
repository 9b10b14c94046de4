// Package forest grows decision trees and random forests for two classes: CART with the Gini impurity, as scikit-learn's
// DecisionTreeClassifier and RandomForestClassifier grow them by default, which the paper used (section 6.2).
//
// # How a tree grows
//
// A node is split until it is pure or all its columns are constant. Columns are looked at in random order, [Options].Features of
// them, and more only while all were constant. The split is the one that lowers the impurity most; of equal ones the first
// that was met. A threshold lies halfway between the two values of the node that it parts. Every split is weighed: columns
// take few values, so a histogram over the values is exact.
//
// # Reproducible
//
// Tree number t of seed s draws from ChaCha8 (c2sp.org/chacha8rand), keyed by s, by t (64 bits each, little-endian) and by "forest",
// filled up with zeros. So a forest is the same however many workers grow it.
package forest

import (
	"context"
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"runtime"
	"sync"
	"sync/atomic"

	"roem/internal/lab/trees"
)

// Column holds what is known of each row in one respect.
type Column struct {
	Codes []uint8 // of each row; greater codes mean greater values
	Limit int     // codes are below it
	// Between returns the greatest code that belongs with the first of two, which is the less, when a threshold lies halfway
	// between their values. Nil is for columns whose code is the value.
	Between func(below, above uint8) uint8
}

// Options say how a forest is grown.
type Options struct {
	Trees     int
	Features  int  // columns looked at in each node; 0 for all, -1 for the root of their number, rounded down
	Bootstrap bool // each tree sees as many rows as there are, drawn with replacement; else each row once
	Seed      uint64
	Workers   int    // trees grown at a time; 0 for one on each core
	Grown     func() // is called when a tree is grown, by several goroutines; may be nil
}

// Paper returns the options of the paper's random forest: 64 trees, else scikit-learn's defaults.
func Paper(seed uint64) Options { return Options{Trees: 64, Features: -1, Bootstrap: true, Seed: seed} }

// Single returns the options of a single tree that sees all rows and all columns.
func Single(seed uint64) Options { return Options{Trees: 1, Seed: seed} }

// Forest predicts the probability of a class by the mean of its trees. It is safe for concurrent use.
type Forest struct {
	trees      []tree
	columns    int
	importance []float64
}

// Limits of what a node can hold.
const (
	maxColumns = 255
	maxRows    = math.MaxInt32
	maxCopies  = math.MaxUint16 // of a row in a bootstrap
)

// Train grows a forest; labels says of each row whether it belongs to the class. The error is the context's, or says what is
// wrong with the arguments.
func Train(ctx context.Context, columns []Column, labels []bool, o Options) (*Forest, error) {
	if err := check(columns, labels, o); err != nil {
		return nil, err
	}
	features := o.Features
	switch {
	case features < 0:
		features = max(1, int(math.Sqrt(float64(len(columns)))))
	case features == 0 || features > len(columns):
		features = len(columns)
	}
	workers := o.Workers
	if workers < 1 {
		workers = runtime.GOMAXPROCS(0)
	}
	f := &Forest{trees: make([]tree, o.Trees), columns: len(columns), importance: make([]float64, len(columns))}
	importance := make([][]float64, o.Trees)
	var next atomic.Int64
	var all sync.WaitGroup
	for range min(workers, o.Trees) {
		all.Go(func() {
			g := newGrower(columns, labels, features)
			for ctx.Err() == nil {
				t := int(next.Add(1)) - 1
				if t >= o.Trees {
					return
				}
				f.trees[t], importance[t] = g.grow(ctx, generator(o.Seed, uint64(t)), o.Bootstrap)
				if o.Grown != nil {
					o.Grown()
				}
			}
		})
	}
	all.Wait()
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	f.sumImportance(importance)
	return f, nil
}

func check(columns []Column, labels []bool, o Options) error {
	switch {
	case o.Trees < 1:
		return fmt.Errorf("forest: %d trees, expected at least 1", o.Trees)
	case len(columns) == 0 || len(columns) > maxColumns:
		return fmt.Errorf("forest: %d columns, expected 1 to %d", len(columns), maxColumns)
	case len(labels) == 0 || len(labels) > maxRows:
		return fmt.Errorf("forest: %d rows, expected 1 to %d", len(labels), maxRows)
	}
	for i, c := range columns {
		if len(c.Codes) != len(labels) {
			return fmt.Errorf("forest: column %d has %d rows, expected %d", i, len(c.Codes), len(labels))
		}
		if c.Limit < 1 || c.Limit > 256 {
			return fmt.Errorf("forest: column %d has a limit of %d, expected 1 to 256", i, c.Limit)
		}
		for row, code := range c.Codes {
			if int(code) >= c.Limit {
				return fmt.Errorf("forest: column %d has code %d in row %d, expected below %d", i, code, row, c.Limit)
			}
		}
	}
	return nil
}

// generator returns the generator of a tree.
func generator(seed, tree uint64) *rand.ChaCha8 { return trees.Generator("forest", seed, tree) }

// sumImportance takes the mean over the trees, each tree's importances first made to sum to 1.
func (f *Forest) sumImportance(each [][]float64) {
	total := 0.0
	for _, of := range each {
		sum := 0.0
		for _, x := range of {
			sum += x
		}
		if sum == 0 { // a tree without a split
			continue
		}
		for i, x := range of {
			f.importance[i] += x / sum
		}
		total++
	}
	for i := range f.importance {
		if total > 0 {
			f.importance[i] /= total
		}
	}
}

// Importance returns the mean decrease in Gini impurity that the splits of each column bring; all sum to 1, or to 0 where there is no
// split. (Breiman et al., Classification and regression trees; the paper's Gini importance, section 6.2.)
func (f *Forest) Importance() []float64 { return append([]float64(nil), f.importance...) }

// Nodes returns how many nodes the trees have together.
func (f *Forest) Nodes() int {
	n := 0
	for _, t := range f.trees {
		n += len(t)
	}
	return n
}

// Predict returns the probability that a row belongs to the class, from its codes by column.
func (f *Forest) Predict(row []uint8) float64 {
	sum := 0.0
	for _, t := range f.trees {
		sum += float64(t.predict(row))
	}
	return sum / float64(len(f.trees))
}

// ErrColumns is the error for rows with another number of columns than the forest was grown from.
var ErrColumns = errors.New("forest: not the columns that it was grown from")

// predictBlock is how many rows go through a tree before the next one, so that each tree is fetched into the cache once for many rows.
const predictBlock = 4096

// PredictAll returns the probability of every row, from as many columns of equal length as the forest was grown from. It is the same
// whatever the number of workers, 0 for one on each core. The error is the context's or [ErrColumns].
func (f *Forest) PredictAll(ctx context.Context, columns []Column, workers int) ([]float64, error) {
	codes := make([][]uint8, len(columns))
	for i, c := range columns {
		codes[i] = c.Codes
	}
	if !trees.Equal(codes, f.columns) {
		return nil, ErrColumns
	}
	return trees.Scores(ctx, codes, predictBlock, workers, func(out []float64, rows []uint8, width int) {
		for _, t := range f.trees {
			for k := range out {
				out[k] += float64(t.predict(rows[k*width:][:width]))
			}
		}
		for k := range out {
			out[k] /= float64(len(f.trees))
		}
	})
}
