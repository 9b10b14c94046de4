package tradeoff

import (
	"bytes"
	"encoding/csv"
	"fmt"
	"math"
	"strconv"
	"strings"
	"time"

	"roem/internal/service/klaverjas/hybrid"
	"roem/lab/learn/svgplot"
)

// Set is a data set with the model's predictions of its deals.
type Set struct {
	Name      string // its sampling
	Seed      uint64
	Deals     []Deal
	Measured  []Deal        // the deals that were searched again, with their times
	Predict   time.Duration // the time of a prediction, including reading the deal
	Interrupt Interrupt     // interrupts searches; if nil, the progress of interrupted searches is not used
}

// targets are the accuracies for which Markdown lists the effort.
var targets = []float64{0.98, 0.99, 0.995, 0.998, 0.999, 0.9995}

// maxPoints is the number of points of a tradeoff that are written and drawn.
const maxPoints = 200

// Markdown returns the measurements as tables.
func Markdown(sets []Set) ([]byte, error) {
	var b bytes.Buffer
	for i := range sets {
		set := &sets[i]
		h := Judge(set.Deals)
		fmt.Fprintf(&b, "### %s deals\n\n", strings.ToUpper(set.Name[:1])+set.Name[1:])
		fmt.Fprintf(&b, "%d deals of seed %d, the first %d of them searched again to measure times. The "+
			"search plays %.0f cards a deal on average, "+
			"and the model predicts %.0f. The rank correlation is %.3f, and %.1f %% of the deals take no more than the predicted 90th percentile. "+
			"A prediction takes %.1f µs.\n\n",
			len(set.Deals), set.Seed, len(set.Measured), h.Actual, h.Expected, h.Rank, 100*h.WithinP90, float64(set.Predict)/1000)

		b.WriteString("| accuracy |")
		for _, order := range Orders() {
			fmt.Fprintf(&b, " cards played, ordered by %s | threshold |", order.Name)
		}
		b.WriteString("\n|--:|" + "--:|--:|--:|--:|\n")
		series := make([][]Point, 0, 2)
		for _, order := range Orders() {
			series = append(series, Points(set.Deals, order, len(set.Deals)))
		}
		for _, target := range targets {
			fmt.Fprintf(&b, "| %s |", percent(target))
			for _, c := range series {
				p := At(c, target)
				fmt.Fprintf(&b, " %s | %.3g |", percent(p.Cards), p.Threshold)
			}
			b.WriteByte('\n')
		}
		b.WriteString("\n| | accuracy | answered by the model | cards played | mean ms | p99 ms |\n|---|--:|--:|--:|--:|--:|\n")
		var stopped bytes.Buffer
		for _, policy := range Policies() {
			o, err := Try(set.Measured, policy, set.Predict, set.Interrupt)
			if err != nil {
				return nil, err
			}
			fmt.Fprintf(&b, "| %s | %s | %s | %s | %.4f | %.3f |\n",
				o.Policy, percent(o.Accuracy), percent(o.Model), percent(o.Cards), ms(o.Mean), ms(o.P99))
			if s := o.Interrupted; s.Deals > 0 && policy.MinConfidence == 1 {
				n := float64(s.Deals)
				fmt.Fprintf(&stopped, "| %g ms | %s | %s | %s |\n", ms(policy.Budget),
					percent(n/float64(len(set.Measured))), percent(float64(s.Model)/n), percent(float64(s.Combined)/n))
			}
		}
		for _, each := range []time.Duration{50 * time.Microsecond, 100 * time.Microsecond, 200 * time.Microsecond, time.Millisecond} {
			budget := each * time.Duration(len(set.Measured))
			accuracy, took := Batch(set.Measured, Policy{Rule: hybrid.DefaultRule(), Budget: budget}, set.Predict)
			fmt.Fprintf(&b, "| a list, budget_ms %g a deal | %s | | | %.4f | |\n", ms(each), percent(accuracy), ms(took)/float64(len(set.Measured)))
		}
		b.WriteByte('\n')
		if stopped.Len() > 0 {
			b.WriteString("Interrupted searches, if every deal is searched within a budget:\n\n" +
				"| budget | searches interrupted | accuracy on those: model only | model and features of the search |\n|--:|--:|--:|--:|\n")
			b.Write(stopped.Bytes())
			b.WriteByte('\n')
		}
	}
	return b.Bytes(), nil
}

