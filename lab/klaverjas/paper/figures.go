package paper

import (
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	plot "roem/lab/learn/svgplot"
)

// nodesAxis draws ticks with labels at powers of ten along the bottom.
func nodesAxis(d *plot.Drawing, s plot.Scale, top, bottom float64, every int, label string) {
	for e := 0; math.Pow10(e) <= s.To*1.0001; e++ {
		x := s.At(math.Pow10(e))
		d.Line(x, top, x, bottom, plot.Grid, 1, false)
		if e%every == 0 {
			d.Text(x, bottom+18, plot.Middle, plot.Muted, "small", plot.Power(e))
		}
	}
	d.Text((s.Start+s.Stop)/2, bottom+40, plot.Middle, plot.Ink, "", label)
}

// percentAxis draws ticks with labels along the left side.
func percentAxis(d *plot.Drawing, s plot.Scale, left, right, step float64) {
	for value := s.From; value <= s.To+1e-9; value += step {
		y := s.At(value)
		d.Line(left, y, right, y, plot.Grid, 1, false)
		d.Text(left-8, y+4, plot.End, plot.Muted, "small", digits(value, 0)+" %")
	}
}

// Statements of the paper on its numbers of leaves (section 6.1).
const (
	paperFewLeaves  = 1e6    // most instances have between these
	paperManyLeaves = 1e9    //
	paperTail       = 1e11   // "a few"
	paperMost       = 1.5e12 // one
)

// Sizes of the figures.
const (
	paperAxis       = 1e13  // end of the axis of Figure 1
	plotWidth       = 860.0 // width of Figures 1 and 3
	plotRight       = 830.0 // right end of their axes
	showImportances = 50    // number of columns in Figure 2, as in the paper
	violinWidth     = 0.42  // share of the distance between two violins
	importanceRow   = 17.0  // height of a row of Figure 2
)

// figure1 draws the distribution of effort: for our data set as a curve, for the paper by the statements in its text.
func figure1(r *Results) []byte {
	const top, bottom, left = 66.0, 370.0, 70.0
	d := plot.New(plotWidth, 440, "Figure 1: how much searching the instances take",
		fmt.Sprintf("The share of %s instances solved within a number of nodes: half within %s, all within %s. The paper's search needs "+
			"1,000,000 to 1,000,000,000 leaves for most and 1.5 trillion for one.",
			count(r.Data.Rows), count(r.Data.Nodes.Median), count(r.Data.Nodes.Most)))
	d.Text(20, 48, plot.Start, plot.Muted, "", "Share of the "+count(r.Data.Rows)+
		" instances decided within this number of nodes (this search) or leaves (the paper's)")
	x := plot.Scale{From: 1, To: paperAxis, Start: left, Stop: plotRight, Logarithmic: true}
	y := plot.Scale{From: 0, To: 100, Start: bottom, Stop: top}
	d.Rect(x.At(paperFewLeaves), top, x.At(paperManyLeaves)-x.At(paperFewLeaves), bottom-top, plot.Orange, 0.16)
	nodesAxis(d, x, top, bottom, 1, "nodes, leaves")
	percentAxis(d, y, left, plotRight, 20)
	middle := (x.At(paperFewLeaves) + x.At(paperManyLeaves)) / 2
	d.Text(middle, top+118, plot.Middle, plot.Orange, "strong", "the paper")
	d.Text(middle, top+136, plot.Middle, plot.Muted, "small", "most instances:")
	d.Text(middle, top+151, plot.Middle, plot.Muted, "small", "10⁶ to 10⁹ leaves,")
	d.Text(middle, top+166, plot.Middle, plot.Muted, "small", "1.5 CPU minutes on average")
	for _, mark := range []struct {
		leaves float64
		text   string
	}{{paperTail, "a few"}, {paperMost, "one: 4 CPU days"}} {
		at := x.At(mark.leaves)
		d.Line(at, top, at, bottom, plot.Orange, 1.5, true)
		d.Upwards(at-7, (top+bottom)/2, plot.Muted, mark.text)
	}
	points := []plot.Point{{X: x.At(1), Y: y.At(0)}}
	sum := 0
	for k, n := range total(r.Effort) {
		sum += n
		points = append(points, plot.Point{X: x.At(edge(k + 1)), Y: y.At(100 * float64(sum) / float64(r.Data.Rows))})
	}
	d.Polyline(points, plot.Blue, 2.5)
	median := plot.Point{X: x.At(float64(r.Data.Nodes.Median)), Y: y.At(50)}
	d.Dot(median, 4.5, plot.Blue)
	d.Text(median.X-12, median.Y-26, plot.End, plot.Blue, "strong", "this search")
	d.Text(median.X-12, median.Y-10, plot.End, plot.Muted, "small", "half within "+count(r.Data.Nodes.Median)+" nodes")
	most := x.At(float64(r.Data.Nodes.Most))
	d.Text(most+8, top+16, plot.Start, plot.Muted, "small", "all within "+count(r.Data.Nodes.Most))
	return d.Bytes()
}

