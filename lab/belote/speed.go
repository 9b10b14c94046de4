package belote

import (
	"context"
	"fmt"
	"io"
	"slices"
	"time"

	"roem/internal/engine/belote"
	"roem/internal/engine/belote/compare"
	"roem/internal/engine/belote/search"
	"roem/internal/engine/piquet"
	"roem/internal/random"
)

// Speed solves n random deals of four suits for both utilities, the trumps in turn, and writes the times and the states of the searches.
// Each search starts with an empty table. clock is the time that is measured: wall-clock time, or processor time.
func Speed(ctx context.Context, out io.Writer, n int, seed uint64, clock func() time.Duration) error {
	if _, err := fmt.Fprintf(out, "%-9s %6s  %29s  %37s  %s\n", "", "deals", "ms: mean  p50   p99   worst",
		"states: mean      p50      p99    worst", "below the paper, by 100"); err != nil {
		return err
	}
	s := search.New(search.Options{})
	for _, utility := range []search.Utility{search.Points, search.Contract} {
		times, states := make([]float64, n), make([]float64, n)
		below, far := 0, 0
		for i := range n {
			d := belote.Random(random.New(seed, uint64(i)), piquet.Deck, belote.Trump(i%4))
			p, err := belote.NewPosition(d)
			if err != nil {
				return err
			}
			began := clock()
			r, err := s.Solve(ctx, search.Query{Position: p, Utility: utility, NoLine: true})
			if err != nil {
				return err
			}
			times[i], states[i] = (clock()-began).Seconds()*1000, float64(r.Generated)
			if r.Generated < compare.PaperStatesPruned {
				below++
			}
			if r.Generated*100 < compare.PaperStatesPruned {
				far++
			}
		}
		t, g := summary(times), summary(states)
		if _, err := fmt.Fprintf(out, "%-9s %6d  %8.2f %6.2f %6.2f %6.2f  %12.0f %8.0f %8.0f %8.0f  %d, %d\n",
			utility, n, t[0], t[1], t[2], t[3], g[0], g[1], g[2], g[3], below, far); err != nil {
			return err
		}
	}
	return nil
}

// summary returns the mean, the median, the 99th percentile and the largest.
func summary(x []float64) (out [4]float64) {
	slices.Sort(x)
	for _, v := range x {
		out[0] += v / float64(len(x))
	}
	out[1], out[2], out[3] = x[len(x)/2], x[len(x)*99/100], x[len(x)-1]
	return out
}
