// Package policy says how likely a seat plays each of its legal cards, from what it sees, in some microseconds. It is a small network that
// is asked once for each suit with a legal card, and the same for all seats and all plain suits. It first learned the choices of players
// that search, and then from its own results (package lab/klaverjas/policynet). It is a [playout.Policy].
package policy

import (
	"math/bits"

	"roem/internal/engine/klaverjas/playout"
	"roem/internal/engine/piquet"
	"roem/internal/model/nn/f32"
)

// Network has two parts of equal size: for trumps and for plain suits. It is read-only.
type Network struct {
	Hidden int // the size of the hidden layer, a multiple of 8
	Parts  [2]Part
}

// Part is a network with one hidden layer.
type Part struct {
	First  []float32 // Inputs x Hidden, a row for each input
	Bias   []float32 // Hidden
	Second []float32 // 8 x Hidden, a row for each face
	Last   []float32 // 8, the bias of the outputs
}

// Case is one suit of a decision, with what the network computes for it.
type Case struct {
	Suit   piquet.Suit
	Part   int       // 0 for trumps, 1 for plain suits
	In     []uint16  // the inputs that are present
	Hidden []float32 // after the rectifier
}

// Space is working memory for decisions. Only one goroutine at a time may use it.
type Space struct {
	Cases  [4]Case
	Len    int // the number of cases of the last decision
	shared []uint16
	trumps []uint16
}

// Forward computes the logits of the legal cards of the seat to play, which holds own. Other logits are not changed.
func (n *Network) Forward(sp *Space, t *playout.Table, own, legal piquet.Set, logits *[32]float32) {
	s := sceneOf(t, own, legal, sp.trumps)
	sp.Len = 0
	sp.shared = s.common(sp.shared[:0])
	for suit := range piquet.Suit(4) {
		faces := legal.Faces(suit)
		if faces == 0 {
			continue
		}
		c := &sp.Cases[sp.Len]
		sp.Len++
		c.Suit, c.Part = suit, 1
		if suit == t.Trump {
			c.Part = 0
		}
		c.In = s.suit(append(c.In[:0], sp.shared...), suit)
		p := &n.Parts[c.Part]
		h := n.hidden(p, c)
		for ; faces != 0; faces &= faces - 1 {
			f := bits.TrailingZeros8(faces)
			logits[piquet.Of(suit, piquet.Face(f))] = p.Last[f] + f32.Dot(h, p.Second[f*n.Hidden:])
		}
	}
	sp.trumps = s.trumped
}

// hidden computes the hidden layer of a case.
func (n *Network) hidden(p *Part, c *Case) []float32 {
	if cap(c.Hidden) < n.Hidden {
		c.Hidden = make([]float32, n.Hidden)
	}
	h := c.Hidden[:n.Hidden]
	c.Hidden = h
	copy(h, p.Bias)
	f32.AddRows(h, c.In, p.First)
	f32.Relu(h)
	return h
}

// Seat is a network with working memory: a [playout.Policy].
type Seat struct {
	n  *Network
	sp Space
}

// Seat returns a policy of the network, for one goroutine at a time.
func (n *Network) Seat() *Seat { return &Seat{n: n} }

// Logits is [Network.Forward].
func (s *Seat) Logits(t *playout.Table, own, legal piquet.Set, logits *[32]float32) {
	s.n.Forward(&s.sp, t, own, legal, logits)
}

// New returns a network of zeros.
func New(hidden int) *Network {
	n := &Network{Hidden: hidden}
	for i := range n.Parts {
		n.Parts[i] = Part{
			First: make([]float32, Inputs*hidden), Bias: make([]float32, hidden), Second: make([]float32, hidden*8), Last: make([]float32, 8),
		}
	}
	return n
}

// Params returns the lists of parameters, which may be changed: First, Bias, Second and Last of trumps, then of plain suits.
func (n *Network) Params() [][]float32 {
	var all [][]float32
	for i := range n.Parts {
		p := &n.Parts[i]
		all = append(all, p.First, p.Bias, p.Second, p.Last)
	}
	return all
}