// words returns a readable name of a column.
func words(column string) string {
	suits := strings.NewReplacer("clubs", "♣", "diamonds", "♦", "hearts", "♥", "spades", "♠")
	parts := strings.Split(column, "_")
	for i, part := range parts {
		parts[i] = suits.Replace(part)
	}
	switch parts[0] {
	case "owner":
		face, suit := parts[1][:len(parts[1])-1], parts[1][len(parts[1])-1:]
		return "owner of " + map[string]string{"C": "♣", "D": "♦", "H": "♥", "S": "♠"}[suit] + face
	case "suit":
		return "count of " + parts[3] + ", " + parts[2]
	case "rank":
		return "cards of rank " + parts[3] + ", " + parts[2]
	case "top":
		return "top cards " + parts[3] + ", " + parts[2]
	}
	return parts[0] + ", " + parts[1]
}

// figure2 draws the Gini importance of the most important columns.
func figure2(r *Results) []byte {
	const left, right, top = 190.0, 640.0, 104.0
	ranked := r.ranked()
	ranked = ranked[:min(showImportances, len(ranked))]
	most := 0.0
	for _, x := range ranked {
		most = max(most, x.All, x.own())
	}
	step := 0.02
	for most/step > 6 {
		step *= 2
	}
	bottom := top + importanceRow*float64(len(ranked))
	d := plot.New(680, bottom+56, "Figure 2: what the random forest looks at",
		"Gini importance of the fifty columns that matter most to the forest on all features; the first are "+
			words(ranked[0].Column)+", "+words(ranked[1].Column)+" and "+words(ranked[2].Column)+".")
	d.Text(20, 48, plot.Start, plot.Muted, "", "Gini importance of the "+strconv.Itoa(len(ranked))+
		" columns that matter most with all features")
	x := plot.Scale{From: 0, To: math.Ceil(most/step) * step, Start: left, Stop: right}
	legend := 20.0
	for _, l := range []struct {
		tone    plot.Tone
		opacity float64
		text    string
		width   float64
	}{
		{plot.Orange, 1, "handcrafted column, all features", 225},
		{plot.Orange, 0.4, "handcrafted alone", 145},
		{plot.Blue, 1, "card ownership, all features", 0},
	} {
		d.Rect(legend, 62, 12, 12, l.tone, l.opacity)
		d.Text(legend+18, 72.5, plot.Start, plot.Ink, "small", l.text)
		legend += l.width
	}
	d.Rect(20, 80, 12, 12, plot.Blue, 0.4)
	d.Text(38, 90.5, plot.Start, plot.Ink, "small", "card ownership alone: 32 columns share what 143 do above")
	for value := 0.0; value <= x.To+1e-9; value += step {
		d.Line(x.At(value), top, x.At(value), bottom, plot.Grid, 1, false)
		d.Text(x.At(value), bottom+18, plot.Middle, plot.Muted, "small", digits(value, 2))
	}
	for i, imp := range ranked {
		y := top + importanceRow*float64(i)
		tone := plot.Orange
		if isOwner(imp) {
			tone = plot.Blue
		}
		d.Text(left-8, y+12, plot.End, plot.Ink, "small", words(imp.Column))
		d.Rect(left, y+9, x.At(imp.own())-left, 4.5, tone, 0.4)
		d.Rect(left, y+3, x.At(imp.All)-left, 6, tone, 1)
	}
	d.Text((left+right)/2, bottom+42, plot.Middle, plot.Ink, "", "share of the decrease in impurity")
	return d.Bytes()
}

// figure3 draws the effort of the groups and the share of the forest's wrong predictions by effort. The upper row is for the goal win,
// the lower row for the goal value.
func figure3(r *Results) []byte {
	d := plot.New(plotWidth, 2*panelHeight+44, "Figure 3: search effort where the forest is right, and where it is wrong",
		fmt.Sprintf("The distribution of nodes for won and lost deals that the forest classifies rightly and wrongly, "+
			"and the share of wrong answers by nodes. "+
			"Asked who wins, the search takes %s nodes in the median for won deals classified rightly and %s for those classified wrongly; asked "+
			"by how much, %s and %s.",
			count(r.Effort[0].Median), count(r.Effort[1].Median), count(r.Values[0].Median), count(r.Values[1].Median)))
	most := 1
	for _, groups := range [][]Effort{r.Effort, r.Values} {
		for _, e := range groups {
			for math.Pow10(most) < float64(e.Most) {
				most++
			}
		}
	}
	sampled := 0
	for _, e := range r.Values {
		sampled += e.Rows
	}
	panels(d, 44, most, r.Effort, "Asked who wins: all "+count(r.Data.Rows)+" deals", 1, 1, 500)
	panels(d, 44+panelHeight, most, r.Values, "Asked by how much, as in the paper: a sample of "+count(sampled), 3, 5, 100)
	return d.Bytes()
}

// panelHeight is the height of a row of Figure 3.
const panelHeight = 424.0

