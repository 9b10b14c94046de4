package ginlab

import (
	"context"
	"math"
	"math/rand/v2"

	"roem/internal/engine/ginrummy"
	"roem/internal/engine/ginrummy/hands"
	"roem/internal/model/f32"
	"roem/internal/model/ginhand"
)

// Settings are those of a training.
type Settings struct {
	Hidden   int    // the width of the network
	Seed     uint64 // of the first parameters and of the order of the rows
	Data     uint64 // the seed of the deals
	Deals    uint64 // the deals 0 to Deals-1 are learned from
	Epochs   int
	Batch    int
	Rate     float64
	Decay    float64                                   // in units of the rate
	Progress func(step, steps int, loss float64)       // the mean loss of a row since the last call, less that of uniform hands
	Each     func(epoch int, n *ginhand.Network) error // after each epoch; may be nil
}

// example is a row as the network sees it.
type example struct {
	in    [5]span // of the suits in canonical order, and what they share
	order [4]ginrummy.Suit
	kept  ginrummy.Set
	open  ginrummy.Set
	hand  ginrummy.Set
}

type span struct{ from, to uint32 }

// examples are rows with their inputs in one list.
type examples struct {
	rows []example
	in   []uint16
}

func (e *examples) add(in *ginhand.In, hand ginrummy.Set) {
	one := example{order: in.Order, kept: in.Kept, open: in.Unknown, hand: hand}
	for i := range one.in {
		list := in.Shared
		if i < 4 {
			list = in.Suits[i]
		}
		from := len(e.in)
		e.in = append(e.in, list...)
		one.in[i] = span{uint32(from), uint32(len(e.in))}
	}
	e.rows = append(e.rows, one)
}

func (e *examples) get(i int, in *ginhand.In) (hand ginrummy.Set) {
	one := &e.rows[i]
	for u := range in.Suits {
		in.Suits[u] = e.in[one.in[u].from:one.in[u].to]
	}
	in.Shared = e.in[one.in[4].from:one.in[4].to]
	in.Order, in.Kept, in.Unknown = one.order, one.kept, one.open
	return one.hand
}

// Train trains a network on all rows of the deals. The loss is the negative logarithm of the probability of the true hand. The same settings give the
// same network.
func Train(ctx context.Context, s Settings) (*ginhand.Network, error) {
	var all examples
	var in ginhand.In
	if err := EachRow(ctx, s.Data, 0, s.Deals, func(r *Row) {
		in.Fill(&r.View)
		all.add(&in, r.Hand)
	}); err != nil {
		return nil, err
	}
	rng := rand.New(rand.NewPCG(s.Seed, 0x67696e))
	n := start(rng, s.Hidden)
	t := newTrainer(n, s.Batch)
	order := rng.Perm(len(all.rows))
	steps := s.Epochs * (len(order) / s.Batch)
	step, sum, count := 0, 0.0, 0
	for epoch := range s.Epochs {
		rng.Shuffle(len(order), func(i, j int) { order[i], order[j] = order[j], order[i] })
		for at := 0; at+s.Batch <= len(order); at += s.Batch {
			if err := ctx.Err(); err != nil {
				return nil, err
			}
			for i := range s.Batch {
				t.hands[i] = all.get(order[at+i], &t.space.In[i])
			}
			sum += t.batch(s.Batch)
			count += s.Batch
			x := (float64(step) + 0.5) / float64(steps)
			rate := s.Rate * math.Min(1, x/0.02) * (0.5 + 0.5*math.Cos(math.Pi*x))
			t.step(step, rate, s.Decay, s.Batch)
			if step++; step%200 == 0 && s.Progress != nil {
				s.Progress(step, steps, sum/float64(count))
				sum, count = 0, 0
			}
		}
		if s.Each != nil {
			if err := s.Each(epoch, n); err != nil {
				return nil, err
			}
		}
	}
	return n, nil
}

