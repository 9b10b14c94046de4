// Package boost is gradient boosting of regression trees over columns of few values: histograms over the values, leaves split best
// first, second-order gains and leaf values (Friedman, Greedy function approximation, 2001; Chen and Guestrin, XGBoost, 2016; Ke et
// al., LightGBM, 2017).
//
// # Reproducible
//
// The gradients of a round are rounded to whole multiples of a quantum before they are summed by histogram, so that sums are exact and
// do not depend on the order; the values of leaves are summed from the gradients themselves, row by row. So a model is the
// same, bit for bit, whatever the number of workers. Tree number t of seed s draws its rows and columns from ChaCha8
// (c2sp.org/chacha8rand), keyed by s, by t (64 bits each, little-endian) and by "boost", filled up with zeros.
package boost

import (
	"context"
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"runtime"

	"roem/internal/lab/trees"
)

// Column holds what is known of each row in one respect.
type Column struct {
	Codes []uint8 // of each row
	Limit int     // codes are below it
	// Category says that the order of the codes means nothing. A split may then put any of them on either side. There may be at most
	// maxCategories.
	Category bool
}

// maxCategories keeps the ways to split a category few.
const maxCategories = 8

// Loss is what a model makes small.
type Loss uint8

// The losses.
const (
	// Logistic is for targets 0 and 1: the score is the logarithm of the odds.
	Logistic Loss = iota
	// Squared is for numbers: the score is the number expected.
	Squared
)

// Options say how a model is trained.
type Options struct {
	Loss        Loss
	Trees       int
	Leaves      int     // at most, of a tree
	Rate        float64 // by which each tree's values are multiplied
	Lambda      float64 // added to the sum of second derivatives, in gains and values
	LeastWeight float64 // the least sum of second derivatives in a leaf
	Rows        float64 // the share of rows that a tree sees
	Columns     float64 // the share of columns that a tree sees
	Seed        uint64
	Workers     int            // 0 for one on each core
	Grown       func(tree int) // is called when a tree is grown, with the number of trees that there are; may be nil
}

// Model is trained. It is safe for concurrent use.
type Model struct {
	loss       Loss
	base       float64
	trees      []tree
	columns    int
	importance []float64
}

// maxRows is how many rows the histograms can sum: sums of gradients have 35 bits, of second derivatives 29, and each needs some.
const maxRows = 1 << 23

// ErrColumns is the error for rows with another number of columns than the model was trained on.
var ErrColumns = errors.New("boost: not the columns that it was trained on")

// Train trains a model to predict the targets of the rows. The error is the context's, or says what is wrong with the arguments.
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

// Predict returns the score of a row from its codes by column: the logarithm of the odds with Logistic (see [Probability]), the number
// expected with Squared.
func (m *Model) Predict(row []uint8) float64 {
	score := m.base
	for _, t := range m.trees {
		score += t.predict(row)
	}
	return score
}

// Probability turns the logarithm of odds into a probability.
func Probability(score float64) float64 { return 1 / (1 + math.Exp(-score)) }

// Trees returns how many trees there are.
func (m *Model) Trees() int { return len(m.trees) }

// Importance returns the gain that the splits of each column brought, all summing to 1, or to 0 where there is no split.
func (m *Model) Importance() []float64 {
	out := append([]float64(nil), m.importance...)
	sum := 0.0
	for _, x := range out {
		sum += x
	}
	for i := range out {
		if sum > 0 {
			out[i] /= sum
		}
	}
	return out
}

// predictBlock is how many rows go through a tree before the next one.
const predictBlock = 1024

// PredictAll returns the scores of many rows, the same whatever the number of workers, 0 for one on each core. The error is the
// context's or [ErrColumns].
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
