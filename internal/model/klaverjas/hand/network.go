package hand

import (
	"errors"
	"fmt"
	"math"
	"slices"
)

// The outputs for a kind of question and a leader.
const (
	Win       = iota // the logit of the probability that the declarers win
	Pit              // the logit of the probability that they win all tricks
	Mean             // the mean OUTCOME, in hundreds of points
	Quantile0        // its first quantile, in hundreds of points; the others follow
	Outputs   = Quantile0 + 5
)

// Shape is the size of a network. All widths are multiples of 16.
type Shape struct {
	Rules  int   `json:"rules"`  // number of rule sets
	Width  int   `json:"width"`  // of the tables
	Hidden []int `json:"hidden"` // the widths of the hidden layers
}

// Limits of a shape. They bound the memory that is allocated for a damaged file.
const (
	maxWidth  = 1024
	maxLayers = 8
	maxRules  = 16
	strip     = 16
	patterns  = 256 // of the cards of a suit in a hand
	leaders   = 4
)

// Validate returns an error if the shape is invalid.
func (s *Shape) Validate() error {
	if s.Rules < 1 || s.Rules > maxRules {
		return fmt.Errorf("%d rule sets: expected 1 to %d", s.Rules, maxRules)
	}
	if len(s.Hidden) < 1 || len(s.Hidden) > maxLayers {
		return fmt.Errorf("%d hidden layers: expected 1 to %d", len(s.Hidden), maxLayers)
	}
	for _, n := range append([]int{s.Width}, s.Hidden...) {
		if n < strip || n > maxWidth || n%strip != 0 {
			return fmt.Errorf("a layer has the width %d: expected a multiple of %d up to %d", n, strip, maxWidth)
		}
	}
	return nil
}

// Matrix is a matrix within the parameters, row by row: in rows, out columns.
type Matrix struct{ At, In, Out int }

// Of returns the matrix among parameters.
func (m Matrix) Of(p []float32) []float32 { return p[m.At:][:m.In*m.Out] }

// Row returns a row of the matrix among parameters.
func (m Matrix) Row(p []float32, i int) []float32 { return p[m.At+i*m.Out:][:m.Out] }

// Layer is a dense layer: a matrix and a bias, which is a matrix of one row.
type Layer struct{ Weights, Bias Matrix }

// Layout holds the offsets of all parameters.
type Layout struct {
	Shape        Shape
	Trump, Plain Matrix  // the tables: a row for each pattern of cards
	First        Matrix  // a row for each kind
	Dense        []Layer // the hidden layers and the outputs: by kind, leader and output
	Size         int     // number of parameters
}

// NewLayout returns the layout of a valid shape.
func NewLayout(s Shape) *Layout {
	l := &Layout{Shape: s}
	m := func(in, out int) Matrix {
		m := Matrix{l.Size, in, out}
		l.Size += in * out
		return m
	}
	l.Trump, l.Plain, l.First = m(patterns, s.Width), m(patterns, s.Width), m(s.Rules*Kinds, s.Width)
	in := s.Width
	for _, out := range append(slices.Clone(s.Hidden), s.Rules*Kinds*leaders*Outputs) {
		l.Dense = append(l.Dense, Layer{m(in, out), m(1, out)})
		in = out
	}
	return l
}

// At returns the first of the outputs of a kind and a leader.
func At(kind, leader int) int { return (kind*leaders + leader) * Outputs }

// Network is a shape and its parameters. It is read-only.
type Network struct {
	layout *Layout
	params []float32
}

// NewNetwork returns a network with the given parameters, which it retains.
func NewNetwork(s Shape, params []float32) (*Network, error) {
	if err := s.Validate(); err != nil {
		return nil, err
	}
	l := NewLayout(s)
	if len(params) != l.Size {
		return nil, fmt.Errorf("%d parameters: a network of this shape has %d", len(params), l.Size)
	}
	for _, x := range params {
		if !(math.Abs(float64(x)) <= 1e6) { // so that no output is infinite
			return nil, errors.New("a parameter is not a number up to a million")
		}
	}
	return &Network{l, params}, nil
}

// Shape returns the shape.
func (n *Network) Shape() Shape { return n.layout.Shape }

// Params returns the parameters. They must not be changed.
func (n *Network) Params() []float32 { return n.params }

// space is the working memory of a network.
type space struct {
	x    [2][]float32 // the values of two layers, of which one is read and the other written
	some []term
}

// term is an element of a layer that is not 0, and the offset of its row in a matrix.
type term struct {
	x  float32
	at uint32
}

func (n *Network) newSpace() *space {
	s := &n.layout.Shape
	w := max(s.Width, slices.Max(s.Hidden))
	return &space{[2][]float32{make([]float32, w), make([]float32, w)}, make([]term, 0, w)}
}

// outputs computes the outputs for a hand.
func (n *Network) outputs(sp *space, suits Suits, kind, leader int) (out [Outputs]float32) {
	l, p := n.layout, n.params
	x := sp.x[0][:l.Shape.Width]
	first, trump := l.First.Row(p, kind)[:len(x)], l.Trump.Row(p, int(suits[0]))[:len(x)]
	a, b, c := l.Plain.Row(p, int(suits[1]))[:len(x)], l.Plain.Row(p, int(suits[2]))[:len(x)], l.Plain.Row(p, int(suits[3]))[:len(x)]
	for i := range x {
		x[i] = max(0, first[i]+trump[i]+a[i]+b[i]+c[i])
	}
	last := len(l.Dense) - 1
	for i, layer := range l.Dense[:last] {
		y := sp.x[(i+1)%2][:layer.Weights.Out]
		copy(y, layer.Bias.Of(p))
		sp.addProduct(y, x, layer.Weights.Of(p), layer.Weights.Out)
		for j, v := range y {
			y[j] = max(0, v)
		}
		x = y
	}
	at, layer := At(kind, leader), l.Dense[last]
	copy(out[:], layer.Bias.Of(p)[at:])
	sp.addProduct(out[:], x, layer.Weights.Of(p)[at:], layer.Weights.Out)
	return out
}

// addProduct adds to y, a multiple of 8 wide, the product of x, many of whose elements are 0, and a matrix whose rows are step apart. Each
// sum runs over x in order. The conversions keep the compiler from fusing multiplications with additions.
func (sp *space) addProduct(y, x, matrix []float32, step int) {
	some := sp.some[:0]
	for i, v := range x {
		if v != 0 {
			some = append(some, term{v, uint32(i * step)})
		}
	}
	for j := 0; j+8 <= len(y); j += 8 {
		s := (*[8]float32)(y[j:])
		s0, s1, s2, s3, s4, s5, s6, s7 := s[0], s[1], s[2], s[3], s[4], s[5], s[6], s[7]
		for _, t := range some {
			w := (*[8]float32)(matrix[int(t.at)+j:])
			s0 += float32(t.x * w[0])
			s1 += float32(t.x * w[1])
			s2 += float32(t.x * w[2])
			s3 += float32(t.x * w[3])
			s4 += float32(t.x * w[4])
			s5 += float32(t.x * w[5])
			s6 += float32(t.x * w[6])
			s7 += float32(t.x * w[7])
		}
		*s = [8]float32{s0, s1, s2, s3, s4, s5, s6, s7}
	}
}
