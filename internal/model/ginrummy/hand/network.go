// Package hand estimates which cards the opponent of Gin Rummy holds, from what one player has seen. A network computes odds for each
// card, and the odds make a distribution over the hands with the right number of cards ([worlds.Distribution]): cards that are known have
// the probability 0 or 1, and the others sum to the number of cards that are not known.
//
// The network is asked for each card alone, with the same weights: its inputs are what is known of the cards around it in suit and rank,
// and how low the opponent's discards have been. So it does not depend on the names of the suits. It learns from games of simple players
// (package lab/ginrummy). Source of the task: Hein, Jiang, Thiyageswaran and Guerzhoy, "Random Forests for Opponent Hand Estimation in Gin
// Rummy", 2021; the network is ours.
package hand

import (
	"cmp"
	"math"

	"roem/internal/engine/ginrummy"
	"roem/internal/engine/ginrummy/worlds"
	"roem/internal/model/nn/f32"
)

// Network has two hidden layers. It is read-only, but for Params and Pack.
type Network struct {
	Hidden int       // numbers of the first hidden layer, a multiple of f32.Strip
	First  []float32 // Inputs x Hidden
	Shared []float32 // Shared x Hidden
	Bias   []float32 // Hidden
	Second []float32 // Hidden x Middle
	Mid    []float32 // Middle, the bias of the second layer
	Last   []float32 // Middle; the output has no bias, which would change no distribution

	packed []float32 // Second in the order of f32.Pack
}

// Middle is the number of numbers of the second hidden layer.
const Middle = 16

// Space is working memory. Only one goroutine at a time may use it.
type Space struct {
	In     In
	N      int // the open cards
	Card   [ginrummy.DeckSize]ginrummy.Card
	Hidden []float32 // N rows of the first layer
	Middle []float32 // N rows of the second layer
	Output [ginrummy.DeckSize]float32

	base []float32
	list *f32.Lists
	odds worlds.Odds
	rank [4]ginrummy.Suit // the suits in canonical order
}

// NewSpace returns working memory.
func (n *Network) NewSpace() *Space {
	return &Space{
		Hidden: make([]float32, ginrummy.DeckSize*n.Hidden), Middle: make([]float32, ginrummy.DeckSize*Middle), base: make([]float32, n.Hidden),
		list: f32.NewLists(ginrummy.DeckSize, max(n.Hidden, Middle)),
	}
}

// Forward computes the outputs of a situation, whose In is filled.
func (n *Network) Forward(sp *Space) {
	w := n.Hidden
	copy(sp.base, n.Bias)
	f32.AddRows(sp.base, sp.In.Shared[:], n.Shared)
	sp.N = 0
	for s := sp.In.Unknown; s != 0; s &= s - 1 {
		c := s.First()
		sp.Card[sp.N] = c
		h := sp.Hidden[sp.N*w:][:w]
		copy(h, sp.base)
		f32.AddRows(h, sp.In.Cards[c][:], n.First)
		copy(sp.Middle[sp.N*Middle:][:Middle], n.Mid)
		sp.N++
	}
	if sp.N == 0 {
		return
	}
	h, m := sp.Hidden[:sp.N*w], sp.Middle[:sp.N*Middle]
	f32.Relu(h)
	sp.list.Rows(h, sp.N, w)
	sp.list.Gemm(Middle, n.packed, m)
	f32.Relu(m)
	for i := range sp.N {
		sp.Output[i] = f32.Dot(m[i*Middle:][:Middle], n.Last)
	}
}

// limit is the largest absolute value of an output: an estimate never excludes a card that is not known.
const limit = 9

// Distribution sets d to the distribution of the last Forward.
func (sp *Space) Distribution(d *worlds.Distribution) {
	for i, c := range sp.Card[:sp.N] {
		sp.odds[c] = math.Exp(max(-limit, min(limit, float64(sp.Output[i]))))
	}
	sp.order()
	d.Set(sp.In.Kept, sp.In.Unknown, ginrummy.HandSize-sp.In.Kept.Len(), &sp.odds, sp.rank)
}

// order puts the suits into canonical order: the order of their open cards and odds, so that sums do not depend on their names.
func (sp *Space) order() {
	sp.rank = ginrummy.Suits()
	for i := 1; i < 4; i++ {
		for j := i; j > 0 && sp.compare(sp.rank[j], sp.rank[j-1]) < 0; j-- {
			sp.rank[j], sp.rank[j-1] = sp.rank[j-1], sp.rank[j]
		}
	}
}

func (sp *Space) compare(a, b ginrummy.Suit) int {
	of, other := sp.In.Unknown.InSuit(a), sp.In.Unknown.InSuit(b)
	if of != other {
		return cmp.Compare(of, other)
	}
	for r := range ginrummy.Rank(ginrummy.Ranks) {
		if of>>r&1 != 0 {
			if x, y := sp.odds[ginrummy.Of(a, r)], sp.odds[ginrummy.Of(b, r)]; x != y {
				return cmp.Compare(x, y)
			}
		}
	}
	return 0
}

// Probabilities returns the probabilities of d, which Distribution has set. Suits with equal odds get equal probabilities, to the last bit.
func (sp *Space) Probabilities(d *worlds.Distribution) [ginrummy.DeckSize]float64 {
	p := d.Probabilities()
	for i := 0; i < 4; {
		to := i + 1
		for to < 4 && sp.compare(sp.rank[i], sp.rank[to]) == 0 {
			to++
		}
		for r := range ginrummy.Rank(ginrummy.Ranks) {
			if to == i+1 || sp.In.Unknown.InSuit(sp.rank[i])>>r&1 == 0 {
				continue
			}
			sum := 0.0
			for _, suit := range sp.rank[i:to] {
				sum += p[ginrummy.Of(suit, r)]
			}
			for _, suit := range sp.rank[i:to] {
				p[ginrummy.Of(suit, r)] = sum / float64(to-i)
			}
		}
		i = to
	}
	return p
}

// Of sets d to the distribution of a view.
func (n *Network) Of(v *ginrummy.View, sp *Space, d *worlds.Distribution) {
	sp.In.Fill(v)
	n.Forward(sp)
	sp.Distribution(d)
}

// Estimate sets d to the distribution of a view, and returns its probabilities.
func (n *Network) Estimate(v *ginrummy.View, sp *Space, d *worlds.Distribution) [ginrummy.DeckSize]float64 {
	n.Of(v, sp, d)
	return sp.Probabilities(d)
}

// New returns a network of zeros, whose distributions are uniform.
func New(hidden int) *Network {
	return &Network{
		Hidden: hidden, First: make([]float32, Inputs*hidden), Shared: make([]float32, Shared*hidden), Bias: make([]float32, hidden),
		Second: make([]float32, hidden*Middle), Mid: make([]float32, Middle), Last: make([]float32, Middle),
		packed: make([]float32, hidden*Middle),
	}
}

// Params returns the lists of parameters, which may be changed before Pack: First, Shared, Bias, Second, Mid and Last.
func (n *Network) Params() [][]float32 {
	return [][]float32{n.First, n.Shared, n.Bias, n.Second, n.Mid, n.Last}
}

// Pack makes changes of Params count.
func (n *Network) Pack() { f32.Pack(n.packed, n.Second, n.Hidden, Middle, Middle) }
