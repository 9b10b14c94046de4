package tarok

import (
	"context"
	"fmt"
	"strings"

	"roem/internal/engine/match"
	"roem/internal/engine/tarok/search"
	"roem/internal/random"
)

// Loss is what a search with a selection and a table loses against the search of every card without classes of positions.
type Loss struct {
	Selection search.Selection
	Table     search.Table
	Cards     int // in a hand at the start of the trick
	Positions int
	Nodes     float64        // mean
	Worse     match.Estimate // the share of positions whose card is worse than the best one
	Mean      match.Estimate // how much worse the card is, in discounted thirds of a point
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
		p := playOn(rng, ending(rng, cards), i%3) // the second and the third card of a trick are decisions too
		judge, err := losses(ctx, s, &p, x.Depth, search.EveryCard)
		if err != nil {
			return nil, err
		}
		for j := range kinds {
			r, err := s.Estimate(ctx, search.LimitedQuery{
				Position: p, Depth: x.Depth,
				Enhancements: search.Enhancements{Deepening: true, History: true, Selection: kinds[j].Selection, Table: kinds[j].Table},
			})
			if err != nil {
				return nil, err
			}
			loss, legal := judge[r.Card]
			if !legal {
				return nil, fmt.Errorf("the search chose %s, which is not legal", r.Card)
			}
			lost[j] = append(lost[j], loss)
			kinds[j].Nodes += float64(r.Nodes) / float64(x.Positions)
		}
	}
	for j := range kinds {
		kinds[j].measure(lost[j])
	}
	return kinds, nil
}

// measure fills in the means of the losses.
func (l *Loss) measure(lost []float64) {
	worse := make([]float64, len(lost))
	for i, x := range lost {
		if x > 1e-9 {
			worse[i] = 1
		}
	}
	l.Positions, l.Mean, l.Worse = len(lost), match.MeanOf(lost), match.MeanOf(worse)
}

// LossCSV returns the losses as CSV.
func LossCSV(list []Loss) []byte {
	var b strings.Builder
	b.WriteString("cards,selection,table,positions,mean_nodes,worse_share,worse_half,mean_loss,loss_half\n")
	for _, l := range list {
		fmt.Fprintf(&b, "%d,%s,%s,%d,%.0f,%.4f,%.4f,%.4f,%.4f\n", l.Cards, l.Selection, l.Table, l.Positions, l.Nodes,
			l.Worse.Mean, match.Z*l.Worse.Error, l.Mean.Mean, match.Z*l.Mean.Error)
	}
	return []byte(b.String())
}
