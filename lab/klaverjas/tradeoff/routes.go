package tradeoff

import (
	"bytes"
	"encoding/csv"
	"fmt"
	"math"
	"strconv"
	"time"

	"roem/internal/service/klaverjas/hybrid"
	"roem/lab/learn/svgplot"
)

// Set is a data set with the model's predictions of its deals.
type Set struct {
	Name      string // its sampling
	Seed      uint64
	Measured  []Deal        // the deals, which were searched again, with their times
	Predict   time.Duration // the time of a prediction, including reading the deal
	Interrupt Interrupt     // interrupts searches; if nil, the progress of interrupted searches is not used
}

func percent(p float64) string { return fmt.Sprintf("%.2f %%", 100*p) }

func ms(d time.Duration) float64 { return float64(d) / float64(time.Millisecond) }

func number(x float64) string { return strconv.FormatFloat(x, 'g', 6, 64) }

// Route is a value of the field route of a hybrid request.
type Route struct {
	Name string
	By   hybrid.Choice
}

// Routes returns the routes that are compared.
func Routes() []Route {
	return []Route{{"distribution", hybrid.Distribution}, {"doubt", hybrid.Doubt}, {"auto", hybrid.Auto}}
}

// policy returns the default rule with the route and a budget.
func (r Route) policy(budget time.Duration) Policy {
	return Policy{Rule: hybrid.DefaultRule(), Budget: budget, By: r.By}
}

// perDeal are the budgets of lists that are measured, for each deal.
func perDeal() []time.Duration {
	out := make([]time.Duration, 0, 24)
	for at := 10 * time.Microsecond; at < 1500*time.Microsecond; at = at * 5 / 4 {
		out = append(out, at.Round(time.Microsecond))
	}
	return out
}

// ListPoint is the answer of a list with a budget.
type ListPoint struct {
	Budget   time.Duration // for each deal, on average
	Took     time.Duration // for each deal, on average
	Accuracy float64
}

// Lists answers the measured deals as lists of all of them with growing budgets, by a route.
func Lists(set *Set, r Route) []ListPoint {
	var out []ListPoint
	n := time.Duration(len(set.Measured))
	for _, each := range perDeal() {
		accuracy, took := Batch(set.Measured, r.policy(each*n), set.Predict)
		out = append(out, ListPoint{each, took / n, accuracy})
	}
	return out
}

// RoutesMarkdown returns the measurements of the routes as tables.
func RoutesMarkdown(sets []Set) ([]byte, error) {
	var b bytes.Buffer
	for i := range sets {
		set := &sets[i]
		fmt.Fprintf(&b, "### %s: the routes\n\n%d deals of seed %d.\n\n", set.title(), len(set.Measured), set.Seed)
		writeClassFit(&b, set)
		if err := writeSingles(&b, set); err != nil {
			return nil, err
		}
		writeLists(&b, set)
	}
	return b.Bytes(), nil
}

// writeClassFit writes how well the suit distribution alone says how long the search takes.
func writeClassFit(b *bytes.Buffer, set *Set) {
	n := len(set.Measured)
	nodes, class, spread, model := make([]float64, n), make([]float64, n), make([]float64, n), make([]float64, n)
	sumClass, sumNodes := 0.0, 0.0
	for i := range set.Measured {
		d := &set.Measured[i]
		nodes[i], class[i], spread[i], model[i] = d.Cards, d.Class.Log10, d.Spread, d.Prediction.Effort.Log10
		sumClass, sumNodes = sumClass+d.Class.Mean(), sumNodes+d.Cards
	}
	fmt.Fprintf(b, "Rank correlation with the nodes of the search: %.3f for the fitted nodes of the class, %.3f for its spread, %.3f for the "+
		"model's hardness. The class expects %.0f nodes a deal on average, and the search plays %.0f.\n\n",
		spearman(class, nodes), spearman(spread, nodes), spearman(model, nodes), sumClass/float64(n), sumNodes/float64(n))
}

// writeSingles writes what single deals get from the routes, without a budget and with several.
func writeSingles(b *bytes.Buffer, set *Set) error {
	b.WriteString("Single deals:\n\n| route | budget | accuracy | answered by the model | cards played | mean ms | p99 ms |\n" +
		"|---|--:|--:|--:|--:|--:|--:|\n")
	for _, budget := range append(Budgets(), hybrid.Unlimited) {
		text := "none"
		if budget < hybrid.Unlimited {
			text = fmt.Sprintf("%g ms", ms(budget))
		}
		for _, r := range Routes() {
			o, err := Try(set.Measured, r.policy(budget), set.Predict, set.Interrupt)
			if err != nil {
				return err
			}
			fmt.Fprintf(b, "| `%s` | %s | %s | %s | %s | %.4f | %.3f |\n",
				r.Name, text, percent(o.Accuracy), percent(o.Model), percent(o.Cards), ms(o.Mean), ms(o.P99))
		}
	}
	b.WriteByte('\n')
	return nil
}

