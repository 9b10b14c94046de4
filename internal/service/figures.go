package service

import (
	"fmt"
	"math"
	"time"

	"roem/internal/api"
	"roem/internal/computation"
	"roem/internal/engine/match"
)

// Rounded returns the number with that many digits after the point, never -0.
func Rounded(x float64, digits int) float64 {
	scale := math.Pow10(digits)
	return math.Round(x*scale)/scale + 0
}

// Share returns a part of a number of things, and 0 of none.
func Share(part, of int) float64 { return float64(part) / float64(max(of, 1)) }

// Micros returns a time in microseconds.
func Micros(d time.Duration) float64 { return float64(d) / float64(time.Microsecond) }

// Texts returns the texts of cards, or of suits, calls and the like. It is never nil.
func Texts[T fmt.Stringer](list []T) []string {
	out := make([]string, len(list))
	for i, one := range list {
		out[i] = one.String()
	}
	return out
}

// OutEstimate returns an estimate as answers have it.
func OutEstimate(e match.Estimate) api.Estimate {
	return api.Estimate{Mean: e.Mean, StandardError: e.Error, Low: e.Low, High: e.High}
}

// Counted returns a function that reports how many of a task's parts are done.
func Counted(task *computation.Task, of int) func(done int) {
	report := func(done int) { task.Report(computation.Progress{Done: done, Of: of}) }
	report(0)
	return report
}
