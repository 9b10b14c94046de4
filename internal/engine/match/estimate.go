package match

import "math"

// Z is the number of standard errors on each side of a mean in an interval of 95 % of a normal distribution.
const Z = 1.959963984540054

// Estimate is an estimate of a mean, with the standard error and the interval of 95 %.
type Estimate struct {
	Mean      float64
	Error     float64 // the standard error
	Low, High float64 // Mean - Z*Error and Mean + Z*Error
}

// NewEstimate returns the estimate with a mean and a standard error.
func NewEstimate(mean, standardError float64) Estimate {
	return Estimate{Mean: mean, Error: standardError, Low: mean - Z*standardError, High: mean + Z*standardError}
}

// MeanOf estimates the mean of the distribution that the values are drawn from independently. With fewer than two values, the standard
// error is 0.
func MeanOf(values []float64) Estimate {
	mean, variance := moments(values)
	if len(values) < 2 {
		return NewEstimate(mean, 0)
	}
	return NewEstimate(mean, math.Sqrt(variance/float64(len(values))))
}

// Variance returns the sample variance of the values: the sum of squared deviations divided by their number less one.
func Variance(values []float64) float64 {
	_, variance := moments(values)
	return variance
}

func moments(values []float64) (mean, variance float64) {
	if len(values) == 0 {
		return 0, 0
	}
	for _, v := range values {
		mean += v
	}
	mean /= float64(len(values))
	if len(values) < 2 {
		return mean, 0
	}
	for _, v := range values {
		variance += (v - mean) * (v - mean)
	}
	return mean, variance / float64(len(values)-1)
}

// Controlled estimates the mean of the values with control variates: quantities of the same deals whose means are known. controls holds,
// for each value, as many numbers as there are means. The estimate is the mean less the part of it that the controls explain by chance: the
// coefficients are those of least squares, and the standard error is that of the residuals. ratio is the variance of the estimate divided
// by that of the plain mean.
//
// A control that does not vary is left out. Source: Lavenberg and Welch, "A Perspective on the Use of Control Variables to Increase the
// Efficiency of Monte Carlo Simulations", 1981.
func Controlled(values []float64, controls [][]float64, means []float64) (e Estimate, ratio float64) {
	n, k := len(values), len(means)
	plain := MeanOf(values)
	if n <= k+2 || plain.Error == 0 {
		return plain, 1
	}
	at := make([]float64, k) // the means of the sample
	for _, row := range controls {
		for j, v := range row {
			at[j] += v / float64(n)
		}
	}
	// The normal equations of the centred columns: matrix[i] is a row of k+1 numbers, the last of which is the right side.
	matrix := make([][]float64, k)
	for i := range matrix {
		matrix[i] = make([]float64, k+1)
	}
	for r, row := range controls {
		for i := range k {
			for j := range k {
				matrix[i][j] += (row[i] - at[i]) * (row[j] - at[j])
			}
			matrix[i][k] += (row[i] - at[i]) * (values[r] - plain.Mean)
		}
	}
	beta := solve(matrix)
	mean, residual := plain.Mean, 0.0
	for j, b := range beta {
		mean -= b * (at[j] - means[j])
	}
	for r, row := range controls {
		rest := values[r] - plain.Mean
		for j, b := range beta {
			rest -= b * (row[j] - at[j])
		}
		residual += rest * rest
	}
	standardError := math.Sqrt(residual / float64(n-k-1) / float64(n))
	return NewEstimate(mean, standardError), standardError * standardError / (plain.Error * plain.Error)
}

// solve solves symmetric linear equations by elimination with pivots. The solution of a column without a pivot is 0.
func solve(m [][]float64) []float64 {
	k := len(m)
	pivot := make([]int, 0, k) // the column of each row in use
	largest := 0.0
	for i := range m {
		largest = max(largest, math.Abs(m[i][i]))
	}
	row := 0
	for col := range k {
		best := row
		for i := row; i < k; i++ {
			if math.Abs(m[i][col]) > math.Abs(m[best][col]) {
				best = i
			}
		}
		if row == k || math.Abs(m[best][col]) <= 1e-12*largest {
			continue
		}
		m[row], m[best] = m[best], m[row]
		for i := range k {
			if i == row {
				continue
			}
			f := m[i][col] / m[row][col]
			for j := col; j <= k; j++ {
				m[i][j] -= f * m[row][j]
			}
		}
		pivot = append(pivot, col)
		row++
	}
	x := make([]float64, k)
	for i, col := range pivot {
		x[col] = m[i][k] / m[i][col]
	}
	return x
}
