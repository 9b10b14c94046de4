package handnet

import (
	"math"
	"math/rand/v2"
	"slices"

	"roem/internal/model/klaverjas/hand"
	"roem/internal/model/nn/f32"
)

// net is a network in training, with the memory for a block of examples.
type net struct {
	layout *hand.Layout
	params []float32
	packed []float32 // the matrices of the dense layers in the format of f32, at the same offsets as in params
	turned []float32 // the same, transposed
}

func newNet(s hand.Shape, params []float32) *net {
	l := hand.NewLayout(s)
	return &net{l, params, make([]float32, l.Size), make([]float32, l.Size)}
}

// initial draws random parameters but for the tables ([newTable]), such that every sum has a variance near one at the start of training.
func initial(l *hand.Layout, rng *rand.Rand) []float32 {
	p := make([]float32, l.Size)
	fill := func(x []float32, deviation float64) {
		for i := range x {
			x[i] = float32(rng.NormFloat64() * deviation)
		}
	}
	last := len(l.Dense) - 1
	for i, layer := range l.Dense {
		scale := 2.0
		if i == last {
			scale = 0.2
		}
		fill(layer.Weights.Of(p), math.Sqrt(scale/float64(layer.Weights.In)))
	}
	return p
}

// pack updates packed and turned after a change of the parameters.
func (n *net) pack() {
	var turned []float32
	for _, layer := range n.layout.Dense {
		m := layer.Weights
		f32.Pack(m.Of(n.packed), m.Of(n.params), m.In, m.Out, m.Out)
		if len(turned) < m.In*m.Out {
			turned = make([]float32, m.In*m.Out)
		}
		f32.Transpose(turned, m.Of(n.params), m.In, m.Out)
		f32.Pack(m.Of(n.turned), turned, m.Out, m.In, m.In)
	}
}

// tape is the working memory of a gradient.
type tape struct {
	x, d    [][]float32 // by layer: the values of a block of examples, and the derivatives of the loss with respect to them
	lists   *f32.Lists
	columns *f32.Lists
	packed  []float32
}

// Examples are computed in blocks. The gradient of weights is computed for chunks of them, whose strips must fit the fastest cache.
const (
	block = 256
	chunk = 64
)

func (n *net) newTape() *tape {
	s := &n.layout.Shape
	t := new(tape)
	widest := s.Width
	add := func(width int) {
		t.x, t.d = append(t.x, make([]float32, block*width)), append(t.d, make([]float32, block*width))
		widest = max(widest, width)
	}
	add(s.Width)
	for _, layer := range n.layout.Dense {
		add(layer.Weights.Out)
	}
	t.lists, t.columns, t.packed = f32.NewLists(block, widest), f32.NewLists(chunk, widest), make([]float32, chunk*widest)
	return t
}

// forward computes the outputs of examples, a multiple of chunk up to block. They are in the last of t.x.
func (n *net) forward(t *tape, examples []Example) {
	l, p, w := n.layout, n.params, n.layout.Shape.Width
	for i := range examples {
		e, x := &examples[i], t.x[0][i*w:][:w]
		copy(x, l.First.Row(p, e.Kind))
		f32.Add(x, l.Trump.Row(p, int(e.Suits[0])))
		for _, pattern := range e.Suits[1:] {
			f32.Add(x, l.Plain.Row(p, int(pattern)))
		}
	}
	for i, layer := range l.Dense {
		m := layer.Weights
		f32.Relu(t.x[i][:len(examples)*m.In])
		y := t.x[i+1][:len(examples)*m.Out]
		for r := 0; r < len(y); r += m.Out {
			copy(y[r:], layer.Bias.Of(p))
		}
		t.lists.Rows(t.x[i], len(examples), m.In)
		t.lists.Gemm(m.Out, m.Of(n.packed), y)
	}
}

// backward adds the gradient of the loss to grad, given the derivatives with respect to the outputs in the last of t.d.
func (n *net) backward(t *tape, examples []Example, grad []float32) {
	l, w, rows := n.layout, n.layout.Shape.Width, len(examples)
	for i, layer := range slices.Backward(l.Dense) {
		m := layer.Weights
		dy := t.d[i+1][:rows*m.Out]
		for r := 0; r < rows; r += chunk {
			t.columns.Columns(t.x[i][r*m.In:], chunk, m.In)
			f32.Pack(t.packed, dy[r*m.Out:], chunk, m.Out, m.Out)
			t.columns.Gemm(m.Out, t.packed, m.Of(grad))
		}
		bias := layer.Bias.Of(grad)
		for r := 0; r < len(dy); r += m.Out {
			f32.Add(bias, dy[r:])
		}
		dx := t.d[i][:rows*m.In]
		clear(dx)
		t.lists.Rows(dy, rows, m.Out)
		t.lists.Gemm(m.In, m.Of(n.turned), dx)
		f32.Mask(dx, t.x[i])
	}
	for i := range examples {
		e, d := &examples[i], t.d[0][i*w:][:w]
		f32.Add(l.First.Row(grad, e.Kind), d)
		f32.Add(l.Trump.Row(grad, int(e.Suits[0])), d)
		for _, pattern := range e.Suits[1:] {
			f32.Add(l.Plain.Row(grad, int(pattern)), d)
		}
	}
}
