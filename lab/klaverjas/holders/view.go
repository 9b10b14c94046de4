package holders

import (
	"context"

	"roem/internal/engine/klaverjas"
	"roem/internal/engine/piquet"
	"roem/lab/klaverjas/beliefnet"
	"roem/lab/klaverjas/games"
	"roem/lab/learn/forest"
)

// ViewForest is a multi-output forest in the form of the paper: one row for a view, with an encoding of each card, and one output for each
// card and each other seat. Seats are those relative to the view's. Trumps are the first suit.
type ViewForest struct{ forest *forest.Multi }

// The columns of a view: for each card whether it is in the view's hand, and whether the view's seat, the next and so on has played it;
// then the number of cards played, who led, whether the view's team declares, and the system.
const (
	cardColumns = 5
	viewNumber  = 32 * cardColumns
	viewLeader  = viewNumber + 1
	viewDeclare = viewLeader + 4
	viewSystem  = viewDeclare + 1
	viewColumns = viewSystem + 1
	viewOutputs = 32 * 3
)

// place returns the number of a card when trumps are the first suit.
func place(c piquet.Card, trump piquet.Suit) int {
	suit := c.Suit()
	switch {
	case suit == trump:
		suit = 0
	case suit < trump:
		suit++
	}
	return 8*int(suit) + int(c.Face())
}

func viewRow(ex *beliefnet.Example, row []uint8) {
	clear(row)
	k := ex.Knowledge
	v := k.View()
	for c := range k.Own().All() {
		row[place(c, v.Trump)*cardColumns] = 1
	}
	trick := klaverjas.Trick{Leader: v.Leader, Winner: v.Leader}
	for _, c := range v.Played {
		row[place(c, v.Trump)*cardColumns+1+trick.Turn().Minus(v.Seat)] = 1
		if trick = trick.With(c, v.Trump); trick.Len == 4 {
			trick = klaverjas.Trick{Leader: trick.Winner, Winner: trick.Winner}
		}
	}
	row[viewNumber] = uint8(len(v.Played))
	row[viewLeader+v.Leader.Minus(v.Seat)] = 1
	if v.Declarer == v.Seat.Team() {
		row[viewDeclare] = 1
	}
	row[viewSystem] = uint8(v.Rules.System)
}

// TrainViewForest grows a forest from games.
func TrainViewForest(ctx context.Context, all []games.Game, s Settings) (*ViewForest, error) {
	columns := make([]forest.Column, viewColumns)
	for i := range columns {
		columns[i].Limit = 2
	}
	columns[viewNumber].Limit = 33
	var labels []forest.Outputs
	row := make([]uint8, viewColumns)
	err := eachView(ctx, all, &s, func(ex *beliefnet.Example) {
		viewRow(ex, row)
		for i, code := range row {
			columns[i].Codes = append(columns[i].Codes, code)
		}
		v := ex.Knowledge.View()
		var held forest.Outputs
		for o := range 3 {
			for c := range ex.World[v.Seat.Plus(o+1)].All() {
				held.Set(3*place(c, v.Trump) + o)
			}
		}
		labels = append(labels, held)
	})
	if err != nil {
		return nil, err
	}
	f, err := forest.TrainMulti(ctx, columns, labels, viewOutputs, s.forest())
	return &ViewForest{f}, err
}

// Marginals returns the estimate of a view.
func (f *ViewForest) Marginals(ex *beliefnet.Example) *Marginals {
	var m Marginals
	row, out := make([]uint8, viewColumns), make([]float64, viewOutputs)
	viewRow(ex, row)
	f.forest.Predict(row, out)
	v := ex.Knowledge.View()
	for c := range ex.Knowledge.Unseen().All() {
		for o := range 3 {
			m[c][v.Seat.Plus(o+1)] = out[3*place(c, v.Trump)+o]
		}
	}
	return &m
}
