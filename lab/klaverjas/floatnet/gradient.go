package floatnet

import (
	"slices"

	"roem/internal/model/klaverjas/network"
	"roem/internal/model/nn/f32"
)

// tape is the working memory of a gradient: a Space, and the derivatives of the loss with respect to the values in it.
type tape struct {
	*Space
	dTrump, dPlain, dSum [2][]float32 // of a layer and of the one before
	dPooled, dShared     []float32
	dHead                [2][]float32
	dOut                 []float32
	packed               []float32 // the current right-hand matrix
	columns              *f32.Lists
}

func (n *Network) newTape(rows int) *tape {
	s := n.layout.Shape
	w := rows * s.Width
	t := &tape{
		Space: n.NewSpace(rows), dPooled: make([]float32, 2*w), dShared: make([]float32, w), dOut: make([]float32, rows*network.OutWidth),
		dHead:  [2][]float32{make([]float32, rows*s.Head[0]), make([]float32, rows*s.Head[1])},
		packed: make([]float32, chunk*widest(s)), columns: f32.NewLists(chunk, widest(s)),
	}
	for i := range 2 {
		t.dTrump[i], t.dPlain[i], t.dSum[i] = make([]float32, w), make([]float32, 3*w), make([]float32, w)
	}
	return t
}

// transposed writes every matrix, transposed and packed, at its offset in the parameters.
func (n *Network) transposed(to []float32) {
	var turned []float32
	for _, m := range matricesOf(n.layout) {
		if len(turned) < m.In*m.Out {
			turned = make([]float32, m.In*m.Out)
		}
		f32.Transpose(turned, m.Of(n.params), m.In, m.Out)
		f32.Pack(m.Of(to), turned, m.Out, m.In, m.In)
	}
}

// backward adds the gradient of the loss with respect to the parameters to grad. It needs the derivatives with respect to the
// outputs in dOut, after a Forward of the same deals.
func (n *Network) backward(t *tape, deals []network.Suits, turned, grad []float32) {
	l, w, rows := n.layout, n.layout.Shape.Width, len(deals)
	size := rows * w

	t.weights(rows, grad, side{t.Space.head[1], l.Head[2].In}, to{l.Head[2], t.dOut})
	bias(l.Bias[2].Of(grad), t.dOut, rows)
	t.back(l.Head[2], t.dOut, turned, zero(t.dHead[1][:rows*l.Shape.Head[1]]), rows)
	f32.Mask(t.dHead[1][:rows*l.Shape.Head[1]], t.Space.head[1])

	t.weights(rows, grad, side{t.Space.head[0], l.Head[1].In}, to{l.Head[1], t.dHead[1]})
	bias(l.Bias[1].Of(grad), t.dHead[1], rows)
	t.back(l.Head[1], t.dHead[1], turned, zero(t.dHead[0][:rows*l.Shape.Head[0]]), rows)
	f32.Mask(t.dHead[0][:rows*l.Shape.Head[0]], t.Space.head[0])

	t.weights(rows, grad, side{t.pooled, l.Head[0].In}, to{l.Head[0], t.dHead[0]})
	bias(l.Bias[0].Of(grad), t.dHead[0], rows)
	t.back(l.Head[0], t.dHead[0], turned, zero(t.dPooled[:2*size]), rows)

	now := 0
	for r := range rows {
		copy(t.dTrump[now][r*w:][:w], t.dPooled[2*r*w:])
		copy(t.dSum[now][r*w:][:w], t.dPooled[(2*r+1)*w:])
	}
	zero(t.dPlain[now][:3*size])
	for i, layer := range slices.Backward(l.Layers) {
		next := 1 - now
		t.through(now, i+1, size)
		dTrump, dPlain, dShared := t.dTrump[now][:size], t.dPlain[now][:3*size], t.dShared[:size]
		add3(dShared, dPlain, size)
		trump, plain, sum := t.Space.trump[i], t.Space.plain[i], t.Space.sum[i]

		t.weights(rows, grad, side{trump, w}, to{layer.A, dTrump}, to{layer.D, dShared})
		t.weights(rows, grad, side{sum, w}, to{layer.B, dTrump}, to{layer.E, dShared})
		t.weights(3*rows, grad, side{plain, w}, to{layer.C, dPlain})
		bias(layer.Trump.Of(grad), dTrump, rows)
		bias(layer.Plain.Of(grad), dShared, rows)

		zero(t.dTrump[next][:size])
		zero(t.dSum[next][:size])
		t.lists.Rows(dTrump, rows, w)
		t.lists.Gemm(w, layer.A.Of(turned), t.dTrump[next])
		t.lists.Gemm(w, layer.B.Of(turned), t.dSum[next])
		t.lists.Rows(dShared, rows, w)
		t.lists.Gemm(w, layer.D.Of(turned), t.dTrump[next])
		t.lists.Gemm(w, layer.E.Of(turned), t.dSum[next])
		t.back(layer.C, dPlain, turned, zero(t.dPlain[next][:3*size]), 3*rows)
		now = next
	}
	t.through(now, 0, size)
	for r := range deals {
		n.codeBack(grad, 0, deals[r][0], t.dTrump[now][r*w:][:w])
		for i := range 3 {
			n.codeBack(grad, 1, deals[r][i+1], t.dPlain[now][(i*rows+r)*w:][:w])
		}
	}
}

// through propagates the derivatives with respect to the codes after layer i back through the sum and the rectifier.
func (t *tape) through(now, i, size int) {
	for k := range 3 {
		f32.Add(t.dPlain[now][k*size:][:size], t.dSum[now])
	}
	f32.Mask(t.dTrump[now][:size], t.Space.trump[i])
	f32.Mask(t.dPlain[now][:3*size], t.Space.plain[i])
}

// side holds rows that were multiplied with matrices, and their width.
type side struct {
	x     []float32
	width int
}

// to is one of these matrices, and the derivatives with respect to the product.
type to struct {
	network.Matrix
	d []float32
}

// weights adds the gradient of matrices that were multiplied with the same rows: the transposed rows times the derivatives.
func (t *tape) weights(rows int, grad []float32, from side, all ...to) {
	for r := 0; r < rows; r += chunk {
		k := min(chunk, rows-r)
		t.columns.Columns(from.x[r*from.width:], k, from.width)
		for _, m := range all {
			f32.Pack(t.packed, m.d[r*m.Out:], k, m.Out, m.Out)
			t.columns.Gemm(m.Out, t.packed, m.Of(grad))
		}
	}
}

// chunk is the number of rows for which a part of the gradient is computed at a time. Their strips must fit the fastest cache.
const chunk = 64

// back adds d times the transposed matrix.
func (t *tape) back(m network.Matrix, d, turned, to []float32, rows int) {
	t.lists.Rows(d, rows, m.Out)
	t.lists.Gemm(m.In, m.Of(turned), to)
}

// bias adds all rows of d.
func bias(to, d []float32, rows int) {
	for r := range rows {
		f32.Add(to, d[r*len(to):])
	}
}

func zero(x []float32) []float32 {
	clear(x)
	return x
}

// codeBack adds the gradient of a suit's code.
func (n *Network) codeBack(grad []float32, kind int, pattern uint16, d []float32) {
	f32.Add(n.layout.First[kind].Of(grad), d)
	for g, m := range n.layout.Tables[kind] {
		f32.Add(grad[m.At+n.choose[kind][g].Row(pattern)*m.Out:][:m.Out], d)
	}
}