// start returns a network to begin with.
func start(rng *rand.Rand, hidden int) *ginhand.Network {
	n := ginhand.New(hidden)
	fill := func(x []float32, deviation float64) {
		for i := range x {
			x[i] = float32(rng.NormFloat64() * deviation)
		}
	}
	fill(n.Own, math.Sqrt(1/12.0)) // some 12 inputs of a suit are present
	fill(n.Other, math.Sqrt(0.3/36))
	fill(n.Shared, math.Sqrt(0.5/8))
	for i := range n.Mix {
		fill(n.Mix[i].A, math.Sqrt(1.5/float64(hidden)))
		fill(n.Mix[i].B, math.Sqrt(0.1/float64(hidden)))
	}
	fill(n.Last, math.Sqrt(0.2/float64(hidden)))
	n.Pack()
	return n
}

// trainer has the memory of a training.
type trainer struct {
	n      *ginhand.Network
	space  *ginhand.Space
	hands  []ginrummy.Set
	dist   hands.Distribution
	dOut   []float32
	dX     [2][]float32 // 4 x batch rows
	dSum   []float32    // batch rows
	dSide  []float32    // batch rows
	turned [2*ginhand.Layers + 1][]float32
	grad   [][]float32
	m, v   [][]float32
	list   *f32.Lists
	column *f32.Lists
	packed []float32
}

// chunk is the number of rows for which a part of a gradient is computed at a time.
const chunk = 64

func newTrainer(n *ginhand.Network, batch int) *trainer {
	w := n.Hidden
	t := &trainer{
		n: n, space: n.NewSpace(batch), hands: make([]ginrummy.Set, batch), dOut: make([]float32, 4*batch*ginhand.Outs),
		dSum: make([]float32, batch*w), dSide: make([]float32, batch*w), list: f32.NewLists(4*batch, w), column: f32.NewLists(chunk, w),
		packed: make([]float32, chunk*w),
	}
	for i := range t.dX {
		t.dX[i] = make([]float32, 4*batch*w)
	}
	for _, p := range n.Params() {
		t.grad, t.m, t.v = append(t.grad, make([]float32, len(p))), append(t.m, make([]float32, len(p))), append(t.v, make([]float32, len(p)))
	}
	for i, m := range n.Matrices() {
		t.turned[i] = make([]float32, len(m))
	}
	return t
}

// batch adds the gradient of the rows in the space, and returns the sum of their losses less those of uniform hands.
func (t *trainer) batch(rows int) (loss float64) {
	t.n.Forward(t.space, rows)
	clear(t.dOut)
	for i := range rows {
		loss += t.row(i)
	}
	t.back(rows)
	return loss
}

// row sets the derivatives of the outputs of a row, and returns its loss.
func (t *trainer) row(i int) float64 {
	in := &t.space.In[i]
	t.space.Distribution(i, &t.dist)
	p := t.dist.Probabilities()
	for u, suit := range in.Order {
		for r := range ginrummy.Rank(ginrummy.Ranks) {
			c := ginrummy.Of(suit, r)
			if !in.Unknown.Has(c) {
				continue
			}
			d := p[c]
			if t.hands[i].Has(c) {
				d--
			}
			t.dOut[(4*i+u)*ginhand.Outs+int(r)] = float32(d)
		}
	}
	return -t.dist.LogProbability(t.hands[i]) - t.dist.LogHands()
}

