// Package ginhand estimates which cards the opponent of Gin Rummy holds, from what one player has seen. A network computes odds for each card, and
// the odds make a distribution over the hands with the right number of cards ([hands.Distribution]): cards that are known have the probability 0 or
// 1, and the others sum to the number of cards that are not known.
//
// The network is asked for the four suits together, with the same weights for each suit, and sums over the suits; so it does not depend on their
// names. It learns from games of simple players (package lab/ginlab). Source of the task: Hein, Jiang, Thiyageswaran and Guerzhoy, "Random
// Forests for Opponent Hand Estimation in Gin Rummy", 2021; the network is ours.
package ginhand

import (
	"math"

	"roem/internal/engine/ginrummy"
	"roem/internal/engine/ginrummy/hands"
	"roem/internal/model/f32"
)

// Layers is the number of layers that mix the suits, after the first layer.
const Layers = 2

// Outs is the number of outputs of a suit: 13 that are used, and zeros up to a multiple of f32.Strip.
const Outs = 16

// Network is read-only but for Params and Pack. All suits have the same weights.
type Network struct {
	Hidden int       // a multiple of f32.Strip
	Own    []float32 // Inputs x Hidden: of a suit's inputs for itself
	Other  []float32 // Inputs x Hidden: of its inputs for each other suit
	Shared []float32 // Shared x Hidden
	First  []float32 // Hidden, the bias of the first layer
	Mix    [Layers]Mix
	Last   []float32 // Hidden x Outs
	Bias   []float32 // Outs

	packed [2*Layers + 1][]float32 // A and B of each layer, and Last, in the order of f32.Pack
}

// Mix is a layer: the numbers of a suit become the rectified sum of Bias, A times them, and B times the sum of all suits.
type Mix struct{ A, B, Bias []float32 } // Hidden x Hidden, Hidden x Hidden, Hidden

// Space is working memory for a number of situations at a time. Only one goroutine at a time may use it.
type Space struct {
	In   []In
	X    [Layers + 1][]float32 // after each layer: 4 x situations rows of Hidden
	Sum  [Layers][]float32     // the sums over the suits: situations rows of Hidden
	Out  []float32             // 4 x situations rows of Outs
	side []float32
	more []float32
	list *f32.Lists
}

// NewSpace returns working memory for n situations.
func (n *Network) NewSpace(situations int) *Space {
	sp := &Space{
		In: make([]In, situations), Out: make([]float32, 4*situations*Outs), side: make([]float32, 4*situations*n.Hidden), more: make([]float32, n.Hidden),
		list: f32.NewLists(4*situations, n.Hidden),
	}
	for i := range sp.X {
		sp.X[i] = make([]float32, 4*situations*n.Hidden)
	}
	for i := range sp.Sum {
		sp.Sum[i] = make([]float32, situations*n.Hidden)
	}
	return sp
}

// Forward computes the outputs of the first situations, whose In are filled.
func (n *Network) Forward(sp *Space, situations int) {
	w := n.Hidden
	for i := range situations {
		in := &sp.In[i]
		copy(sp.more, n.First)
		f32.AddRows(sp.more, in.Shared, n.Shared)
		side := sp.side[:4*w]
		for u, list := range in.Suits {
			other := side[u*w:][:w]
			clear(other)
			f32.AddRows(other, list, n.Other)
			f32.Add(sp.more, other)
		}
		for u, list := range in.Suits {
			x := sp.X[0][(4*i+u)*w:][:w]
			other := side[u*w:][:w]
			for k := range x {
				x[k] = sp.more[k] - other[k]
			}
			f32.AddRows(x, list, n.Own)
			f32.Relu(x)
		}
	}
	rows := 4 * situations
	for l := range n.Mix {
		from, sum, to := sp.X[l][:rows*w], sp.Sum[l][:situations*w], sp.X[l+1][:rows*w]
		for i := range situations {
			s := sum[i*w:][:w]
			copy(s, from[4*i*w:])
			for u := 1; u < 4; u++ {
				f32.Add(s, from[(4*i+u)*w:][:w])
			}
		}
		shared := sp.side[:situations*w]
		for i := range situations {
			copy(shared[i*w:], n.Mix[l].Bias)
		}
		sp.list.Rows(sum, situations, w)
		sp.list.Gemm(w, n.packed[2*l+1], shared)
		for r := range rows {
			copy(to[r*w:][:w], shared[r/4*w:][:w])
		}
		sp.list.Rows(from, rows, w)
		sp.list.Gemm(w, n.packed[2*l], to)
		f32.Relu(to)
	}
	for r := range rows {
		copy(sp.Out[r*Outs:][:Outs], n.Bias)
	}
	sp.list.Rows(sp.X[Layers][:rows*w], rows, w)
	sp.list.Gemm(Outs, n.packed[2*Layers], sp.Out[:rows*Outs])
}

