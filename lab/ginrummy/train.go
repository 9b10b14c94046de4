package ginrummy

import (
	"context"
	"math"
	"math/rand/v2"

	"roem/internal/engine/ginrummy"
	"roem/internal/engine/ginrummy/worlds"
	ginhand "roem/internal/model/ginrummy/hand"
	"roem/internal/model/nn/f32"
)

// Settings configure a training.
type Settings struct {
	Hidden   int    // the width of the network
	Seed     uint64 // of the first parameters and of the order of the rows
	Data     uint64 // the seed of the deals
	Deals    uint64 // the deals 0 to Deals-1 are learned from
	Epochs   int
	Batch    int
	Rate     float64
	Decay    float64                                   // in units of the rate
	Progress func(step, steps int, loss float64)       // the mean loss of a row since the last call minus the loss of uniform hands
	Each     func(epoch int, n *ginhand.Network) error // after each epoch; may be nil
}

// example is a row to learn from.
type example struct {
	in   ginhand.In
	hand ginrummy.Set
}

// Train trains a network on all rows of the deals. The loss is the negative logarithm of the probability of the true hand. The same
// settings give the same network.
func Train(ctx context.Context, s Settings) (*ginhand.Network, error) {
	var all []example
	if err := EachRow(ctx, s.Data, 0, s.Deals, func(r *Row) {
		all = append(all, example{hand: r.Hand})
		all[len(all)-1].in.Fill(&r.View)
	}); err != nil {
		return nil, err
	}
	rng := rand.New(rand.NewPCG(s.Seed, 0x67696e))
	n := start(rng, s.Hidden)
	t := newTrainer(n)
	order := rng.Perm(len(all))
	steps := s.Epochs * (len(order) / s.Batch)
	step, sum, count := 0, 0.0, 0
	for epoch := range s.Epochs {
		rng.Shuffle(len(order), func(i, j int) { order[i], order[j] = order[j], order[i] })
		for at := 0; at+s.Batch <= len(order); at += s.Batch {
			if err := ctx.Err(); err != nil {
				return nil, err
			}
			for _, i := range order[at : at+s.Batch] {
				t.space.In = all[i].in
				sum += t.row(all[i].hand)
			}
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
	fill(n.First, math.Sqrt(1/13.0)) // 13 inputs of a card are present
	fill(n.Shared, math.Sqrt(0.5/6))
	fill(n.Second, math.Sqrt(2/float64(hidden)))
	fill(n.Last, math.Sqrt(0.2/ginhand.Middle))
	n.Pack()
	return n
}

// trainer has the memory of a training.
type trainer struct {
	n      *ginhand.Network
	space  *ginhand.Space
	dist   worlds.Distribution
	grad   [][]float32
	m, v   [][]float32
	dOut   []float32 // the derivatives of the outputs, by card
	dMid   []float32 // 64 rows of Middle
	dHid   []float32 // 64 rows of Hidden
	dRow   []float32
	turned []float32 // Second, transposed and packed
	flat   []float32
	packed []float32
	list   *f32.Lists
	column *f32.Lists
}

// rows is the number of rows of a product: the open cards of a situation, filled up with zeros.
const rows = 64

func newTrainer(n *ginhand.Network) *trainer {
	w := n.Hidden
	wide := max(w, ginhand.Middle)
	t := &trainer{
		n: n, space: n.NewSpace(), dOut: make([]float32, rows), dMid: make([]float32, rows*ginhand.Middle), dHid: make([]float32, rows*w),
		dRow: make([]float32, w), turned: make([]float32, w*ginhand.Middle), flat: make([]float32, w*ginhand.Middle),
		packed: make([]float32, rows*ginhand.Middle), list: f32.NewLists(rows, wide), column: f32.NewLists(rows, wide),
	}
	for _, p := range n.Params() {
		t.grad, t.m, t.v = append(t.grad, make([]float32, len(p))), append(t.m, make([]float32, len(p))), append(t.v, make([]float32, len(p)))
	}
	t.turn()
	return t
}

// turn makes changes of the parameters count.
func (t *trainer) turn() {
	t.n.Pack()
	f32.Transpose(t.flat, t.n.Second, t.n.Hidden, ginhand.Middle)
	f32.Pack(t.turned, t.flat, ginhand.Middle, t.n.Hidden, t.n.Hidden)
}

// row adds the gradient of the situation in the space, and returns its loss minus the loss of uniform hands.
func (t *trainer) row(hand ginrummy.Set) float64 {
	n, sp, w := t.n, t.space, t.n.Hidden
	n.Forward(sp)
	sp.Distribution(&t.dist)
	p := t.dist.Probabilities()
	k := sp.N
	clear(t.dRow)
	clear(t.dMid)
	mid := t.dMid[:k*ginhand.Middle]
	for i, c := range sp.Card[:k] {
		d := float32(p[c])
		if hand.Has(c) {
			d--
		}
		last := t.grad[5]
		for j, x := range sp.Middle[i*ginhand.Middle:][:ginhand.Middle] {
			if x > 0 {
				last[j] += d * x
				mid[i*ginhand.Middle+j] = d * n.Last[j]
			}
		}
		f32.Add(t.grad[4], mid[i*ginhand.Middle:][:ginhand.Middle])
	}
	hid := t.dHid[:k*w]
	clear(hid)
	t.list.Rows(mid, k, ginhand.Middle)
	t.list.Gemm(w, t.turned, hid)
	f32.Mask(hid, sp.Hidden[:k*w])
	// The gradient of Second: the transposed rows times the derivatives. The rows beyond k have no part, since their derivatives are 0.
	full := (k + 7) &^ 7
	clear(sp.Hidden[k*w : full*w])
	t.column.Columns(sp.Hidden[:full*w], full, w)
	f32.Pack(t.packed, t.dMid, full, ginhand.Middle, ginhand.Middle)
	t.column.Gemm(ginhand.Middle, t.packed, t.grad[3])
	for i, c := range sp.Card[:k] {
		d := hid[i*w:][:w]
		f32.Add(t.dRow, d)
		for _, input := range &sp.In.Cards[c] {
			f32.Add(t.grad[0][int(input)*w:][:w], d)
		}
	}
	f32.Add(t.grad[2], t.dRow)
	for _, input := range sp.In.Shared {
		f32.Add(t.grad[1][int(input)*w:][:w], t.dRow)
	}
	return -t.dist.LogProbability(hand) - t.dist.LogHands()
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
	t.turn()
}
