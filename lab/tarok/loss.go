package tarok

import (
	"context"
	"fmt"
	"math"
	"slices"
	"strings"

	"roem/internal/engine/tarok"
	"roem/internal/engine/tarok/search"
	"roem/internal/random"
	"roem/lab/learn/svgplot"
)

// Loss is what a search with a selection and a table loses against the search of every card without classes of positions.
type Loss struct {
	Selection search.Selection
	Table     search.Table
	Cards     int // in a hand at the start of the trick
	Positions int
	Nodes     float64 // mean
	Worse     float64 // the share of positions whose card is worse than the best one
	WorseCI   float64 // half the interval of 95 %
	Mean      float64 // how much worse the card is, in discounted thirds of a point
	MeanCI    float64
}

// Losses is the experiment: searches of random deals, judged by a search of the same depth of every card.
type Losses struct {
	Positions int
	Seed      uint64
	Depth     int
	Cards     []int // in a hand at the start of the trick, for this number of positions each
}

// Run makes the searches.
func (x *Losses) Run(ctx context.Context) (out []Loss, err error) {
	for _, cards := range x.Cards {
		list, err := x.of(ctx, cards)
		if err != nil {
			return nil, err
		}
		out = append(out, list...)
	}
	return out, nil
}

// lossKinds are the selections and tables that are compared.
func lossKinds(cards int) (out []Loss) {
	for _, table := range []search.Table{search.Plain, search.Equivalence} {
		for _, selection := range search.Selections() {
			out = append(out, Loss{Selection: selection, Table: table, Cards: cards})
		}
	}
	return out
}

func (x *Losses) of(ctx context.Context, cards int) ([]Loss, error) {
	kinds := lossKinds(cards)
	lost := make([][]float64, len(kinds))
	s := search.New(search.Options{})
	for i := range x.Positions {
		rng := random.New(x.Seed, uint64(cards), uint64(i))
		p := ending(rng, cards)
		// the second and the third card of a trick are decisions too
		for range i % 3 {
			p, _ = p.Play(tarok.Any(rng, p.Legal()))
		}
		q := search.LimitedQuery{
			Position: p, Depth: x.Depth, Moves: true, Every: true,
			Enhancements: search.Enhancements{Deepening: true, History: true, Selection: search.EveryCard, Table: search.Plain},
		}
		judge, err := s.Estimate(ctx, q)
		if err != nil {
			return nil, err
		}
		sign := -1.0
		if setup := p.Setup(); p.Turn() == setup.Declarer {
			sign = 1
		}
		best := math.Inf(-1)
		for _, m := range judge.Moves {
			best = max(best, sign*m.Value)
		}
		for j := range kinds {
			q := search.LimitedQuery{
				Position: p, Depth: x.Depth,
				Enhancements: search.Enhancements{Deepening: true, History: true, Selection: kinds[j].Selection, Table: kinds[j].Table},
			}
			r, err := s.Estimate(ctx, q)
			if err != nil {
				return nil, err
			}
			at := slices.IndexFunc(judge.Moves, func(m search.Estimated) bool { return m.Card == r.Card })
			if at < 0 {
				return nil, fmt.Errorf("the search chose %s, which is not legal", r.Card)
			}
			lost[j] = append(lost[j], best-sign*judge.Moves[at].Value)
			kinds[j].Nodes += float64(r.Nodes) / float64(x.Positions)
		}
	}
	for j := range kinds {
		kinds[j].measure(lost[j])
	}
	return kinds, nil
}

// measure fills in the means of the losses and their intervals.
func (l *Loss) measure(lost []float64) {
	n := float64(len(lost))
	worse := make([]float64, len(lost))
	for i, x := range lost {
		if x > 1e-9 {
			worse[i] = 1
		}
	}
	l.Positions = len(lost)
	l.Mean, l.MeanCI = interval(lost, n)
	l.Worse, l.WorseCI = interval(worse, n)
}

func interval(x []float64, n float64) (mean, half float64) {
	var square float64
	for _, v := range x {
		mean += v / n
	}
	for _, v := range x {
		square += (v - mean) * (v - mean)
	}
	return mean, 1.96 * math.Sqrt(square/max(n-1, 1)/n)
}

// LossCSV returns the losses as CSV.
func LossCSV(list []Loss) []byte {
	var b strings.Builder
	b.WriteString("cards,selection,table,positions,mean_nodes,worse_share,worse_half,mean_loss,loss_half\n")
	for _, l := range list {
		fmt.Fprintf(&b, "%d,%s,%s,%d,%.0f,%.4f,%.4f,%.4f,%.4f\n", l.Cards, l.Selection, l.Table, l.Positions, l.Nodes, l.Worse, l.WorseCI, l.Mean,
			l.MeanCI)
	}
	return []byte(b.String())
}

// LossFigure draws the mean losses with their intervals of 95 %.
func LossFigure(list []Loss) []byte {
	const (
		width, left, right, step = 760.0, 300.0, 720.0, 24.0
		top                      = 60.0
	)
	bottom := top + step*float64(len(list))
	d := svgplot.New(width, bottom+50, "What selections of moves and tables lose",
		"Mean loss of the chosen card against a search of every card, with intervals of 95 %.")
	most := 0.01
	for _, l := range list {
		most = max(most, l.Mean+l.MeanCI)
	}
	x := func(v float64) float64 { return left + (right-left)*min(max(v, 0)/most, 1) }
	for i := range 5 {
		v := most * float64(i) / 4
		d.Line(x(v), top-6, x(v), bottom, svgplot.Grid, 1, false)
		d.Text(x(v), bottom+16, svgplot.Middle, svgplot.Muted, "small", fmt.Sprintf("%.3f", v))
	}
	for i, l := range list {
		y := top + step*float64(i)
		d.Text(left-8, y+13, svgplot.End, svgplot.Ink, "small",
			fmt.Sprintf("%d cards, %s, table %s: %.0f nodes", l.Cards, l.Selection, l.Table, l.Nodes))
		d.Rect(left, y+3, x(l.Mean)-left, 12, svgplot.Blue, 1)
		d.Line(x(l.Mean-l.MeanCI), y+9, x(l.Mean+l.MeanCI), y+9, svgplot.Ink, 1, false)
	}
	d.Text(left, bottom+36, svgplot.Start, svgplot.Muted, "small", "Discounted thirds of a point; searches of the same depth.")
	return d.Bytes()
}
