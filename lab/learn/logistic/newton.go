package logistic

import (
	"context"
	"errors"
	"math"

	"roem/lab/learn/blocks"
)

// newton fits weights by Newton's method. The last weight is the bias, which the ridge does not include.
type newton struct {
	rows  int
	block int // rows that are summed at a time; it does not depend on the workers, so neither do the sums
	o     Options
	sum   func(w []float64, from, to int) sums
}

// sums holds the sums over a block of rows: the log loss, and its first and second derivatives.
type sums struct {
	loss     float64
	gradient []float64
	hessian  []float64 // the lower triangle, row by row
}

func newSums(width int) sums {
	return sums{gradient: make([]float64, width), hessian: make([]float64, width*(width+1)/2)}
}

// fit returns the weights after steps from w, until one gains less than enough.
func (f *newton) fit(ctx context.Context, w []float64, enough float64) ([]float64, error) {
	loss, gradient, hessian, err := f.derive(ctx, w)
	if err != nil {
		return nil, err
	}
	for range f.o.Steps {
		step, err := solve(hessian, gradient)
		if err != nil {
			return nil, err
		}
		next, length := make([]float64, len(w)), 1.0
		var lower float64
		for { // halve the step as long as the loss increases
			for i := range w {
				next[i] = w[i] - length*step[i]
			}
			if lower, gradient, hessian, err = f.derive(ctx, next); err != nil {
				return nil, err
			}
			if lower <= loss || length < 1e-6 {
				break
			}
			length /= 2
		}
		gain := loss - lower
		if gain < 0 {
			break
		}
		w, loss = next, lower
		if gain < enough {
			break
		}
	}
	return w, nil
}

// derive returns the mean log loss with the ridge at w, and its first and second derivatives. The second is a lower triangle.
func (f *newton) derive(ctx context.Context, w []float64) (loss float64, gradient []float64, hessian [][]float64, err error) {
	parts := make([]sums, (f.rows+f.block-1)/f.block)
	if err := blocks.Each(ctx, f.rows, f.block, f.o.Workers, func() func(from, to int) {
		return func(from, to int) { parts[from/f.block] = f.sum(w, from, to) }
	}); err != nil {
		return 0, nil, nil, err
	}
	n, all := float64(f.rows), newSums(len(w))
	for _, p := range parts {
		loss += p.loss / n
		for i, x := range p.gradient {
			all.gradient[i] += x / n
		}
		for i, x := range p.hessian {
			all.hessian[i] += x / n
		}
	}
	for i := range w {
		row := all.hessian[i*(i+1)/2:][:i+1]
		hessian = append(hessian, row)
		if i < len(w)-1 {
			loss += f.o.Ridge * w[i] * w[i] / 2
			all.gradient[i] += f.o.Ridge * w[i]
			row[i] += f.o.Ridge
		}
	}
	return loss, all.gradient, hessian, nil
}

// softplus is log(1 + exp(x)) without overflow.
func softplus(x float64) float64 { return max(x, 0) + math.Log1p(math.Exp(-math.Abs(x))) }

// errSingular is the error for linearly dependent columns that the ridge, if any, is too small to separate.
var errSingular = errors.New("logistic: the columns depend on each other; a ridge would help")

// solve solves a symmetric system by Cholesky's method. a is its lower triangle.
func solve(a [][]float64, b []float64) ([]float64, error) {
	n := len(b)
	l := make([][]float64, n)
	for i := range n {
		l[i] = make([]float64, i+1)
		for j := range i + 1 {
			sum := a[i][j]
			for k := range j {
				sum -= l[i][k] * l[j][k]
			}
			if i != j {
				l[i][j] = sum / l[j][j]
				continue
			}
			if !(sum > 0) {
				return nil, errSingular
			}
			l[i][i] = math.Sqrt(sum)
		}
	}
	x := make([]float64, n)
	for i := range n {
		sum := b[i]
		for k := range i {
			sum -= l[i][k] * x[k]
		}
		x[i] = sum / l[i][i]
	}
	for i := n - 1; i >= 0; i-- {
		sum := x[i]
		for k := i + 1; k < n; k++ {
			sum -= l[k][i] * x[k]
		}
		x[i] = sum / l[i][i]
	}
	return x, nil
}