// panels draws a row of Figure 3: the distributions of the groups in steps of smooth bins, and the shares of wrong predictions in steps
// of places bins. Steps with fewer than least rows are omitted.
func panels(d *plot.Drawing, above float64, decades int, groups []Effort, title string, smooth, places, least int) {
	const (
		left, middle = 70.0, 430.0
		shareLeft    = 520.0
		medianLine   = 1.5
	)
	top, bottom := above+44, above+330
	d.Text(20, above+10, plot.Start, plot.Ink, "strong", title)
	d.Text(20, above+28, plot.Start, plot.Muted, "small", "width: share of the group; line: median")
	y := plot.Scale{From: 1, To: math.Pow10(decades), Start: bottom, Stop: top, Logarithmic: true}
	for e := 0; e <= decades; e++ {
		at := y.At(math.Pow10(e))
		d.Line(left, at, middle, at, plot.Grid, 1, false)
		d.Text(left-8, at+4, plot.End, plot.Muted, "small", plot.Power(e))
	}
	d.Upwards(22, (top+bottom)/2, plot.Ink, "nodes")
	step := (middle - left) / float64(len(groups))
	for i, e := range groups {
		centre := left + step*(float64(i)+0.5)
		result, said, tone := "lost", "forest wrong", plot.Orange
		if e.Won {
			result = "won"
		}
		if e.Right {
			said, tone = "forest right", plot.Blue
		}
		violin(d, e, smooth, centre, step*violinWidth, y, tone)
		if e.Rows > 0 {
			at := y.At(float64(e.Median))
			d.Line(centre-step*violinWidth, at, centre+step*violinWidth, at, plot.Ink, medianLine, false)
		}
		d.Text(centre, bottom+20, plot.Middle, plot.Ink, "strong", result)
		d.Text(centre, bottom+36, plot.Middle, tone, "small", said)
		d.Text(centre, bottom+52, plot.Middle, plot.Muted, "small", count(e.Rows))
		d.Text(centre, bottom+67, plot.Middle, plot.Muted, "small", "median "+count(e.Median))
	}
	x := plot.Scale{From: 1, To: math.Pow10(decades), Start: shareLeft, Stop: plotRight, Logarithmic: true}
	shares(d, groups, x, top, bottom, places, least)
}

// violin draws the mirrored distribution of a group in steps of places bins.
func violin(d *plot.Drawing, e Effort, places int, centre, half float64, y plot.Scale, tone plot.Tone) {
	var counts []int
	highest := 0
	for k := 0; k < len(e.Counts); k += places {
		sum := 0
		for _, n := range e.Counts[k:min(k+places, len(e.Counts))] {
			sum += n
		}
		counts, highest = append(counts, sum), max(highest, sum)
	}
	if highest == 0 {
		return
	}
	var right, outline []plot.Point
	for i, n := range counts {
		width := half * float64(n) / float64(highest)
		at := y.At(math.Sqrt(edge(i*places) * edge((i+1)*places)))
		right = append(right, plot.Point{X: centre + width, Y: at})
	}
	outline = append(outline, right...)
	for _, p := range slices.Backward(right) {
		outline = append(outline, plot.Point{X: 2*centre - p.X, Y: p.Y})
	}
	d.Shape(outline, tone, 0.75)
}

// wrongShare returns the percentage of wrong predictions among the won or lost deals of the bins from..to, and the number of these
// deals.
func wrongShare(groups []Effort, won bool, from, to int) (percent float64, rows int) {
	wrong := 0
	for _, e := range groups {
		if e.Won != won {
			continue
		}
		for _, n := range e.Counts[from:min(to, len(e.Counts))] {
			rows += n
			if !e.Right {
				wrong += n
			}
		}
	}
	return 100 * float64(wrong) / float64(max(1, rows)), rows
}

// shares draws the percentage of wrong predictions by effort, for won and for lost deals.
func shares(d *plot.Drawing, groups []Effort, x plot.Scale, top, bottom float64, places, least int) {
	const axisTo = 40
	d.Text(x.Start-40, top-34, plot.Start, plot.Ink, "strong", "Wrong answers of the forest, by nodes")
	d.Text(x.Start-40, top-16, plot.Start, plot.Muted, "small",
		fmt.Sprintf("by %s of a decade with %d deals and more", map[int]string{1: "tenths", 5: "halves"}[places], least))
	y := plot.Scale{From: 0, To: axisTo, Start: bottom, Stop: top}
	nodesAxis(d, x, top, bottom, 1, "nodes")
	percentAxis(d, y, x.Start, x.Stop, 10)
	for i, c := range []struct {
		name string
		tone plot.Tone
		won  bool
	}{{"won", plot.Green, true}, {"lost", plot.Purple, false}} {
		var points []plot.Point
		for k := 0; k < len(groups[0].Counts); k += places {
			if share, rows := wrongShare(groups, c.won, k, k+places); rows >= least {
				points = append(points, plot.Point{X: x.At(math.Sqrt(edge(k) * edge(k+places))), Y: y.At(share)})
			}
		}
		if len(points) > 0 {
			d.Polyline(points, c.tone, 2.5)
		}
		// The legend is in the empty corner, at few nodes and few mistakes.
		at := top + 22 + 18*float64(i)
		d.Line(x.Start+14, at-4, x.Start+38, at-4, c.tone, 2.5, false)
		d.Text(x.Start+46, at, plot.Start, c.tone, "strong", c.name)
	}
}
