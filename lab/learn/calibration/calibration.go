// Package calibration compares probabilities with what was true, and draws that.
package calibration

import (
	"fmt"
	"math"

	"roem/lab/learn/svgplot"
)

// Number is the number of equal intervals of probabilities.
const Number = 20

// Bin holds what has a probability in one interval.
type Bin struct {
	Count     float64
	Predicted float64 // the sum of the probabilities
	Held      float64 // how much of it was true
}

// Bins are the bins of all intervals.
type Bins [Number]Bin

// Add adds a probability, and whether what it is about was true.
func (s *Bins) Add(p float64, truth bool) {
	b := &s[min(int(p*Number), Number-1)]
	b.Count++
	b.Predicted += p
	if truth {
		b.Held++
	}
}

// Len returns how many probabilities there are.
func (s *Bins) Len() (n float64) {
	for _, b := range s {
		n += b.Count
	}
	return n
}

// ECE returns the expected calibration error, 0 to 1: the mean of the absolute difference between the mean probability of the bin and the
// share that was true (Naeini et al. 2015).
func (s *Bins) ECE() float64 {
	sum := 0.0
	for _, b := range s {
		sum += math.Abs(b.Predicted - b.Held)
	}
	return sum / max(s.Len(), 1)
}

// Curve is a calibration to draw.
type Curve struct {
	Name string
	Bins *Bins
}

// Plot is a picture of calibrations.
type Plot struct {
	Title, About string
	X, Y         string // what the axes are
	Least        float64
	Bars         bool // intervals of 95 % that take the probabilities of a bin for independent
	Curves       []Curve
}

var tones = []svgplot.Tone{svgplot.Blue, svgplot.Orange, svgplot.Green, svgplot.Purple}

// SVG draws the shares against the probabilities, of bins with at least Least probabilities.
func (p *Plot) SVG() []byte {
	const width, height, left, right, top, bottom = 560, 560, 70, 30, 60, 60
	d := svgplot.New(width, height, p.Title, p.About)
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
	d.Text((left+width-right)/2, height-14, svgplot.Middle, svgplot.Ink, "", p.X)
	d.Upwards(20, (top+height-bottom)/2, svgplot.Ink, p.Y)
	for i, c := range p.Curves[:min(len(p.Curves), len(tones))] {
		var points []svgplot.Point
		for _, b := range c.Bins {
			if b.Count < p.Least {
				continue
			}
			share := b.Held / b.Count
			at := svgplot.Point{X: x.At(b.Predicted / b.Count), Y: y.At(share)}
			if p.Bars {
				at.X += float64(2*i - 2) // so that bars do not hide each other
				half := 1.96 * math.Sqrt(share*(1-share)/b.Count)
				d.Line(at.X, y.At(max(share-half, 0)), at.X, y.At(min(share+half, 1)), tones[i], 1.5, false)
			}
			d.Dot(at, 2.5, tones[i])
			points = append(points, at)
		}
		if len(points) > 1 {
			d.Polyline(points, tones[i], 1.5)
		}
		at := float64(top + 20 + 20*i)
		d.Line(left+16, at-4, left+40, at-4, tones[i], 2, false)
		d.Text(left+48, at, svgplot.Start, svgplot.Ink, "", c.Name)
	}
	return d.Bytes()
}
