package network

import (
	"fmt"
	"math"
	"math/rand/v2"

	"roem/internal/model/f32"
)

// Shape says how large a network is. All numbers but Layers are multiples of 16.
type Shape struct {
	Width  int    `json:"width"`  // of a suit's code
	Layers int    `json:"layers"` // in which suits take in each other
	Head   [2]int `json:"head"`   // the widths of the two dense layers at the end
}

// Limits of a shape. They bound the memory that a damaged file can ask for.
const (
	maxWidth  = 1024
	maxLayers = 8
)

// Validate says what is wrong with a shape.
func (s Shape) Validate() error {
	for name, n := range map[string]int{"width": s.Width, "head[0]": s.Head[0], "head[1]": s.Head[1]} {
		if n < f32.Strip || n > maxWidth || n%f32.Strip != 0 {
			return fmt.Errorf("%s is %d: expected a multiple of %d up to %d", name, n, f32.Strip, maxWidth)
		}
	}
	if s.Layers < 0 || s.Layers > maxLayers {
		return fmt.Errorf("layers is %d: expected 0 to %d", s.Layers, maxLayers)
	}
	return nil
}

// widest returns how wide the widest rows are that go into a matrix, forwards or backwards.
func (s Shape) widest() int { return max(2*s.Width, s.Head[0], s.Head[1], outWidth) }

// outWidth is the width of the last matrix: the outputs, filled up to a strip.
const outWidth = f32.Strip

// matrix is a weight matrix within the parameters, row by row: in rows, out columns.
type matrix struct{ at, in, out int }

func (m matrix) of(p []float32) []float32 { return p[m.at:][:m.in*m.out] }

// vector is a bias within the parameters.
type vector struct{ at, n int }

func (v vector) of(p []float32) []float32 { return p[v.at:][:v.n] }

// layer are the parameters of one layer, by the letters of the package's comment.
type layer struct {
	a, b, c, d, e matrix
	trump, plain  vector
}

// layout says where in the parameters everything stands.
type layout struct {
	shape  Shape
	tables [2][]matrix // by kind of suit and group
	first  [2]vector
	layers []layer
	head   [3]matrix
	bias   [3]vector
	size   int // of all parameters
}

// newLayout returns where everything stands in one array.
func newLayout(s Shape) *layout {
	at := 0
	l := layoutOf(s, &at, &at, &at)
	l.size = at
	return l
}

// layoutOf returns a layout in which the tables are counted by tables, what sums start with, the vectors of layers and of the head, by wide, and all
// else by narrow.
func layoutOf(s Shape, tables, narrow, wide *int) *layout {
	l := &layout{shape: s}
	m := func(in, out int) matrix {
		m := matrix{*narrow, in, out}
		*narrow += in * out
		return m
	}
	v := func(n int) vector {
		v := vector{*wide, n}
		*wide += n
		return v
	}
	for kind, all := range groups() {
		for _, group := range all {
			rows := rowsOf(group)
			l.tables[kind] = append(l.tables[kind], matrix{*tables, rows, s.Width})
			*tables += rows * s.Width
		}
		l.first[kind] = vector{*narrow, s.Width}
		*narrow += s.Width
	}
	for range s.Layers {
		l.layers = append(l.layers, layer{
			a: m(s.Width, s.Width), b: m(s.Width, s.Width), c: m(s.Width, s.Width), d: m(s.Width, s.Width), e: m(s.Width, s.Width),
			trump: v(s.Width), plain: v(s.Width),
		})
	}
	in := 2 * s.Width
	for i, out := range [3]int{s.Head[0], s.Head[1], outWidth} {
		l.head[i], l.bias[i] = m(in, out), v(out)
		in = out
	}
	return l
}

// matrices returns all weight matrices but the tables.
func (l *layout) matrices() []matrix {
	var all []matrix
	for _, layer := range l.layers {
		all = append(all, layer.a, layer.b, layer.c, layer.d, layer.e)
	}
	return append(all, l.head[:]...)
}

// Network is a shape and its parameters. It is read-only once it is made.
type Network struct {
	layout *layout
	choose [2][]*chooser
	params []float32
	packed []float32 // the matrices as f32 reads them, each where it stands in params
}

// ParamCount returns how many parameters a valid shape has.
func ParamCount(s Shape) int { return newLayout(s).size }

// New makes a network of parameters, which it keeps. It refuses numbers that are not finite, and a wrong count.
func New(s Shape, params []float32) (*Network, error) {
	if err := s.Validate(); err != nil {
		return nil, err
	}
	l := newLayout(s)
	if len(params) != l.size {
		return nil, fmt.Errorf("%d parameters: a network of this shape has %d", len(params), l.size)
	}
	for i, x := range params {
		if !(math.Abs(float64(x)) <= math.MaxFloat32) {
			return nil, fmt.Errorf("parameter %d is %v: expected a finite number", i, x)
		}
	}
	n := &Network{layout: l, choose: choosers(), params: params, packed: make([]float32, l.size)}
	n.pack()
	return n, nil
}

// pack follows a change of parameters.
func (n *Network) pack() {
	for _, m := range n.layout.matrices() {
		f32.Pack(m.of(n.packed), m.of(n.params), m.in, m.out, m.out)
	}
}

// Shape returns the shape.
func (n *Network) Shape() Shape { return n.layout.shape }

// Params returns a copy of the parameters.
func (n *Network) Params() []float32 { return clone(n.params) }

// Opposed returns the parameters of a network that takes the opponents to be the declarers: where one side wins the other
// does not. It is where training for them starts.
func (n *Network) Opposed() []float32 {
	p := clone(n.params)
	last, bias := n.layout.head[2].of(p), n.layout.bias[2].of(p)
	for i := Win; i < len(last); i += outWidth {
		last[i] = -last[i]
	}
	bias[Win] = -bias[Win]
	return p
}

// initial draws parameters such that every sum starts with a variance near one.
func initial(l *layout, rng *rand.Rand) []float32 {
	p := make([]float32, l.size)
	fill := func(x []float32, deviation float64) {
		for i := range x {
			x[i] = float32(rng.NormFloat64() * deviation)
		}
	}
	for kind := range l.tables {
		for _, m := range l.tables[kind] {
			fill(m.of(p), 0.6)
		}
	}
	w := float64(l.shape.Width)
	for _, layer := range l.layers {
		fill(layer.a.of(p), math.Sqrt(1/w))
		fill(layer.b.of(p), math.Sqrt(0.15/w))
		fill(layer.c.of(p), math.Sqrt(1/w))
		fill(layer.d.of(p), math.Sqrt(0.6/w))
		fill(layer.e.of(p), math.Sqrt(0.1/w))
	}
	fill(l.head[0].of(p)[:l.shape.Width*l.shape.Head[0]], math.Sqrt(1/w))
	fill(l.head[0].of(p)[l.shape.Width*l.shape.Head[0]:], math.Sqrt(0.15/w))
	fill(l.head[1].of(p), math.Sqrt(2/float64(l.shape.Head[0])))
	fill(l.head[2].of(p), math.Sqrt(0.2/float64(l.shape.Head[1])))
	return p
}