// back propagates dOut back, and adds to the gradient.
func (t *trainer) back(rows int) {
	n, sp, w := t.n, t.space, t.n.Hidden
	all := 4 * rows
	for i, m := range n.Matrices() {
		out := len(m) / w
		turned := t.packed2(len(m))
		f32.Transpose(turned, m, w, out)
		f32.Pack(t.turned[i], turned, out, w, w)
	}
	last := len(t.grad) - 2
	t.weights(all, sp.X[ginhand.Layers], t.dOut, ginhand.Outs, t.grad[last])
	bias(t.grad[last+1], t.dOut, all)
	now := t.dX[0][:all*w]
	clear(now)
	t.list.Rows(t.dOut, all, ginhand.Outs)
	t.list.Gemm(w, t.turned[2*ginhand.Layers], now)
	for l := ginhand.Layers - 1; l >= 0; l-- {
		f32.Mask(now, sp.X[l+1])
		dSum := t.dSum[:rows*w] // with respect to the term that the suits share
		for i := range rows {
			s := dSum[i*w:][:w]
			copy(s, now[4*i*w:])
			for u := 1; u < 4; u++ {
				f32.Add(s, now[(4*i+u)*w:][:w])
			}
		}
		at := 4 + 3*l
		t.weights(all, sp.X[l], now, w, t.grad[at])
		t.weights(rows, sp.Sum[l], dSum, w, t.grad[at+1])
		bias(t.grad[at+2], dSum, rows)
		next := t.dX[1][:all*w]
		side := t.dSide[:rows*w]
		clear(side)
		t.list.Rows(dSum, rows, w)
		t.list.Gemm(w, t.turned[2*l+1], side)
		for r := range all {
			copy(next[r*w:][:w], side[r/4*w:][:w])
		}
		t.list.Rows(now, all, w)
		t.list.Gemm(w, t.turned[2*l], next)
		t.dX[0], t.dX[1] = t.dX[1], t.dX[0]
		now = next
	}
	f32.Mask(now, sp.X[0])
	sum, rest := t.dSum[:w], t.dSide[:w]
	for i := range rows {
		in := &sp.In[i]
		copy(sum, now[4*i*w:])
		for u := 1; u < 4; u++ {
			f32.Add(sum, now[(4*i+u)*w:][:w])
		}
		f32.Add(t.grad[3], sum)
		for _, k := range in.Shared {
			f32.Add(t.grad[2][int(k)*w:][:w], sum)
		}
		for u, list := range in.Suits {
			d := now[(4*i+u)*w:][:w]
			for k := range rest {
				rest[k] = sum[k] - d[k]
			}
			for _, k := range list {
				f32.Add(t.grad[0][int(k)*w:][:w], d)
				f32.Add(t.grad[1][int(k)*w:][:w], rest)
			}
		}
	}
}

// packed2 returns memory for a transposed matrix.
func (t *trainer) packed2(size int) []float32 {
	if len(t.dX[1]) < size {
		return make([]float32, size)
	}
	return t.dX[1][:size]
}

// weights adds the gradient of a matrix that was multiplied with rows x: the transposed rows times the derivatives.
func (t *trainer) weights(rows int, x, d []float32, out int, grad []float32) {
	w := t.n.Hidden
	for r := 0; r < rows; r += chunk {
		k := min(chunk, rows-r)
		t.column.Columns(x[r*w:], k, w)
		f32.Pack(t.packed, d[r*out:], k, out, out)
		t.column.Gemm(out, t.packed, grad)
	}
}

func bias(grad, d []float32, rows int) {
	for r := range rows {
		f32.Add(grad, d[r*len(grad):][:len(grad)])
	}
}

// step changes the parameters, and sets the gradient to zero.
func (t *trainer) step(step int, rate, decay float64, batch int) {
	const beta1, beta2, epsilon = 0.9, 0.999, 1e-8
	a := f32.Adam{
		Scale: 1 / float32(batch), Beta1: beta1, Rest1: 1 - beta1, Beta2: beta2, Rest2: 1 - beta2, Keep: float32(1 - rate*decay),
		Size: float32(rate / (1 - math.Pow(beta1, float64(step+1)))), S2: float32(1 / (1 - math.Pow(beta2, float64(step+1)))), Epsilon: epsilon,
	}
	for i, p := range t.n.Params() {
		a.Step(p, t.m[i], t.v[i], t.grad[i])
		clear(t.grad[i])
	}
	t.n.Pack()
}
