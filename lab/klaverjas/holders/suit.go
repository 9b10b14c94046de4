package holders

import (
	"context"
	"math"

	"roem/internal/engine/piquet"
	"roem/internal/model/klaverjas/belief"
	"roem/lab/klaverjas/beliefnet"
	"roem/lab/klaverjas/games"
	"roem/lab/learn/forest"
	"roem/lab/learn/logistic"
)

// The models of this file are asked once for each suit and each other seat, like the network of package belief, and have its inputs.
// Trumps and plain suits have models of their own; the seats share one, and so do the plain suits.

// suitColumns is the number of columns of a suit and a seat: how often each input is present, and the number of cards played.
const suitColumns = belief.Inputs + 1

// suitRow writes the columns of a case.
func suitRow(ex *beliefnet.Example, one *belief.Case, row []uint8) {
	clear(row)
	for _, input := range one.In {
		row[input]++
	}
	row[belief.Inputs] = uint8(len(ex.Knowledge.View().Played))
}

// Forest is a multi-output forest with an output for each face of a suit.
type Forest struct{ parts [2]*forest.Multi }

// TrainForest grows a forest from games.
func TrainForest(ctx context.Context, all []games.Game, s Settings) (*Forest, error) {
	var columns [2][]forest.Column
	var labels [2][]forest.Outputs
	for p := range columns {
		columns[p] = make([]forest.Column, suitColumns)
		for i := range columns[p] {
			columns[p][i].Limit = 9 // a suit has eight cards, and no input is present more often
		}
		columns[p][belief.Inputs].Limit = 33
	}
	var sp belief.Space
	row := make([]uint8, suitColumns)
	err := eachView(ctx, all, &s, func(ex *beliefnet.Example) {
		sp.Fill(ex.Knowledge)
		for i := range sp.Cases {
			one := &sp.Cases[i]
			if uncertain(ex, one.Target).InSuit(one.Suit).Empty() {
				continue
			}
			suitRow(ex, one, row)
			for j, code := range row {
				columns[one.Part][j].Codes = append(columns[one.Part][j].Codes, code)
			}
			var held forest.Outputs
			for c := range ex.World[one.Target].InSuit(one.Suit).All() {
				held.Set(int(c.Face()))
			}
			labels[one.Part] = append(labels[one.Part], held)
		}
	})
	if err != nil {
		return nil, err
	}
	f := new(Forest)
	for p := range f.parts {
		f.parts[p], err = forest.TrainMulti(ctx, columns[p], labels[p], belief.Outputs, s.forest())
		if err != nil {
			return nil, err
		}
	}
	return f, nil
}

func (s *Settings) forest() forest.MultiOptions {
	return forest.MultiOptions{
		Options: forest.Options{Trees: s.Trees, Features: -1, Bootstrap: true, Seed: s.Seed, Workers: s.Workers}, MinLeaf: s.MinLeaf,
	}
}

// Marginals returns the estimate of a view.
func (f *Forest) Marginals(ex *beliefnet.Example) *Marginals {
	var m Marginals
	var sp belief.Space
	sp.Fill(ex.Knowledge)
	row, out := make([]uint8, suitColumns), make([]float64, belief.Outputs)
	for i := range sp.Cases {
		one := &sp.Cases[i]
		suitRow(ex, one, row)
		f.parts[one.Part].Predict(row, out)
		for face, p := range out {
			m[piquet.Of(one.Suit, piquet.Face(face))][one.Target] = p
		}
	}
	return &m
}

// Logistic is a logistic regression for each face, of trumps and of plain suits.
type Logistic struct {
	parts [2][belief.Outputs]*logistic.Sparse
}

// TrainLogistic fits a regression to games. It learns from the cards that a seat may hold, but does not hold for certain.
func TrainLogistic(ctx context.Context, all []games.Game, s Settings) (*Logistic, error) {
	var rows [2][belief.Outputs][][]uint16
	var labels [2][belief.Outputs][]bool
	err := eachView(ctx, all, &s, func(ex *beliefnet.Example) {
		var sp belief.Space // the rows keep its lists of inputs
		sp.Fill(ex.Knowledge)
		for i := range sp.Cases {
			one := &sp.Cases[i]
			for c := range uncertain(ex, one.Target).InSuit(one.Suit).All() {
				face := c.Face()
				rows[one.Part][face] = append(rows[one.Part][face], one.In)
				labels[one.Part][face] = append(labels[one.Part][face], ex.World[one.Target].Has(c))
			}
		}
	})
	if err != nil {
		return nil, err
	}
	m := new(Logistic)
	for p := range rows {
		for face := range rows[p] {
			m.parts[p][face], err = logistic.TrainSparse(ctx, rows[p][face], belief.Inputs, labels[p][face],
				logistic.Options{Ridge: s.Ridge, Steps: 25, Workers: s.Workers})
			if err != nil {
				return nil, err
			}
		}
	}
	return m, nil
}

// Marginals returns the estimate of a view.
func (l *Logistic) Marginals(ex *beliefnet.Example) *Marginals {
	var m Marginals
	var sp belief.Space
	sp.Fill(ex.Knowledge)
	for i := range sp.Cases {
		one := &sp.Cases[i]
		for face, model := range l.parts[one.Part] {
			m[piquet.Of(one.Suit, piquet.Face(face))][one.Target] = 1 / (1 + math.Exp(-model.Predict(one.In)))
		}
	}
	return &m
}
