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