// limit is the largest absolute value of an output: an estimate never excludes a card that is not known.
const limit = 9

// Distribution sets d to the distribution of situation i after Forward.
func (sp *Space) Distribution(i int, d *hands.Distribution) {
	in := &sp.In[i]
	var odds hands.Odds
	for u, suit := range in.Order {
		for r := range ginrummy.Rank(ginrummy.Ranks) {
			odds[ginrummy.Of(suit, r)] = math.Exp(max(-limit, min(limit, float64(sp.Out[(4*i+u)*Outs+int(r)]))))
		}
	}
	d.Set(in.Kept, in.Unknown, ginrummy.HandSize-in.Kept.Len(), &odds, in.Order)
}

// Probabilities returns the probabilities of the distribution of situation i, which Distribution has set. Suits with equal inputs get equal
// probabilities, to the last bit.
func (sp *Space) Probabilities(i int, d *hands.Distribution) [ginrummy.DeckSize]float64 {
	p := d.Probabilities()
	in := &sp.In[i]
	for u := 0; u < 4; {
		to := u + 1
		for to < 4 && equal(in.Suits[u], in.Suits[to]) {
			to++
		}
		if to > u+1 {
			for r := range ginrummy.Rank(ginrummy.Ranks) {
				sum := 0.0
				for _, suit := range in.Order[u:to] {
					sum += p[ginrummy.Of(suit, r)]
				}
				for _, suit := range in.Order[u:to] {
					p[ginrummy.Of(suit, r)] = sum / float64(to-u)
				}
			}
		}
		u = to
	}
	return p
}

func equal(a, b []uint16) bool {
	if len(a) != len(b) {
		return false
	}
	for i := range a {
		if a[i] != b[i] {
			return false
		}
	}
	return true
}

// Estimate sets d to the distribution of a view, and returns its probabilities.
func (n *Network) Estimate(v *ginrummy.View, sp *Space, d *hands.Distribution) [ginrummy.DeckSize]float64 {
	n.Of(v, sp, d)
	return sp.Probabilities(0, d)
}

// Of sets d to the distribution of a view.
func (n *Network) Of(v *ginrummy.View, sp *Space, d *hands.Distribution) {
	sp.In[0].Fill(v)
	n.Forward(sp, 1)
	sp.Distribution(0, d)
}

// New returns a network of zeros, whose distributions are uniform.
func New(hidden int) *Network {
	n := &Network{
		Hidden: hidden, Own: make([]float32, Inputs*hidden), Other: make([]float32, Inputs*hidden), Shared: make([]float32, Shared*hidden),
		First: make([]float32, hidden), Last: make([]float32, hidden*Outs), Bias: make([]float32, Outs),
	}
	for l := range n.Mix {
		n.Mix[l] = Mix{make([]float32, hidden*hidden), make([]float32, hidden*hidden), make([]float32, hidden)}
	}
	for i, m := range n.Matrices() {
		n.packed[i] = make([]float32, len(m))
	}
	return n
}

// Params returns the lists of parameters, which may be changed before Pack: Own, Other, Shared, First, A, B and Bias of each layer, Last and Bias.
func (n *Network) Params() [][]float32 {
	all := [][]float32{n.Own, n.Other, n.Shared, n.First}
	for _, m := range n.Mix {
		all = append(all, m.A, m.B, m.Bias)
	}
	return append(all, n.Last, n.Bias)
}

// Matrices returns A and B of each layer, and Last.
func (n *Network) Matrices() [2*Layers + 1][]float32 {
	var all [2*Layers + 1][]float32
	for l, m := range n.Mix {
		all[2*l], all[2*l+1] = m.A, m.B
	}
	all[2*Layers] = n.Last
	return all
}

// Pack makes changes of Params count.
func (n *Network) Pack() {
	for i, m := range n.Matrices() {
		f32.Pack(n.packed[i], m, n.Hidden, len(m)/n.Hidden, len(m)/n.Hidden)
	}
}
