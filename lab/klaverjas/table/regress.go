package table

import (
	"errors"
	"math"
)

// fit is a sum for a regression of few features.
type fit struct {
	x [][]float64
	y []float64
}

func (f *fit) add(x []float64, y float64) {
	f.x, f.y = append(f.x, append([]float64(nil), x...)), append(f.y, y)
}

// ridge keeps the equations solvable if features depend on each other. It is a factor of the mean squared coefficients.
const ridge = 1e-6

// linear returns the coefficients with the least mean square error.
func (f *fit) linear() ([]float64, error) {
	return f.newton(1, func(z, y float64) (slope, weight float64) { return y - z, 1 })
}

// logistic returns the coefficients with the greatest likelihood. The labels are probabilities.
func (f *fit) logistic() ([]float64, error) {
	return f.newton(50, func(z, y float64) (slope, weight float64) {
		p := 1 / (1 + math.Exp(-z))
		return y - p, max(p*(1-p), 1e-9)
	})
}

// newton climbs by Newton's method: slope and weight are the first derivative of the log likelihood of a row and the negative second one.
func (f *fit) newton(steps int, of func(z, y float64) (slope, weight float64)) ([]float64, error) {
	if len(f.x) == 0 {
		return nil, errors.New("no rows")
	}
	n := len(f.x[0])
	b := make([]float64, n)
	for range steps {
		a := make([][]float64, n)
		for i := range a {
			a[i] = make([]float64, n+1)
			a[i][i] = ridge * float64(len(f.x))
			a[i][n] = -a[i][i] * b[i]
		}
		for r, x := range f.x {
			z := 0.0
			for i := range x {
				z += b[i] * x[i]
			}
			slope, weight := of(z, f.y[r])
			for i := range x {
				for j := range x {
					a[i][j] += weight * x[i] * x[j]
				}
				a[i][n] += slope * x[i]
			}
		}
		step, err := solve(a)
		if err != nil {
			return nil, err
		}
		size := 0.0
		for i := range b {
			b[i] += step[i]
			size += step[i] * step[i]
		}
		if size < 1e-16 {
			break
		}
	}
	return b, nil
}

// solve solves linear equations by Gauss's elimination; the last column is the right side.
func solve(a [][]float64) ([]float64, error) {
	n := len(a)
	for i := range n {
		best := i
		for r := i + 1; r < n; r++ {
			if math.Abs(a[r][i]) > math.Abs(a[best][i]) {
				best = r
			}
		}
		if !(math.Abs(a[best][i]) > 0) {
			return nil, errors.New("the features depend on each other")
		}
		a[i], a[best] = a[best], a[i]
		for r := range n {
			if r == i {
				continue
			}
			factor := a[r][i] / a[i][i]
			for c := i; c <= n; c++ {
				a[r][c] -= factor * a[i][c]
			}
		}
	}
	x := make([]float64, n)
	for i := range x {
		x[i] = a[i][n] / a[i][i]
	}
	return x, nil
}
