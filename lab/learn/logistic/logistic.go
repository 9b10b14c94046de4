// Package logistic implements logistic regression over columns of few values. It is fitted by Newton's method (iteratively reweighted
// least squares) with a small ridge. With the ridge, a fit exists even if columns are sums of others.
//
// Every bit of a model is the same for every number of workers: rows are summed in blocks of fixed size, and the blocks in order.
package logistic

import (
	"context"
	"errors"
	"fmt"
	"math"
	"runtime"
	"slices"
)

// Column holds one feature of every row.
type Column struct {
	Codes  []uint8   // by row
	Values []float64 // the value of each code; every code is less than the length
}

// Options are the options of Train.
type Options struct {
	Ridge float64 // factor of the sum of the squared coefficients of the standardised columns; the sum is added to the mean log loss
	Steps int     // maximum number of steps of Newton's method
	// Workers is the number of blocks that are summed at a time, 0 for one per core.
	Workers int
}

// Default returns options for about a hundred columns.
func Default() Options { return Options{Ridge: 1e-6, Steps: 25} }

// Model is a fitted model. It is safe for concurrent use.
type Model struct {
	bias    float64
	weights [][]float64 // by column and code
	slopes  []float64   // by column, for the values before standardisation
	origin  float64     // the bias for these slopes
}

// blockRows is the number of rows of a block.
const blockRows = 4096

// ErrColumns is the error for rows whose number of columns or codes differs from the training data.
var ErrColumns = errors.New("logistic: not the columns that it was fitted to")

func check(columns []Column, labels []bool, o Options) error {
	switch {
	case len(columns) == 0:
		return errors.New("logistic: no columns")
	case len(labels) == 0:
		return errors.New("logistic: no rows")
	case !(o.Ridge >= 0) || o.Steps < 1:
		return fmt.Errorf("logistic: ridge %g, %d steps", o.Ridge, o.Steps)
	}
	for i, c := range columns {
		if len(c.Codes) != len(labels) {
			return fmt.Errorf("logistic: column %d has %d rows, expected %d", i, len(c.Codes), len(labels))
		}
		for row, code := range c.Codes {
			if int(code) >= len(c.Values) {
				return fmt.Errorf("logistic: column %d has code %d in row %d, expected below %d", i, code, row, len(c.Values))
			}
		}
	}
	return nil
}

// Train fits a model to the labels. The error is the error of ctx, or it describes an invalid argument.
func Train(ctx context.Context, columns []Column, labels []bool, o Options) (*Model, error) {
	if err := check(columns, labels, o); err != nil {
		return nil, err
	}
	if o.Workers < 1 {
		o.Workers = runtime.GOMAXPROCS(0)
	}
	means, scales := standard(columns)
	width := len(columns) + 1 // the last one is the bias
	f := &fit{columns: columns, labels: labels, means: means, scales: scales, width: width}
	w := make([]float64, width)
	share := 0.0
	for _, yes := range labels {
		if yes {
			share++
		}
	}
	half := 0.5 / float64(len(labels))
	share = min(max(share/float64(len(labels)), half), 1-half)
	w[width-1] = math.Log(share / (1 - share))
	n := newton{rows: len(labels), block: blockRows, o: o, sum: f.sum}
	w, err := n.fit(ctx, w, 1e-10)
	if err != nil {
		return nil, err
	}
	return f.model(w), nil
}

// standard returns the mean and the standard deviation of each column. It returns 1 for a standard deviation of 0.
func standard(columns []Column) (means, scales []float64) {
	for _, c := range columns {
		counts := make([]int, len(c.Values))
		for _, code := range c.Codes {
			counts[code]++
		}
		mean, square, n := 0.0, 0.0, float64(len(c.Codes))
		for code, count := range counts {
			mean += c.Values[code] * float64(count) / n
		}
		for code, count := range counts {
			square += (c.Values[code] - mean) * (c.Values[code] - mean) * float64(count) / n
		}
		scale := math.Sqrt(square)
		if scale == 0 {
			scale = 1
		}
		means, scales = append(means, mean), append(scales, scale)
	}
	return means, scales
}

// fit is the state of a fit.
type fit struct {
	columns       []Column
	labels        []bool
	means, scales []float64
	width         int
}

func (f *fit) sum(w []float64, from, to int) sums {
	s := newSums(f.width)
	x := make([]float64, f.width)
	x[f.width-1] = 1
	for row := from; row < to; row++ {
		score := w[f.width-1]
		for i, c := range f.columns {
			x[i] = (c.Values[c.Codes[row]] - f.means[i]) / f.scales[i]
			score += w[i] * x[i]
		}
		y := 0.0
		if f.labels[row] {
			y = 1
		}
		p := 1 / (1 + math.Exp(-score))
		s.loss += softplus(score) - y*score
		weight := p * (1 - p)
		at := 0
		for i, xi := range x {
			s.gradient[i] += (p - y) * xi
			wx := weight * xi
			h := s.hessian[at : at+i+1]
			for k := range h {
				h[k] += wx * x[k]
			}
			at += i + 1
		}
	}
	return s
}

// model converts coefficients of standardised columns to a table by code.
func (f *fit) model(w []float64) *Model {
	m := &Model{bias: w[f.width-1], origin: w[f.width-1]}
	for i, c := range f.columns {
		weights := make([]float64, len(c.Values))
		for code, value := range c.Values {
			weights[code] = w[i] * (value - f.means[i]) / f.scales[i]
		}
		m.weights = append(m.weights, weights)
		m.slopes = append(m.slopes, w[i]/f.scales[i])
		m.origin -= w[i] * f.means[i] / f.scales[i]
	}
	return m
}

// Slopes returns the model as a formula for columns of any values. The logarithm of the odds is the bias plus the sum of each column's
// value times its slope.
func (m *Model) Slopes() (bias float64, slopes []float64) { return m.origin, slices.Clone(m.slopes) }
