package beliefnet

import (
	"bytes"
	"encoding/csv"
	"fmt"
	"strconv"

	"roem/lab/learn/calibration"
)

// groups are the groups of tricks of a plot: the first trick and the last one of each.
var groups = [...]struct{ first, last int }{{1, 2}, {3, 5}, {6, 7}}

// grouped returns the calibration of each group of tricks.
func grouped(scores *[Tricks]Score) (all [len(groups)]calibration.Bins) {
	for i, g := range groups {
		for t := g.first - 1; t < g.last; t++ {
			all[i].Join(&scores[t].Calibration.Bins)
		}
	}
	return all
}

// Plot draws the calibration of an estimator as SVG, under a title: how often the seat holds the card, against its probability, for each
// group of tricks. Bars are intervals of 95 % that take the pairs of a bin for independent.
func Plot(title string, scores *[Tricks]Score) []byte {
	p := calibration.Plot{
		Title: title,
		About: "For each interval of probabilities of a card and a seat, the share of the pairs in which the seat holds the card, " +
			"by groups of tricks.",
		X: "probability that the seat holds the card", Y: "share of the pairs in which it does", Least: leastPairs, Bars: true,
	}
	for i, bins := range grouped(scores) {
		p.Curves = append(p.Curves, calibration.Curve{
			Name: fmt.Sprintf("tricks %d to %d: %.0f pairs, error %.2f points", groups[i].first, groups[i].last, bins.Len(), 100*bins.ECE()),
			Bins: &bins,
		})
	}
	return p.SVG()
}

// leastPairs is the least number of pairs of a bin that is drawn.
const leastPairs = 20

// CSV returns the bins of estimators, by the trick.
func CSV(names []string, scores []*[Tricks]Score) []byte {
	var b bytes.Buffer
	w := csv.NewWriter(&b)
	write := func(fields ...string) { _ = w.Write(fields) } // writing to memory does not fail
	write("estimator", "trick", "from", "pairs", "predicted", "held")
	number := func(x float64) string { return strconv.FormatFloat(x, 'g', 6, 64) }
	for i, name := range names {
		for t, score := range scores[i] {
			for j, bin := range score.Calibration.Bins {
				if bin.Count > 0 {
					write(name, strconv.Itoa(t+1), number(float64(j)/calibration.Number), number(bin.Count), number(bin.Predicted/bin.Count),
						number(bin.Held/bin.Count))
				}
			}
		}
	}
	w.Flush()
	return b.Bytes()
}
