// Package speed measures searches: their times and what they visit.
package speed

import (
	"fmt"
	"io"
	"slices"
	"syscall"
	"time"
)

// Clock returns the wall clock, or the time that the process has used in user mode.
func Clock(cpu bool) func() time.Duration {
	if !cpu {
		began := time.Now()
		return func() time.Duration { return time.Since(began) }
	}
	return func() time.Duration {
		var usage syscall.Rusage
		if syscall.Getrusage(syscall.RUSAGE_SELF, &usage) != nil {
			return 0
		}
		return time.Duration(usage.Utime.Nano())
	}
}

// Table writes a line for each kind of searches: the mean, the median, the 99th percentile and the largest of the milliseconds and of what
// was visited.
type Table struct {
	Out   io.Writer
	Clock func() time.Duration
}

// Head writes the head of the table. what is what lines are named by, and visited what searches count.
func (t *Table) Head(what, visited string) error {
	_, err := fmt.Fprintf(t.Out, "%-9s %8s  %31s  %37s\n", what, "searches", "ms: mean    p50    p99   worst",
		visited+": mean      p50      p99    worst")
	return err
}

// Line measures n searches, which return how much they visited.
func (t *Table) Line(name string, n int, search func(i int) (visited uint64, err error)) error {
	times, counts := make([]float64, n), make([]float64, n)
	for i := range n {
		began := t.Clock()
		visited, err := search(i)
		if err != nil {
			return err
		}
		times[i], counts[i] = (t.Clock()-began).Seconds()*1000, float64(visited)
	}
	a, b := Summary(times), Summary(counts)
	_, err := fmt.Fprintf(t.Out, "%-9s %8d  %8.3f %6.3f %6.2f %7.2f  %12.0f %8.0f %8.0f %8.0f\n",
		name, n, a[0], a[1], a[2], a[3], b[0], b[1], b[2], b[3])
	return err
}

// Summary returns the mean, the median, the 99th percentile and the largest. It sorts the list.
func Summary(x []float64) (out [4]float64) {
	slices.Sort(x)
	for _, v := range x {
		out[0] += v / float64(len(x))
	}
	out[1], out[2], out[3] = x[len(x)/2], x[len(x)*99/100], x[len(x)-1]
	return out
}
