// Package tarok measures the search of tarok with open cards: how long the exact search of endings takes, and what each enhancement of
// the search to a limited depth brings (Table 2 of "A Program for Playing Tarok").
package tarok

import (
	"context"
	"fmt"
	"io"
	"math/rand/v2"
	"slices"
	"time"

	"roem/internal/engine/tarok"
	"roem/internal/engine/tarok/search"
	"roem/internal/random"
)

// contracts are those in which the declarer plays for points.
var contracts = []tarok.Contract{tarok.Three, tarok.Two, tarok.One, tarok.Zero}

// ending draws a position at the start of a trick, after random play.
func ending(rng *rand.Rand, size int) tarok.Position {
	for {
		if p, ok := tarok.Ending(rng, tarok.DrawSetup(rng, contracts...), size); ok {
			return p
		}
	}
}

// Endings solves n random endings for each size, the number of cards in a hand, and writes the times and the nodes of the searches. Each
// search starts with an empty table. clock is the time that is measured: wall-clock time, or processor time.
func Endings(ctx context.Context, out io.Writer, sizes []int, n int, seed uint64, clock func() time.Duration) error {
	if _, err := fmt.Fprintf(out, "%-5s %7s  %31s  %37s\n", "cards", "endings", "ms: mean    p50    p99   worst",
		"nodes: mean      p50      p99    worst"); err != nil {
		return err
	}
	s := search.New(search.Options{})
	for _, size := range sizes {
		times, nodes := make([]float64, n), make([]float64, n)
		for i := range n {
			p := ending(random.New(seed, uint64(size), uint64(i)), size)
			began := clock()
			r, err := s.Solve(ctx, search.Query{Position: p, NoLine: true})
			if err != nil {
				return err
			}
			times[i], nodes[i] = (clock()-began).Seconds()*1000, float64(r.Nodes)
		}
		t, g := summary(times), summary(nodes)
		if _, err := fmt.Fprintf(out, "%-5d %7d  %8.3f %6.3f %6.2f %7.2f  %12.0f %8.0f %8.0f %8.0f\n",
			size, n, t[0], t[1], t[2], t[3], g[0], g[1], g[2], g[3]); err != nil {
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
