package logistic

import (
	"context"
	"fmt"
	"math"
	"runtime"
)

// Sparse is a model of rows that are lists of the inputs that are present. It is safe for concurrent use.
type Sparse struct{ weights []float64 } // by input; the last one is the bias

// TrainSparse fits a model to rows of inputs below width. An input may be present several times. The ridge is a factor of the sum of the
// squared weights, without the bias; it is added to the mean log loss and must be positive, since inputs may exclude or imply each other.
// The error is the error of ctx, or it describes an invalid argument.
func TrainSparse(ctx context.Context, rows [][]uint16, width int, labels []bool, o Options) (*Sparse, error) {
	switch {
	case len(rows) == 0 || len(rows) != len(labels):
		return nil, fmt.Errorf("logistic: %d rows and %d labels", len(rows), len(labels))
	case !(o.Ridge > 0) || o.Steps < 1:
		return nil, fmt.Errorf("logistic: ridge %g, %d steps", o.Ridge, o.Steps)
	}
	for i, row := range rows {
		for _, input := range row {
			if int(input) >= width {
				return nil, fmt.Errorf("logistic: row %d has input %d, expected below %d", i, input, width)
			}
		}
	}
	if o.Workers < 1 {
		o.Workers = runtime.GOMAXPROCS(0)
	}
	f := &sparseFit{rows, labels}
	// Large blocks: each has a Hessian of its own.
	n := newton{rows: len(rows), block: (len(rows) + sparseBlocks - 1) / sparseBlocks, o: o, sum: f.sum}
	w, err := n.fit(ctx, make([]float64, width+1), 1e-8)
	if err != nil {
		return nil, err
	}
	return &Sparse{w}, nil
}

// sparseBlocks is how many blocks of rows are summed.
const sparseBlocks = 8

// Predict returns the logarithm of the odds of a row.
func (m *Sparse) Predict(row []uint16) float64 {
	score := m.weights[len(m.weights)-1]
	for _, input := range row {
		score += m.weights[input]
	}
	return score
}

type sparseFit struct {
	rows   [][]uint16
	labels []bool
}

func (f *sparseFit) sum(w []float64, from, to int) sums {
	s, last := newSums(len(w)), len(w)-1
	m := Sparse{w}
	for i := from; i < to; i++ {
		row, score := f.rows[i], m.Predict(f.rows[i])
		y := 0.0
		if f.labels[i] {
			y = 1
		}
		p := 1 / (1 + math.Exp(-score))
		s.loss += softplus(score) - y*score
		weight := p * (1 - p)
		bias := s.hessian[last*(last+1)/2:]
		for _, a := range row {
			s.gradient[a] += p - y
			h := s.hessian[int(a)*(int(a)+1)/2:]
			for _, b := range row {
				if b <= a {
					h[b] += weight
				}
			}
			bias[a] += weight
		}
		s.gradient[last] += p - y
		bias[last] += weight
	}
	return s
}
