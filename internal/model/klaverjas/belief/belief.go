// Package belief estimates where the hidden cards are from what the players have done. The estimate is a network of the view that gives a
// weight to each card and seat. The weights make a distribution over the worlds of the view ([worlds.Weighted]), which respects the
// sizes of the hands and everything that the rules exclude exactly. With equal weights, the distribution is uniform.
//
// The network is trained on the probability that the distribution gives to the true world, in games of players of the same program
// (package lab/klaverjas/beliefnet). Source: Hein et al., "Random Forests for Opponent Hand Estimation in Gin Rummy", for the task; the
// product form with its exact normalisation is ours.
package belief

import (
	"math"

	"roem/internal/engine/klaverjas/worlds"
	"roem/internal/engine/piquet"
)

// Network has two parts of equal size: for trumps and for plain suits. It is read-only.
type Network struct {
	Hidden int // the size of the hidden layer
	Parts  [2]Part
}

// Part is a network with one hidden layer.
type Part struct {
	First  []float32 // Inputs x Hidden, a row for each input
	Bias   []float32 // Hidden
	Second []float32 // Hidden x Outputs, a row for each hidden number
	Last   []float32 // the bias of the outputs
}

// Case is one suit and one target, with what the network computes for it.
type Case struct {
	Suit   piquet.Suit
	Target piquet.Seat
	Part   int       // 0 for trumps, 1 for plain suits
	In     []uint16  // the inputs that are present
	Hidden []float32 // after the rectifier
	Out    [Outputs]float32
}

// Space is working memory: the cases of a view. Only one goroutine at a time may use it.
type Space struct{ Cases [12]Case }

// Forward computes the outputs for a knowledge.
func (n *Network) Forward(sp *Space, k *worlds.Knowledge) {
	sp.Fill(k)
	for i := range sp.Cases {
		n.forward(&sp.Cases[i])
	}
}

// Fill sets the cases of a knowledge with their inputs, without outputs.
func (sp *Space) Fill(k *worlds.Knowledge) {
	s := newScene(k)
	for i := range sp.Cases {
		c := &sp.Cases[i]
		c.Suit, c.Target = piquet.Suit(i/3), s.view.Seat.Plus(i%3+1)
		c.Part = 1
		if c.Suit == s.view.Trump {
			c.Part = 0
		}
		c.In = s.features(c.In[:0], c.Suit, c.Target)
	}
}

func (n *Network) forward(c *Case) {
	p := &n.Parts[c.Part]
	if cap(c.Hidden) < n.Hidden {
		c.Hidden = make([]float32, n.Hidden)
	}
	h := c.Hidden[:n.Hidden]
	c.Hidden = h
	copy(h, p.Bias)
	for _, i := range c.In {
		row := p.First[int(i)*n.Hidden:][:len(h)]
		for j := range h {
			h[j] += row[j]
		}
	}
	copy(c.Out[:], p.Last)
	for i, x := range h {
		if x <= 0 {
			h[i] = 0
			continue
		}
		row := p.Second[i*Outputs:][:Outputs]
		for j := range c.Out {
			c.Out[j] += float32(x * row[j])
		}
	}
}

// limit is the largest absolute value of an output: a belief never excludes a card.
const limit = 8

// Weights returns the weights of the outputs, by card and seat.
func (sp *Space) Weights() *[32][4]float64 {
	var w [32][4]float64
	for i := range sp.Cases {
		c := &sp.Cases[i]
		for f, z := range c.Out {
			w[piquet.Of(c.Suit, piquet.Face(f))][c.Target] = math.Exp(max(-limit, min(limit, float64(z))))
		}
	}
	return &w
}

// Of returns the belief of the network.
func (n *Network) Of(k *worlds.Knowledge, sp *Space) (*worlds.Weighted, error) {
	n.Forward(sp, k)
	return k.Weighted(sp.Weights())
}
