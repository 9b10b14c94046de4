package match

import "math"

// Z is the number of standard errors on each side of a mean in an interval of 95 % of a normal distribution.
const Z = 1.959963984540054

// Estimate is an estimate of a mean, with the standard error and the interval of 95 %.
type Estimate struct {
	Mean      float64
	Error     float64 // the standard error
	Low, High float64 // the interval
}

// NewEstimate returns the estimate with a mean and a standard error. Its interval ends Z standard errors from the mean.
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

// ShareOf is MeanOf for values between 0 and 1, such as 1 for a win, 0 for a loss and 0.5 for a tie. The interval is Wilson's, so that it
// lies between 0 and 1 and has a width also with few values and with equal ones. Values that vary less than wins and losses count as more
// of them. For that, the variance is measured with Z*Z further values: one half of them 0, and the other half 1. Without values, the
// interval is 0 to 1.
func ShareOf(values []float64) Estimate {
	e, n := MeanOf(values), float64(len(values))
	if n == 0 {
		e.Low, e.High = 0, 1
		return e
	}
	const more = Z * Z
	p := (n*e.Mean + more/2) / (n + more)
	squares := more / 2 * (p*p + (1-p)*(1-p))
	for _, v := range values {
		squares += (v - p) * (v - p)
	}
	e.Low, e.High = Wilson(e.Mean, n*p*(1-p)*(n+more)/squares)
	return e
}

// Wilson returns Wilson's interval of 95 % for a share of n cases. It lies between 0 and 1.
func Wilson(share, n float64) (low, high float64) {
	middle := (share + Z*Z/(2*n)) / (1 + Z*Z/n)
	half := Z / (1 + Z*Z/n) * math.Sqrt(share*(1-share)/n+Z*Z/(4*n*n))
	return max(middle-half, 0), min(middle+half, 1)
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