// writeLists writes what lists with a budget get from the routes.
func writeLists(b *bytes.Buffer, set *Set) {
	b.WriteString("A list of all of them with one budget:\n\n| budget a deal |")
	for _, r := range Routes() {
		fmt.Fprintf(b, " `%s` | ms a deal |", r.Name)
	}
	b.WriteString("\n|--:|" + string(bytes.Repeat([]byte("--:|--:|"), len(Routes()))) + "\n")
	n := time.Duration(len(set.Measured))
	for _, each := range []time.Duration{
		20 * time.Microsecond, 50 * time.Microsecond, 100 * time.Microsecond, 200 * time.Microsecond, 500 * time.Microsecond, time.Millisecond,
	} {
		fmt.Fprintf(b, "| %g ms |", ms(each))
		for _, r := range Routes() {
			accuracy, took := Batch(set.Measured, r.policy(each*n), set.Predict)
			fmt.Fprintf(b, " %s | %.4f |", percent(accuracy), ms(took/n))
		}
		b.WriteByte('\n')
	}
	b.WriteByte('\n')
}

func (s *Set) title() string { return string(bytes.ToUpper([]byte(s.Name[:1]))) + s.Name[1:] }

// RoutesFiles returns the curves of the routes, as lists with growing budgets, as CSV and SVG, by file name.
func RoutesFiles(sets []Set) map[string][]byte {
	files := map[string][]byte{}
	for i := range sets {
		set := &sets[i]
		var b bytes.Buffer
		w := csv.NewWriter(&b)
		_ = w.Write([]string{"route", "budget_ms", "ms", "accuracy"}) // writing to memory does not fail
		for _, r := range Routes() {
			for _, p := range Lists(set, r) {
				_ = w.Write([]string{r.Name, number(ms(p.Budget)), number(ms(p.Took)), number(p.Accuracy)})
			}
		}
		w.Flush()
		files["routes-"+set.Name+".csv"] = b.Bytes()
		files["routes-"+set.Name+".svg"] = drawRoutes(set)
	}
	return files
}

// drawRoutes draws mistakes against the time a deal, both on logarithmic scales.
func drawRoutes(set *Set) []byte {
	const width, height, left, right, top, bottom = 720, 440, 80, 30, 60, 60
	d := svgplot.New(width, height, "How right in how much time: "+set.Name+" deals",
		"Accuracy against milliseconds a deal on one core, for a list with one budget, by the three routes.")
	x := svgplot.Scale{From: 0.01, To: 1, Start: left, Stop: width - right, Logarithmic: true}
	y := svgplot.Scale{From: 0.1, To: 0.0005, Start: height - bottom, Stop: top, Logarithmic: true} // few mistakes are at the top
	for _, at := range []float64{0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1} {
		d.Line(x.At(at), top, x.At(at), height-bottom, svgplot.Grid, 1, false)
		d.Text(x.At(at), height-bottom+20, svgplot.Middle, svgplot.Muted, "", fmt.Sprintf("%g ms", at))
	}
	for _, accuracy := range []float64{0.9, 0.95, 0.98, 0.99, 0.995, 0.998, 0.999, 0.9995} {
		at := y.At(1 - accuracy)
		d.Line(left, at, width-right, at, svgplot.Grid, 1, false)
		d.Text(left-8, at+4, svgplot.End, svgplot.Muted, "", fmt.Sprintf("%g %%", math.Round(1e4*accuracy)/100))
	}
	d.Text((left+width-right)/2, height-14, svgplot.Middle, svgplot.Ink, "", "time a deal, on one core")
	d.Upwards(22, (top+height-bottom)/2, svgplot.Ink, "deals answered right")
	tones := []svgplot.Tone{svgplot.Orange, svgplot.Blue, svgplot.Green}
	for _, i := range []int{2, 1, 0} { // auto below the others, which it covers in part
		r := Routes()[i]
		var points []svgplot.Point
		for _, p := range Lists(set, r) {
			points = append(points, svgplot.Point{X: x.At(ms(p.Took)), Y: y.At(max(0.0005, 1-p.Accuracy))})
		}
		d.Polyline(points, tones[i], []float64{2, 2, 5}[i])
		d.Dot(points[len(points)-1], 4, tones[i])
		at := float64(top + 20 + 20*i)
		d.Line(left+16, at-4, left+40, at-4, tones[i], 2, false)
		d.Text(left+48, at, svgplot.Start, svgplot.Ink, "", "route "+r.Name)
	}
	return d.Bytes()
}
