package floatnet

import (
	"roem/internal/model/klaverjas/network"
	"roem/internal/model/nn/f32"
)

// Space is the working memory of a [Network]. Only one goroutine at a time may use it.
type Space struct {
	rows   int
	trump  [][]float32 // the trump code before the first layer and after each: rows x width
	plain  [][]float32 // the plain codes: three blocks of rows x width
	sum    [][]float32 // their sum: rows x width
	pooled []float32   // trump code followed by the sum: rows x 2 width
	head   [2][]float32
	shared []float32 // the terms that are the same for all plain suits
	lists  *f32.Lists
	out    []float32 // rows x OutWidth
}

// NewSpace returns working memory for the given number of deals at a time.
func (n *Network) NewSpace(rows int) *Space {
	s := n.layout.Shape
	w := rows * s.Width
	sp := &Space{
		rows: rows, pooled: make([]float32, 2*w), shared: make([]float32, w), out: make([]float32, rows*network.OutWidth),
		head:  [2][]float32{make([]float32, rows*s.Head[0]), make([]float32, rows*s.Head[1])},
		lists: f32.NewLists(3*rows, widest(s)),
	}
	for range s.Layers + 1 {
		sp.trump = append(sp.trump, make([]float32, w))
		sp.plain = append(sp.plain, make([]float32, 3*w))
		sp.sum = append(sp.sum, make([]float32, w))
	}
	return sp
}

// Forward computes the outputs for the deals, at most as many as the space is for. Output(i) returns the outputs for the i-th deal. Suits
// must be sorted.
func (n *Network) Forward(sp *Space, deals []network.Suits) {
	l, w, rows := n.layout, n.layout.Shape.Width, len(deals)
	for r := range deals {
		n.code(sp.trump[0][r*w:][:w], 0, deals[r][0])
		for i := range 3 {
			n.code(sp.plain[0][(i*rows+r)*w:][:w], 1, deals[r][i+1])
		}
	}
	add3(sp.sum[0], sp.plain[0], rows*w)
	for i := range l.Layers {
		n.mix(sp, i, rows)
	}
	last := l.Shape.Layers
	for r := range rows {
		copy(sp.pooled[2*r*w:], sp.trump[last][r*w:][:w])
		copy(sp.pooled[(2*r+1)*w:], sp.sum[last][r*w:][:w])
	}
	n.dense(sp, 0, sp.pooled, sp.head[0], rows)
	f32.Relu(sp.head[0][:rows*l.Shape.Head[0]])
	n.dense(sp, 1, sp.head[0], sp.head[1], rows)
	f32.Relu(sp.head[1][:rows*l.Shape.Head[1]])
	n.dense(sp, 2, sp.head[1], sp.out, rows)
}

// Output returns the outputs of the i-th deal of the last Forward, valid until the next.
func (sp *Space) Output(i int) *[network.Outputs]float32 {
	return (*[network.Outputs]float32)(sp.out[i*network.OutWidth:])
}

// code computes the code of a suit.
func (n *Network) code(to []float32, kind int, pattern uint16) {
	copy(to, n.layout.First[kind].Of(n.params))
	for g, m := range n.layout.Tables[kind] {
		f32.Add(to, n.params[m.At+n.choose[kind][g].Row(pattern)*m.Out:][:m.Out])
	}
	f32.Relu(to)
}

// mix computes layer i.
func (n *Network) mix(sp *Space, i, rows int) {
	l, w := n.layout.Layers[i], n.layout.Shape.Width
	size := rows * w
	trump, sum := sp.trump[i][:size], sp.sum[i][:size]

	repeat(sp.trump[i+1], l.Trump.Of(n.params), rows)
	repeat(sp.shared, l.Plain.Of(n.params), rows)
	sp.lists.Rows(trump, rows, w)
	n.gemm(sp.lists, l.A, sp.trump[i+1])
	n.gemm(sp.lists, l.D, sp.shared)
	sp.lists.Rows(sum, rows, w)
	n.gemm(sp.lists, l.B, sp.trump[i+1])
	n.gemm(sp.lists, l.E, sp.shared)
	f32.Relu(sp.trump[i+1][:size])

	plain := sp.plain[i+1][:3*size]
	for k := range 3 {
		copy(plain[k*size:], sp.shared[:size])
	}
	sp.lists.Rows(sp.plain[i], 3*rows, w)
	n.gemm(sp.lists, l.C, plain)
	f32.Relu(plain)
	add3(sp.sum[i+1], plain, size)
}

func (n *Network) dense(sp *Space, i int, from, to []float32, rows int) {
	m := n.layout.Head[i]
	repeat(to, n.layout.Bias[i].Of(n.params), rows)
	sp.lists.Rows(from, rows, m.In)
	n.gemm(sp.lists, m, to)
}

// gemm adds the product of the rows and a matrix to to.
func (n *Network) gemm(rows *f32.Lists, m network.Matrix, to []float32) {
	rows.Gemm(m.Out, m.Of(n.packed), to)
}

// repeat writes a vector to each row.
func repeat(to, v []float32, rows int) {
	for r := range rows {
		copy(to[r*len(v):], v)
	}
}

// add3 writes the sum of three blocks.
func add3(to, blocks []float32, size int) {
	copy(to, blocks[:size])
	f32.Add(to[:size], blocks[size:])
	f32.Add(to[:size], blocks[2*size:])
}
