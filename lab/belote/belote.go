// Package belote writes the paper's experiment on Belote Découverte as CSV and SVG (figures 3.1 and 3.2), and measures the speed of the
// exact search.
package belote

import (
	"fmt"
	"math"
	"strings"

	"roem/internal/engine/belote/compare"
	"roem/internal/engine/belote/search"
	"roem/lab/learn/svgplot"
)

// CSV returns the rows as CSV.
func CSV(rows []compare.Row) []byte {
	var b strings.Builder
	b.WriteString("suits,algorithm,utility,forward_pruning,deals,limited,min,median,median_at_least,mean,p90,max,at_most_the_paper\n")
	for _, r := range rows {
		below := ""
		if r.Suits == 4 && r.Utility == search.Contract {
			below = fmt.Sprint(r.BelowPaper)
		}
		fmt.Fprintf(&b, "%d,%s,%s,%t,%d,%d,%d,%d,%t,%.1f,%d,%d,%s\n",
			r.Suits, r.Algorithm, r.Utility, r.Pruning, r.Deals, r.Limited, r.Min, r.Median, r.AtLeast(), r.Mean, r.P90, r.Max, below)
	}
	return []byte(b.String())
}

const (
	width, height = 760.0, 420.0
	left, right   = 70.0, 740.0
	top, bottom   = 60.0, 350.0
)

// Figure draws the median states of each algorithm and utility on a logarithmic axis, in groups by the number of suits: figure 3.1 of the
// paper without forward pruning, figure 3.2 with it. Lines show the least and the most.
func Figure(rows []compare.Row, pruning bool) []byte {
	title := "Figure 3.1: generated states without forward pruning"
	if pruning {
		title = "Figure 3.2: generated states with forward pruning"
	}
	d := svgplot.New(width, height, title, "Median number of generated states by number of suits, algorithm and "+
		"utility, on a logarithmic axis.")
	var shown []compare.Row
	most := 10.0
	for _, r := range rows {
		if r.Pruning == pruning {
			shown = append(shown, r)
			most = max(most, float64(r.Max))
		}
	}
	decades := math.Ceil(math.Log10(most))
	y := func(n float64) float64 { return bottom - (bottom-top)*math.Log10(max(n, 1))/decades }
	for e := range int(decades) + 1 {
		at := y(math.Pow(10, float64(e)))
		d.Line(left, at, right, at, svgplot.Grid, 1, false)
		d.Text(left-8, at+4, svgplot.End, svgplot.Muted, "small", fmt.Sprintf("1e%d", e))
	}
	x, suits := left+10, 0
	step := (right - left - 20) / (float64(len(shown)) + 4)
	for _, r := range shown {
		if r.Suits != suits {
			if suits > 0 {
				x += step
			}
			suits = r.Suits
			d.Text(x, bottom+36, svgplot.Start, svgplot.Ink, "strong", suitsAndDeals(suits, r.Deals))
		}
		tone := toneOf(r.Way)
		head := y(float64(r.Median))
		if r.AtLeast() { // the median is not known: an open bar
			for _, side := range [2]float64{x, x + step*0.8} {
				d.Line(side, head, side, bottom, tone, 1.5, true)
			}
			d.Line(x, head, x+step*0.8, head, tone, 1.5, true)
			d.Text(x+step*0.4, head-6, svgplot.Middle, svgplot.Ink, "small", "≥")
		} else {
			d.Rect(x, head, step*0.8, bottom-head, tone, 1)
		}
		d.Line(x+step*0.4, y(float64(r.Min)), x+step*0.4, y(float64(r.Max)), svgplot.Ink, 1, false)
		d.Text(x+step*0.4, bottom+16, svgplot.Middle, svgplot.Muted, "small", letterOf(r.Way))
		x += step
	}
	d.Text(left, height-14, svgplot.Start, svgplot.Muted, "small", "M minimax, A alpha-beta, T table; p points, c contract. Bars: median, "+
		"open if only a lower bound; lines: range.")
	return d.Bytes()
}

func suitsAndDeals(suits, deals int) string {
	if suits == 1 {
		return fmt.Sprintf("1 suit, %d deals", deals)
	}
	return fmt.Sprintf("%d suits, %d deals", suits, deals)
}

func toneOf(w compare.Way) svgplot.Tone {
	return [3]svgplot.Tone{search.Table: svgplot.Green, search.AlphaBeta: svgplot.Blue, search.Minimax: svgplot.Orange}[w.Algorithm]
}

func letterOf(w compare.Way) string {
	return [3]string{search.Table: "T", search.AlphaBeta: "A", search.Minimax: "M"}[w.Algorithm] + w.Utility.String()[:1]
}
