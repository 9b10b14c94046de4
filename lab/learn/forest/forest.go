// Package forest grows decision trees and random forests for two classes. It uses CART with the Gini impurity, with the defaults of
// scikit-learn's DecisionTreeClassifier and RandomForestClassifier, which the paper used (section 6.2).
//
// # How a tree grows
//
// A node is split until it is pure or all its columns are constant. Columns are examined in random order: [Options].Features of them,
// and further ones only while all examined columns are constant. The split with the greatest decrease in impurity is used. Of equal
// splits, the first one found is used. A threshold is halfway between the two neighbouring values in the node. Every threshold is
// tried: columns have few values, so a histogram over the values is exact.
//
// # Reproducible
//
// Tree number t of seed s draws from ChaCha8 (c2sp.org/chacha8rand). The key is s and t (64 bits each, little-endian) and "forest",
// padded with zeros. So the forest does not depend on the number of workers.
package forest

import (
	"context"
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"runtime"

	"roem/lab/learn/blocks"
	"roem/lab/learn/trees"
)

// Column holds one feature of every row.
type Column struct {
	Codes []uint8 // by row; a greater code means a greater value
	Limit int     // every code is less than Limit
	// Between returns the greatest code on the lower side of a threshold that is halfway between the values of the two codes, where
	// below < above. It is nil for a column whose code is its value.
	Between func(below, above uint8) uint8
}

// Options are the options of Train.
type Options struct {
	Trees     int
	Features  int  // columns examined in each node; 0 for all, -1 for the square root of their number, rounded down
	Bootstrap bool // if true, each tree is grown from as many rows as there are, drawn with replacement; otherwise from each row once
	Seed      uint64
	Workers   int    // trees grown at a time; 0 for one per core
	Grown     func() // called after each tree, by several goroutines; may be nil
}

// Paper returns the options of the paper's random forest: 64 trees and otherwise scikit-learn's defaults.
func Paper(seed uint64) Options { return Options{Trees: 64, Features: -1, Bootstrap: true, Seed: seed} }

// Single returns the options of a single tree that uses all rows and all columns.
func Single(seed uint64) Options { return Options{Trees: 1, Seed: seed} }

// Forest predicts the probability of a class as the mean over its trees. It is safe for concurrent use.
type Forest struct {
	trees      []tree
	columns    int
	importance []float64
}

// Limits of the fields of a node and an item.
const (
	maxColumns = 255
	maxRows    = math.MaxInt32
	maxCopies  = math.MaxUint16 // how often a bootstrap can draw a row
)

// Train grows a forest. labels[i] reports whether row i belongs to the class. The error is the error of ctx, or it describes an invalid
// argument.
func Train(ctx context.Context, columns []Column, labels []bool, o Options) (*Forest, error) {
	if err := check(columns, labels, o); err != nil {
		return nil, err
	}
	features, workers := o.features(len(columns)), o.workers()
	f := &Forest{trees: make([]tree, o.Trees), columns: len(columns), importance: make([]float64, len(columns))}
	importance := make([][]float64, o.Trees)
	if err := blocks.Each(ctx, o.Trees, 1, workers, func() func(from, to int) {
		g := newGrower(columns, labels, features)
		return func(t, _ int) {
			f.trees[t], importance[t] = g.grow(ctx, generator(o.Seed, uint64(t)), o.Bootstrap)
			if o.Grown != nil {
				o.Grown()
			}
		}
	}); err != nil {
		return nil, err
	}
	f.sumImportance(importance)
	return f, nil
}

// features returns how many of the columns are candidates for a split.
func (o *Options) features(columns int) int {
	switch {
	case o.Features < 0:
		return max(1, int(math.Sqrt(float64(columns))))
	case o.Features == 0:
		return columns
	}
	return min(o.Features, columns)
}

func (o *Options) workers() int {
	if o.Workers < 1 {
		return runtime.GOMAXPROCS(0)
	}
	return o.Workers
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

// generator returns the random generator of a tree.
func generator(seed, tree uint64) *rand.ChaCha8 { return trees.Generator("forest", seed, tree) }

// sumImportance sets the importances to the mean over the trees. The importances of each tree are first scaled so that their sum is 1.
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

// Importance returns the mean decrease in Gini impurity by the splits of each column. The sum is 1, or 0 if there is no split. (Breiman
// et al., Classification and regression trees; the paper's Gini importance, section 6.2.)
func (f *Forest) Importance() []float64 { return append([]float64(nil), f.importance...) }

// ErrColumns is the error for rows whose number of columns differs from the training data.
var ErrColumns = errors.New("forest: not the columns that it was grown from")

// predictBlock is the number of rows that each tree predicts at a time. It is large so that each tree is loaded into the cache once for
// many rows.
const predictBlock = 4096

// PredictAll returns the probability of every row. The columns must have equal lengths, and there must be as many as in the training
// data. workers is the number of goroutines, 0 for one per core; the result does not depend on it. The error is the error of ctx or
// [ErrColumns].
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