func percent(p float64) string { return fmt.Sprintf("%.2f %%", 100*p) }

func ms(d time.Duration) float64 { return float64(d) / float64(time.Millisecond) }

// Files returns the tradeoffs of the sets as CSV and as SVG, by file name.
func Files(sets []Set) map[string][]byte {
	files := map[string][]byte{}
	for i := range sets {
		set := &sets[i]
		var b bytes.Buffer
		w := csv.NewWriter(&b)
		write := func(fields ...string) { _ = w.Write(fields) } // writing to memory does not fail
		write("order", "threshold", "searched", "cards", "accuracy")
		for _, order := range Orders() {
			for _, p := range Points(set.Deals, order, maxPoints) {
				write(order.Name, number(p.Threshold), number(p.Searched), number(p.Cards), number(p.Accuracy))
			}
		}
		w.Flush()
		files["tradeoff-"+set.Name+".csv"] = b.Bytes()
		files["tradeoff-"+set.Name+".svg"] = draw(set)
	}
	return files
}

func number(x float64) string { return strconv.FormatFloat(x, 'g', 6, 64) }

// draw draws the tradeoffs of a set: mistakes, on a logarithmic scale, against the share of the search's cards.
func draw(set *Set) []byte {
	const width, height, left, right, top, bottom = 720, 440, 80, 30, 60, 60
	d := svgplot.New(width, height, "How right, for how much of the search: "+set.Name+" deals",
		"Accuracy against the share of the cards that searching every deal plays, for two orders in which deals are searched.")
	x := svgplot.Scale{From: 0, To: 1, Start: left, Stop: width - right}
	y := svgplot.Scale{From: 0.2, To: 0.0002, Start: height - bottom, Stop: top, Logarithmic: true} // few mistakes are at the top
	for tenth := 0; tenth <= 10; tenth += 2 {
		at := x.At(float64(tenth) / 10)
		d.Line(at, top, at, height-bottom, svgplot.Grid, 1, false)
		d.Text(at, height-bottom+20, svgplot.Middle, svgplot.Muted, "", fmt.Sprintf("%d %%", 10*tenth))
	}
	for _, accuracy := range []float64{0.8, 0.9, 0.95, 0.98, 0.99, 0.995, 0.998, 0.999, 0.9995} {
		at := y.At(1 - accuracy)
		d.Line(left, at, width-right, at, svgplot.Grid, 1, false)
		d.Text(left-8, at+4, svgplot.End, svgplot.Muted, "", fmt.Sprintf("%g %%", math.Round(1e4*accuracy)/100))
	}
	d.Text((left+width-right)/2, height-14, svgplot.Middle, svgplot.Ink, "", "cards played, of those that searching every deal plays")
	d.Upwards(22, (top+height-bottom)/2, svgplot.Ink, "deals answered right")
	words := []string{"searched first: doubt per card expected", "searched first: the least confident"}
	for i, order := range Orders() {
		tone := []svgplot.Tone{svgplot.Blue, svgplot.Orange}[i]
		var points []svgplot.Point
		for _, p := range Points(set.Deals, order, maxPoints) {
			points = append(points, svgplot.Point{X: x.At(p.Cards), Y: y.At(1 - p.Accuracy)})
		}
		d.Polyline(points, tone, 2)
		at := float64(height - bottom - 40 + 20*i)
		d.Line(width-right-270, at-4, width-right-246, at-4, tone, 2, false)
		d.Text(width-right-238, at, svgplot.Start, svgplot.Ink, "", words[i])
	}
	return d.Bytes()
}
