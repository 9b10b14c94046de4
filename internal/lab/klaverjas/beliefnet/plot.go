package beliefnet

import (
	"bytes"
	"encoding/csv"
	"fmt"
	"math"
	"strconv"

	"roem/internal/lab/learn/svgplot"
)

// groups are the groups of tricks of a plot: the first trick and the last one of each.
var groups = [...]struct{ first, last int }{{1, 2}, {3, 5}, {6, 7}}

func (s *Calibration) pairs() (n float64) {
	for _, b := range s.Bins {
		n += b.Count
	}
	return n
}

// grouped returns the calibration of each group of tricks.
func grouped(scores *[Tricks]Score) (all [len(groups)]Calibration) {
	for i, g := range groups {
		for t := g.first - 1; t < g.last; t++ {
			all[i].Add(&scores[t].Calibration)
		}
	}
	return all
}

// Plot draws the calibration of an estimator as SVG, under a title: how often the seat holds the card, against its probability, for each
// group of tricks. Bars are intervals of 95 % that take the pairs of a bin for independent.
func Plot(title string, scores *[Tricks]Score) []byte {
	const width, height, left, right, top, bottom = 560, 560, 70, 30, 60, 60
	d := svgplot.New(width, height, title,
		"For each interval of probabilities of a card and a seat, the share of the pairs in which the seat holds the card, by groups of tricks.")
	x := svgplot.Scale{From: 0, To: 1, Start: left, Stop: width - right}
	y := svgplot.Scale{From: 0, To: 1, Start: height - bottom, Stop: top}
	for tenth := 0; tenth <= 10; tenth += 2 {
		share := float64(tenth) / 10
		d.Line(x.At(share), top, x.At(share), height-bottom, svgplot.Grid, 1, false)
		d.Line(left, y.At(share), width-right, y.At(share), svgplot.Grid, 1, false)
		d.Text(x.At(share), height-bottom+20, svgplot.Middle, svgplot.Muted, "", fmt.Sprintf("%d %%", 10*tenth))
		d.Text(left-8, y.At(share)+4, svgplot.End, svgplot.Muted, "", fmt.Sprintf("%d %%", 10*tenth))
	}
	d.Line(x.At(0), y.At(0), x.At(1), y.At(1), svgplot.Muted, 1, true)
	d.Text((left+width-right)/2, height-14, svgplot.Middle, svgplot.Ink, "", "probability that the seat holds the card")
	d.Upwards(20, (top+height-bottom)/2, svgplot.Ink, "share of the pairs in which it does")
	for i, c := range grouped(scores) {
		tone := []svgplot.Tone{svgplot.Blue, svgplot.Orange, svgplot.Green}[i]
		var points []svgplot.Point
		for _, b := range c.Bins {
			if b.Count < leastPairs {
				continue
			}
			share := b.Held / b.Count
			error95 := 1.96 * math.Sqrt(share*(1-share)/b.Count)
			at := svgplot.Point{X: x.At(b.Predicted/b.Count) + float64(2*i-2), Y: y.At(share)} // moved so that bars do not hide each other
			d.Line(at.X, y.At(share-error95), at.X, y.At(share+error95), tone, 1.5, false)
			d.Dot(at, 2.5, tone)
			points = append(points, at)
		}
		if len(points) > 1 {
			d.Polyline(points, tone, 1.5)
		}
		at := float64(top + 20 + 20*i)
		d.Line(left+16, at-4, left+40, at-4, tone, 2, false)
		d.Text(left+48, at, svgplot.Start, svgplot.Ink, "",
			fmt.Sprintf("tricks %d to %d: %.0f pairs, error %.2f points", groups[i].first, groups[i].last, c.pairs(), 100*c.ECE()))
	}
	return d.Bytes()
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
					write(name, strconv.Itoa(t+1), number(float64(j)/Bins), number(bin.Count), number(bin.Predicted/bin.Count), number(bin.Held/bin.Count))
				}
			}
		}
	}
	w.Flush()
	return b.Bytes()
}
