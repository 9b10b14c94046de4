package logistic

import (
	"context"
	"fmt"
	"math"
	"runtime"
	"sync"
	"sync/atomic"
)

// Sparse is a model of rows that are lists of the inputs that are present. It is safe for concurrent use.
type Sparse struct{ weights []float64 } // by input; the last one is the bias

// TrainSparse fits a model to rows of inputs below width. An input may be present several times. The ridge is a factor of the sum of the
// squared weights, without the bias; it is added to the mean log loss and must be positive, since inputs may exclude or imply each other.
// The error is that of ctx, or it describes an invalid argument.
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
	f := &sparseFit{rows: rows, labels: labels, o: o, width: width + 1}
	w := make([]float64, width+1)
	loss, gradient, hessian, err := f.derive(ctx, w)
	for range o.Steps {
		if err != nil {
			return nil, err
		}
		step, err2 := solve(hessian, gradient)
		if err2 != nil {
			return nil, err2
		}
		next, length := make([]float64, len(w)), 1.0
		var lower float64
		for { // halve the step as long as the loss increases
			for i := range w {
				next[i] = w[i] - length*step[i]
			}
			if lower, gradient, hessian, err = f.derive(ctx, next); err != nil || lower <= loss || length < 1e-6 {
				break
			}
			length /= 2
		}
		gain := loss - lower
		if gain > 0 {
			w, loss = next, lower
		}
		if gain < 1e-8 {
			break
		}
	}
	return &Sparse{w}, err
}

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
	o      Options
	width  int // with the bias
}

// derive returns the mean log loss with the ridge at w, and its first and second derivatives. The second is a lower triangle.
func (f *sparseFit) derive(ctx context.Context, w []float64) (loss float64, gradient []float64, hessian [][]float64, err error) {
	// Large blocks: each has a Hessian of its own. Their number does not depend on the workers, so neither do the sums.
	const blocks = 8
	var parts [blocks]sums
	var next atomic.Int64
	var all sync.WaitGroup
	for range min(f.o.Workers, blocks) {
		all.Go(func() {
			for ctx.Err() == nil {
				b := int(next.Add(1)) - 1
				if b >= blocks {
					return
				}
				parts[b] = f.sum(w, b*len(f.rows)/blocks, (b+1)*len(f.rows)/blocks)
			}
		})
	}
	all.Wait()
	if err := ctx.Err(); err != nil {
		return 0, nil, nil, err
	}
	n := float64(len(f.rows))
	gradient = make([]float64, f.width)
	flat := make([]float64, f.width*(f.width+1)/2)
	for _, p := range parts {
		loss += p.loss / n
		for i, x := range p.gradient {
			gradient[i] += x / n
		}
		for i, x := range p.hessian {
			flat[i] += x / n
		}
	}
	for i := range f.width {
		row := flat[i*(i+1)/2:][:i+1]
		hessian = append(hessian, row)
		if i < f.width-1 {
			loss += f.o.Ridge * w[i] * w[i] / 2
			gradient[i] += f.o.Ridge * w[i]
			row[i] += f.o.Ridge
		}
	}
	return loss, gradient, hessian, nil
}

func (f *sparseFit) sum(w []float64, from, to int) sums {
	s := sums{gradient: make([]float64, f.width), hessian: make([]float64, f.width*(f.width+1)/2)}
	last := f.width - 1
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
