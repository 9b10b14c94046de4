// Package boost implements gradient boosting of regression trees over columns of few values. It uses histograms over the values, splits
// the best leaf first, and uses second-order gains and leaf values (Friedman, Greedy function approximation, 2001; Chen and Guestrin,
// XGBoost, 2016; Ke et al., LightGBM, 2017).
//
// # Reproducible
//
// The gradients of a round are rounded to whole multiples of a quantum before they are summed in histograms. So the sums are exact and
// do not depend on the order. The values of the leaves are summed from the unrounded gradients, row by row. So every bit of a model is
// the same for every number of workers. Tree number t of seed s draws its rows and columns from ChaCha8 (c2sp.org/chacha8rand). The key
// is s and t (64 bits each, little-endian) and "boost", padded with zeros.
package boost

import (
	"context"
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"runtime"

	"roem/lab/learn/trees"
)

// Column holds one feature of every row.
type Column struct {
	Codes []uint8 // by row
	Limit int     // every code is less than Limit
	// Category says that the order of the codes has no meaning. A split may then put any set of codes on either side. Limit is at most
	// maxCategories.
	Category bool
}

// maxCategories limits the number of ways to split a category.
const maxCategories = 8

// Loss is the function that training minimises.
type Loss uint8

// The losses.
const (
	// Logistic is for targets 0 and 1. The score is the logarithm of the odds.
	Logistic Loss = iota
	// Squared is for numeric targets. The score is the expected target.
	Squared
)

// Options are the options of Train.
type Options struct {
	Loss        Loss
	Trees       int
	Leaves      int     // maximum number of leaves of a tree
	Rate        float64 // factor of the values of each tree
	Lambda      float64 // added to the sum of second derivatives in gains and values
	LeastWeight float64 // minimum sum of second derivatives in a leaf
	Rows        float64 // share of the rows that a tree uses
	Columns     float64 // share of the columns that a tree uses
	Seed        uint64
	Workers     int            // 0 for one per core
	Grown       func(tree int) // called after each tree with the number of trees so far; may be nil
}

// Model is a trained model. It is safe for concurrent use.
type Model struct {
	loss    Loss
	base    float64
	trees   []tree
	columns int
}

// maxRows is the number of rows that the histograms can sum: sums of gradients have 35 bits, sums of second derivatives 29, and each
// row needs at least one unit.
const maxRows = 1 << 23

// ErrColumns is the error for rows whose number of columns differs from the training data.
var ErrColumns = errors.New("boost: not the columns that it was trained on")

// Train trains a model to predict the targets of the rows. The error is the error of ctx, or it describes an invalid argument.
func Train(ctx context.Context, columns []Column, targets []float64, o Options) (*Model, error) {
	if err := check(columns, targets, o); err != nil {
		return nil, err
	}
	if o.Workers < 1 {
		o.Workers = runtime.GOMAXPROCS(0)
	}
	t := newTrainer(columns, targets, o)
	for number := range o.Trees {
		if err := t.round(ctx, number); err != nil {
			return nil, err
		}
		if o.Grown != nil {
			o.Grown(number + 1)
		}
	}
	return t.model, nil
}

func check(columns []Column, targets []float64, o Options) error {
	switch {
	case o.Trees < 0:
		return fmt.Errorf("boost: %d trees", o.Trees)
	case o.Leaves < 2 || o.Leaves > math.MaxUint16:
		return fmt.Errorf("boost: %d leaves, expected 2 to %d", o.Leaves, math.MaxUint16)
	case !(o.Rate > 0) || o.Lambda < 0 || o.LeastWeight < 0:
		return fmt.Errorf("boost: rate %g, lambda %g, least weight %g", o.Rate, o.Lambda, o.LeastWeight)
	case !(o.Rows > 0 && o.Rows <= 1) || !(o.Columns > 0 && o.Columns <= 1):
		return fmt.Errorf("boost: shares %g of rows and %g of columns, expected up to 1", o.Rows, o.Columns)
	case len(columns) == 0 || len(columns) > leafColumn:
		return fmt.Errorf("boost: %d columns, expected 1 to %d", len(columns), leafColumn)
	case len(targets) == 0 || len(targets) > maxRows:
		return fmt.Errorf("boost: %d rows, expected 1 to %d", len(targets), maxRows)
	}
	for i, c := range columns {
		if len(c.Codes) != len(targets) {
			return fmt.Errorf("boost: column %d has %d rows, expected %d", i, len(c.Codes), len(targets))
		}
		most := 256
		if c.Category {
			most = maxCategories
		}
		if c.Limit < 1 || c.Limit > most {
			return fmt.Errorf("boost: column %d has a limit of %d, expected 1 to %d", i, c.Limit, most)
		}
		for row, code := range c.Codes {
			if int(code) >= c.Limit {
				return fmt.Errorf("boost: column %d has code %d in row %d, expected below %d", i, code, row, c.Limit)
			}
		}
	}
	for row, y := range targets {
		if math.IsNaN(y) || math.IsInf(y, 0) || o.Loss == Logistic && y != 0 && y != 1 {
			return fmt.Errorf("boost: target %g in row %d", y, row)
		}
	}
	return nil
}

func generator(seed, tree uint64) *rand.ChaCha8 { return trees.Generator("boost", seed, tree) }

// Probability converts the logarithm of odds to a probability.
func Probability(score float64) float64 { return 1 / (1 + math.Exp(-score)) }

// predictBlock is the number of rows that each tree predicts at a time.
const predictBlock = 1024

// PredictAll returns the scores of many rows. workers is the number of goroutines, 0 for one per core; the result does not depend on it.
// The error is the error of ctx or [ErrColumns].
func (m *Model) PredictAll(ctx context.Context, columns []Column, workers int) ([]float64, error) {
	codes := make([][]uint8, len(columns))
	for i, c := range columns {
		codes[i] = c.Codes
	}
	if !trees.Equal(codes, m.columns) {
		return nil, ErrColumns
	}
	return trees.Scores(ctx, codes, predictBlock, workers, func(out []float64, rows []uint8, width int) {
		for k := range out {
			out[k] = m.base
		}
		for _, t := range m.trees {
			for k := range out {
				out[k] += t.predict(rows[k*width:][:width])
			}
		}
	})
}
