package tradeoff

import (
	"errors"
	"fmt"
	"math"

	"roem/internal/engine/klaverjas/index"
	"roem/internal/model/klaverjas/distribution"
	"roem/lab/klaverjas/dataset"
)

// ClassRow is a solved deal, of which only the suit distribution counts.
type ClassRow struct {
	Features distribution.Features
	Log10    float64 // of the cards that the search played
}

// ClassRows reads the first n deals of a data set, or all if n is 0.
func ClassRows(set *dataset.Set, n int) ([]ClassRow, error) {
	if err := set.AsTheyCome(); err != nil {
		return nil, err
	}
	var rows []ClassRow
	for row, err := range set.Rows() {
		if err != nil {
			return nil, err
		}
		if n > 0 && len(rows) == n {
			break
		}
		rows = append(rows, ClassRow{distribution.FeaturesOf(index.ClassOf(row.Deal())), math.Log10(max(1, float64(row.Nodes)))})
	}
	return rows, nil
}

// ridge is the penalty of the squared weights of the standardized features, for each row. Some features follow from others.
const ridge = 1e-4

// FitClasses returns the regression with the least squares of the errors, with a small penalty for large weights.
func FitClasses(rows []ClassRow) (distribution.Regression, error) {
	if len(rows) <= 10*distribution.Count {
		return distribution.Regression{}, fmt.Errorf("%d deals are too few for %d weights", len(rows), distribution.Count)
	}
	mean, sd, target := standards(rows)
	var a [distribution.Count][distribution.Count]float64
	var b distribution.Features
	for i := range rows {
		var x distribution.Features
		for k, value := range rows[i].Features {
			x[k] = (value - mean[k]) / sd[k]
		}
		for k := range x {
			b[k] += x[k] * (rows[i].Log10 - target)
			for l := range k + 1 {
				a[k][l] += x[k] * x[l]
			}
		}
	}
	for k := range a {
		a[k][k] += ridge * float64(len(rows))
	}
	weights, err := solve(&a, b)
	if err != nil {
		return distribution.Regression{}, err
	}
	r := distribution.Regression{Bias: target, Rows: len(rows)}
	for k, w := range weights {
		r.Weights[k] = w / sd[k]
		r.Bias -= r.Weights[k] * mean[k]
	}
	square := 0.0
	for i := range rows {
		off := rows[i].Log10 - r.Log10(rows[i].Features)
		square += off * off
	}
	r.Sigma = math.Sqrt(square / float64(len(rows)))
	return r, nil
}

// standards returns the means and standard deviations of the features, and the mean of Log10. A constant feature has the deviation 1.
func standards(rows []ClassRow) (mean, sd distribution.Features, target float64) {
	n := float64(len(rows))
	for i := range rows {
		target += rows[i].Log10 / n
		for k, x := range rows[i].Features {
			mean[k] += x / n
		}
	}
	for i := range rows {
		for k, x := range rows[i].Features {
			sd[k] += (x - mean[k]) * (x - mean[k]) / n
		}
	}
	for k := range sd {
		if sd[k] = math.Sqrt(sd[k]); sd[k] == 0 {
			sd[k] = 1
		}
	}
	return mean, sd, target
}

// solve returns x with a x = b, by Cholesky's decomposition. a is symmetric and positive definite; only its lower half is read, and it is
// overwritten.
func solve(a *[distribution.Count][distribution.Count]float64, b distribution.Features) (distribution.Features, error) {
	for k := range a {
		for l := range k + 1 {
			sum := a[k][l]
			for m := range l {
				sum -= a[k][m] * a[l][m]
			}
			switch {
			case l < k:
				a[k][l] = sum / a[l][l]
			case sum <= 0:
				return b, errors.New("the features of the deals depend on each other")
			default:
				a[k][k] = math.Sqrt(sum)
			}
		}
	}
	for k := range b {
		for m := range k {
			b[k] -= a[k][m] * b[m]
		}
		b[k] /= a[k][k]
	}
	for k := len(b) - 1; k >= 0; k-- {
		for m := k + 1; m < len(b); m++ {
			b[k] -= a[m][k] * b[m]
		}
		b[k] /= a[k][k]
	}
	return b, nil
}
