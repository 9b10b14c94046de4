package tarok

import (
	"context"
	"fmt"
	"strings"
	"time"

	"roem/internal/engine/tarok"
	"roem/internal/engine/tarok/search"
	"roem/internal/random"
	"roem/lab/speed"
)

// Row is a row of Table 2: a combination of enhancements, and the nodes and times of its searches.
type Row struct {
	Name         string
	Enhancements search.Enhancements
	Paper        int // the nodes of the paper; 0 if it has none
	Positions    int
	Mean, Median float64 // nodes
	Worst        float64
	Seconds      float64 // mean
}

// Experiment is the experiment of Table 2: searches for the first card of random deals.
type Experiment struct {
	Deals     int
	Seed      uint64
	Depth     int
	Selection search.Selection // what selective move generation is
	Clock     func() time.Duration
}

// rows returns the combinations of Table 2 of the paper, four with a plain table, and with the minimal window that the paper tried without
// gain.
func (e *Experiment) rows() []Row {
	all := search.Enhancements{Deepening: true, History: true, Selection: e.Selection, Table: search.Equivalence}
	without := func(change func(*search.Enhancements)) search.Enhancements {
		out := all
		change(&out)
		return out
	}
	return []Row{
		{Name: "all four", Paper: 2470, Enhancements: all},
		{Name: "all except iterative deepening", Paper: 3799, Enhancements: without(func(x *search.Enhancements) { x.Deepening = false })},
		{Name: "all except history heuristic", Paper: 3325, Enhancements: without(func(x *search.Enhancements) { x.History = false })},
		{Name: "all except selective moves", Paper: 9936, Enhancements: without(func(x *search.Enhancements) { x.Selection = search.EveryCard })},
		{Name: "all except equivalence table", Paper: 24034, Enhancements: without(func(x *search.Enhancements) { x.Table = search.NoTable })},
		{Name: "only history heuristic", Paper: 283673, Enhancements: search.Enhancements{History: true}},
		{Name: "only selective moves", Paper: 40838, Enhancements: search.Enhancements{Selection: e.Selection}},
		{Name: "only equivalence table", Paper: 14457, Enhancements: search.Enhancements{Table: search.Equivalence}},
		{Name: "none", Paper: 1598924},
		{Name: "all, plain table", Enhancements: without(func(x *search.Enhancements) { x.Table = search.Plain })},
		{
			Name:         "all except iterative deepening, plain table",
			Enhancements: without(func(x *search.Enhancements) { x.Deepening, x.Table = false, search.Plain }),
		},
		{Name: "only plain table", Enhancements: search.Enhancements{Table: search.Plain}},
		{Name: "all, and a minimal window", Enhancements: without(func(x *search.Enhancements) { x.Minimal = true })},
		{
			Name:         "all, plain table, and a minimal window",
			Enhancements: without(func(x *search.Enhancements) { x.Minimal, x.Table = true, search.Plain }),
		},
	}
}

// Run searches the first card of each deal with each combination.
func (e *Experiment) Run(ctx context.Context) ([]Row, error) {
	rows := e.rows()
	s := search.New(search.Options{})
	nodes := make([][]float64, len(rows))
	for i := range e.Deals {
		p := ending(random.New(e.Seed, uint64(i)), tarok.HandSize)
		for j := range rows {
			began := e.Clock()
			r, err := s.Estimate(ctx, search.LimitedQuery{Position: p, Depth: e.Depth, Enhancements: rows[j].Enhancements})
			if err != nil {
				return nil, err
			}
			rows[j].Seconds += (e.Clock() - began).Seconds() / float64(e.Deals)
			nodes[j] = append(nodes[j], float64(r.Nodes))
		}
	}
	for j := range rows {
		x := speed.Summary(nodes[j])
		rows[j].Positions, rows[j].Mean, rows[j].Median, rows[j].Worst = e.Deals, x[0], x[1], x[3]
	}
	return rows, nil
}

// CSV returns the rows as CSV, without the times, so that the same seed gives the same file. A factor is of the first row, all four.
func CSV(selection search.Selection, rows []Row) []byte {
	var b strings.Builder
	b.WriteString("selection,enhancements,positions,mean_nodes,median_nodes,worst_nodes,factor,paper_nodes,paper_factor\n")
	for _, r := range rows {
		nodes, factor := r.paper(rows, "%.2f")
		fmt.Fprintf(&b, "%s,\"%s\",%d,%.0f,%.0f,%.0f,%.2f,%s,%s\n",
			selection, r.Name, r.Positions, r.Mean, r.Median, r.Worst, r.Mean/rows[0].Mean, nodes, factor)
	}
	return []byte(b.String())
}

// Markdown returns the rows as a table, with the times of this run.
func Markdown(rows []Row) []byte {
	var b strings.Builder
	b.WriteString("| enhancements | mean nodes | median | worst | factor | paper: nodes | factor | ms |\n|---|---|---|---|---|---|---|---|\n")
	for _, r := range rows {
		nodes, factor := r.paper(rows, "%.1f")
		fmt.Fprintf(&b, "| %s | %.0f | %.0f | %.0f | %.1f | %s | %s | %.2f |\n",
			r.Name, r.Mean, r.Median, r.Worst, r.Mean/rows[0].Mean, nodes, factor, r.Seconds*1000)
	}
	return []byte(b.String())
}

// paper returns the nodes and the factor of the paper as text, empty if it has none.
func (r *Row) paper(rows []Row, format string) (nodes, factor string) {
	if r.Paper == 0 {
		return "", ""
	}
	return fmt.Sprint(r.Paper), fmt.Sprintf(format, float64(r.Paper)/float64(rows[0].Paper))
}
