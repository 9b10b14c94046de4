package floatnet

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"

	"roem/internal/model/klaverjas/network"
	"roem/internal/model/nn/f32"
)

// Network is a shape and its parameters. It is read-only.
type Network struct {
	layout *network.Layout
	choose [2][]*network.Chooser
	params []float32
	packed []float32 // the matrices in the format of f32, at the same offsets as in params
}

// New returns a network with the given parameters, which it retains. A wrong number of parameters and numbers that are not finite are
// errors.
func New(s network.Shape, params []float32) (*Network, error) {
	if err := s.Validate(); err != nil {
		return nil, err
	}
	l := network.NewLayout(s)
	if len(params) != l.Size {
		return nil, fmt.Errorf("%d parameters: a network of this shape has %d", len(params), l.Size)
	}
	for i, x := range params {
		if !(math.Abs(float64(x)) <= math.MaxFloat32) {
			return nil, fmt.Errorf("parameter %d is %v: expected a finite number", i, x)
		}
	}
	n := &Network{layout: l, choose: network.Choosers(), params: params, packed: make([]float32, l.Size)}
	n.pack()
	return n, nil
}

// pack updates packed after a change of params.
func (n *Network) pack() {
	for _, m := range matricesOf(n.layout) {
		f32.Pack(m.Of(n.packed), m.Of(n.params), m.In, m.Out, m.Out)
	}
}

// Shape returns the shape.
func (n *Network) Shape() network.Shape { return n.layout.Shape }

// Params returns a copy of the parameters.
func (n *Network) Params() []float32 { return slices.Clone(n.params) }

// Opposed returns the parameters of a network in which the leader's opponents are the declarers, with the opposite prediction
// of who wins. Training for the opponents starts with it.
func (n *Network) Opposed() []float32 {
	p := slices.Clone(n.params)
	last, bias := n.layout.Head[2].Of(p), n.layout.Bias[2].Of(p)
	for i := network.Win; i < len(last); i += network.OutWidth {
		last[i] = -last[i]
	}
	bias[network.Win] = -bias[network.Win]
	return p
}

// initial draws random parameters, such that every sum has a variance near one at the start of training.
func initial(l *network.Layout, rng *rand.Rand) []float32 {
	p := make([]float32, l.Size)
	fill := func(x []float32, deviation float64) {
		for i := range x {
			x[i] = float32(rng.NormFloat64() * deviation)
		}
	}
	for kind := range l.Tables {
		for _, m := range l.Tables[kind] {
			fill(m.Of(p), 0.6)
		}
	}
	w := float64(l.Shape.Width)
	for _, layer := range l.Layers {
		fill(layer.A.Of(p), math.Sqrt(1/w))
		fill(layer.B.Of(p), math.Sqrt(0.15/w))
		fill(layer.C.Of(p), math.Sqrt(1/w))
		fill(layer.D.Of(p), math.Sqrt(0.6/w))
		fill(layer.E.Of(p), math.Sqrt(0.1/w))
	}
	fill(l.Head[0].Of(p)[:l.Shape.Width*l.Shape.Head[0]], math.Sqrt(1/w))
	fill(l.Head[0].Of(p)[l.Shape.Width*l.Shape.Head[0]:], math.Sqrt(0.15/w))
	fill(l.Head[1].Of(p), math.Sqrt(2/float64(l.Shape.Head[0])))
	fill(l.Head[2].Of(p), math.Sqrt(0.2/float64(l.Shape.Head[1])))
	return p
}

// matricesOf returns all weight matrices except the tables.
func matricesOf(l *network.Layout) []network.Matrix {
	var all []network.Matrix
	for _, layer := range l.Layers {
		all = append(all, layer.A, layer.B, layer.C, layer.D, layer.E)
	}
	return append(all, l.Head[:]...)
}

// widest returns the width of the widest input of a matrix, forwards or backwards.
func widest(s network.Shape) int { return max(2*s.Width, s.Head[0], s.Head[1], network.OutWidth) }
