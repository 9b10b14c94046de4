package clusters

import (
	"fmt"
	"math"
	"strings"
)

// Markdown returns a table of the regrets by the number of worlds: the mean of each method, and the paired differences from plain sampling and from
// sampling without replacement, with intervals of 95 % over the positions.
func Markdown(positions []Position, worlds []int) string {
	var b strings.Builder
	b.WriteString("| worlds | plain | without replacement | clusters | plain − clusters | without replacement − clusters | same card: plain, without, clusters |\n" +
		"|---|---|---|---|---|---|---|\n")
	for i, n := range worlds {
		fmt.Fprintf(&b, "| %d |", n)
		for m := range Methods {
			mean, half := interval(positions, func(p *Position) float64 { return p.Regret[i][m] })
			fmt.Fprintf(&b, " %.2f ± %.2f |", mean, half)
		}
		for m := range Clusters {
			mean, half := interval(positions, func(p *Position) float64 { return p.Regret[i][m] - p.Regret[i][Clusters] })
			fmt.Fprintf(&b, " %+.2f ± %.2f |", mean, half)
		}
		for m := range Methods {
			mean, _ := interval(positions, func(p *Position) float64 { return p.Same[i][m] })
			fmt.Fprintf(&b, " %.1f %%%s", 100*mean, [Methods]string{",", ",", " |\n"}[m])
		}
	}
	return b.String()
}

// interval returns the mean of a quantity over the positions, and half of its interval of 95 %.
func interval(positions []Position, of func(*Position) float64) (mean, half float64) {
	sum, square, n := 0.0, 0.0, float64(len(positions))
	for i := range positions {
		x := of(&positions[i])
		sum += x
		square += x * x
	}
	mean = sum / n
	return mean, 1.96 * math.Sqrt(max(square/n-mean*mean, 0)/(n-1))
}
