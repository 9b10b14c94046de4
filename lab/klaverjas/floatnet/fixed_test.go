package floatnet

import (
	"math"
	"math/rand/v2"
	"reflect"
	"slices"
	"strings"
	"testing"

	"roem/internal/model/klaverjas/network"
)

// random returns a network with initial parameters and nonzero biases.
func random(t *testing.T, s network.Shape, seed uint64) *Network {
	t.Helper()
	rng := rand.New(rand.NewPCG(seed, 1))
	l := network.NewLayout(s)
	params := initial(l, rng)
	for _, v := range append([]network.Vector{l.First[0], l.First[1]}, l.Bias[:]...) {
		for i := range v.Of(params) {
			v.Of(params)[i] = float32(rng.NormFloat64() / 4)
		}
	}
	n, err := New(s, params)
	if err != nil {
		t.Fatal(err)
	}
	return n
}

func suitsOf(all []Example) []network.Suits {
	out := make([]network.Suits, len(all))
	for i := range all {
		out[i] = all[i].Suits
	}
	return out
}

func quantised(t *testing.T, n *Network) *network.Fixed {
	t.Helper()
	f, err := Quantise(n, suitsOf(examples(500, 1)))
	if err != nil {
		t.Fatal(err)
	}
	return f
}

func shapes() []network.Shape {
	return []network.Shape{
		testShape(), {Width: 96, Layers: 2, Head: [2]int{128, 32}}, {Width: 48, Layers: 0, Head: [2]int{16, 48}}, {
			Width: 32, Layers: 3,
			Head: [2]int{112, 16},
		},
	}
}

// The outputs of the integers are close to the outputs of the floating-point numbers from which they were rounded, and closer to the
// outputs of the numbers that they represent: most of the difference is caused by rounding the tables.
func TestQuantise(t *testing.T) {
	for _, s := range shapes() {
		n := random(t, s, 3)
		f := quantised(t, n)
		back, err := Float(f)
		if err != nil {
			t.Fatal(err)
		}
		if off := apart(n, f); !(off < 0.02) {
			t.Errorf("%+v: outputs are off by %.2g of their size", s, off)
		}
		if off := apart(back, f); !(off < 0.006) {
			t.Errorf("%+v: outputs are off by %.2g of their size, compared with the same tables", s, off)
		}
		want := n.Params()
		// Tables have eight bits: half of the last bit is a 254th of the largest entry of a column, or twice as much if that is just above a
		// power of two.
		tables := n.layout.First[1].At
		for i, x := range back.Params() {
			tolerance := 1. / (1 << 8)
			if i < tables {
				tolerance = 1. / (1 << 5)
			}
			if math.Abs(float64(x-want[i])) > tolerance {
				t.Fatalf("%+v: parameter %d is %v, and %v after the conversion", s, i, want[i], x)
			}
		}
		again, err := Quantise(n, suitsOf(examples(500, 1)))
		if err != nil {
			t.Fatal(err)
		}
		if !reflect.DeepEqual(f.Params(), again.Params()) {
			t.Errorf("%+v: quantising twice gives different results", s)
		}
	}
}

// apart returns the relative difference of the outputs of two networks.
func apart(n *Network, f *network.Fixed) float64 {
	deals := suitsOf(examples(300, 9))
	a, b := n.NewSpace(len(deals)), f.NewSpace(len(deals))
	n.Forward(a, deals)
	f.Forward(b, deals)
	off, size := 0.0, 0.0
	for i := range deals {
		got, want := b.Output(i), a.Output(i)
		for k := range got {
			d := got[k] - float64(want[k])
			off += d * d
			size += float64(want[k]) * float64(want[k])
		}
	}
	return math.Sqrt(off / size)
}

// placesIn returns the layout of the integers of a network.
func placesIn(f *network.Fixed) *network.Layout {
	_, l := network.IntegersOf(f.Shape())
	return l
}

// defined computes the outputs of a deal by the definition, in 64 bits.
func defined(t *testing.T, f *network.Fixed, suits network.Suits) []int64 {
	t.Helper()
	l, s, w := placesIn(f), f.Scales(), f.Shape().Width
	code := func(kind int, pattern uint16, limit int64) []int64 {
		out := make([]int64, w)
		for j := range out {
			sum := int64(f.Params().Narrow[l.First[kind].At+j])
			for g, m := range l.Tables[kind] {
				x := f.Params().Tables[m.At+network.Choosers()[kind][g].Row(pattern)*w+j]
				sum += int64(x) << f.Params().Shifts[(3*kind+g)*w+j]
			}
			if sum != int64(int16(sum)) {
				t.Fatalf("a code overflows: %d", sum)
			}
			out[j] = max(0, min(sum, limit))
		}
		return out
	}
	product := func(v network.Vector, sums int, inputs ...any) []int64 {
		out := make([]int64, v.N)
		for j := range out {
			sum := int64(f.Params().Wide[v.At+j])
			for k := 0; k < len(inputs); k += 2 {
				m, _ := inputs[k].(network.Matrix)
				x, _ := inputs[k+1].([]int64)
				for i := range m.In {
					sum += x[i] * int64(f.Params().Narrow[m.At+i*m.Out+j])
				}
			}
			if sum != int64(int32(sum)) {
				t.Fatalf("a sum overflows: %d", sum)
			}
			out[j] = sum
		}
		return out
	}
	narrow := func(x []int64, from, to int, limit int64) []int64 {
		for i, v := range x {
			x[i] = max(0, min(int64(math.Floor(math.Ldexp(float64(v), to-from)+0.5)), limit))
		}
		return x
	}
	add := func(x [3][]int64) []int64 {
		out := make([]int64, w)
		for j := range out {
			out[j] = x[0][j] + x[1][j] + x[2][j]
		}
		return out
	}
	trump := code(0, suits[0], network.MaxCode)
	plain := [3][]int64{code(1, suits[1], network.MaxPlain), code(1, suits[2], network.MaxPlain), code(1, suits[3], network.MaxPlain)}
	for i, y := range l.Layers {
		sum := add(plain)
		next := narrow(product(y.Trump, s.TrumpSums[i], y.A, trump, y.B, sum), s.TrumpSums[i], s.Trump[i+1], network.MaxCode)
		for k := range plain {
			plain[k] = narrow(product(y.Plain, s.PlainSums[i], y.C, plain[k], y.D, trump, y.E, sum), s.PlainSums[i], s.Plain[i+1], network.MaxPlain)
		}
		trump = next
	}
	x := append(slices.Clone(trump), add(plain)...)
	for i := range 2 {
		x = narrow(product(l.Bias[i], s.DenseSums[i], l.Head[i], x), s.DenseSums[i], s.Dense[i], network.MaxCode)
	}
	return product(l.Bias[2], s.DenseSums[2], l.Head[2], x)
}

// The outputs agree with the definition, for one deal and for many, with the plain suits in every order.
func TestFixedForward(t *testing.T) {
	if testing.Short() {
		t.Skip("it has no concurrency")
	}
	for _, s := range shapes() {
		f := quantised(t, random(t, s, 4))
		deals := suitsOf(examples(33, 5))
		many, one := f.NewSpace(40), f.NewSpace(1)
		f.Forward(many, deals)
		for i, d := range deals {
			want := defined(t, f, d)
			if got := many.Output(i); math.Ldexp(got[network.Win], f.Scales().DenseSums[2]) != float64(want[network.Win]) ||
				math.Ldexp(got[network.Effort90], f.Scales().DenseSums[2]) != float64(want[network.Effort90]) {
				t.Fatalf("%+v: deal %d: %v, want %v", s, i, got, want)
			}
			f.Forward(one, []network.Suits{{d[0], d[3], d[1], d[2]}})
			if one.Output(0) != many.Output(i) {
				t.Errorf("%+v: deal %d: %v for one deal, %v for many", s, i, one.Output(0), many.Output(i))
			}
		}
	}
}

// A network of which a sum could overflow is rejected. A network that is accepted does not overflow with the largest integers.
func TestFixedRefusals(t *testing.T) {
	f := quantised(t, random(t, testShape(), 5))
	l := placesIn(f)
	for name, c := range map[string]struct {
		change func(p *network.Integers)
		want   string
	}{
		"table": {func(p *network.Integers) {
			p.Shifts[(3+2)*f.Shape().Width+7] = network.MaxShift
			p.Tables[l.Tables[1][2].At+7] = math.MinInt8
		}, "codes of suits"},
		"first": {func(p *network.Integers) { p.Narrow[l.First[0].At+7] = math.MinInt16 }, "codes of suits"},
		"B": {func(p *network.Integers) {
			for i := range 4 {
				p.Narrow[l.Layers[1].B.At+16*i+3] = math.MinInt16
			}
		}, "layer 1, trump"},
		"C": {func(p *network.Integers) {
			for i := range 8 {
				p.Narrow[l.Layers[0].C.At+16*i+3] = math.MaxInt16
			}
		}, "layer 0, plain suits"},
		"bias":  {func(p *network.Integers) { p.Wide[l.Layers[0].Plain.At] = math.MinInt32 }, "layer 0, plain suits"},
		"dense": {func(p *network.Integers) { p.Wide[l.Bias[0].At+15] = math.MaxInt32 }, "first dense"},
		"head": {func(p *network.Integers) {
			for i := range 4 {
				p.Narrow[l.Head[1].At+16*i] = math.MaxInt16
			}
		}, "second dense"},
		"last": {func(p *network.Integers) { p.Wide[l.Bias[2].At+3] = math.MaxInt32 }, "the outputs"},
	} {
		t.Run(name, func(t *testing.T) {
			p := f.Params()
			p = network.Integers{
				Tables: slices.Clone(p.Tables), Shifts: slices.Clone(p.Shifts), Narrow: slices.Clone(p.Narrow), Wide: slices.Clone(p.Wide),
			}
			c.change(&p)
			if _, err := network.NewFixed(f.Shape(), f.Scales(), p); err == nil || !strings.Contains(err.Error(), "could overflow") ||
				!strings.Contains(err.Error(), c.want) {
				t.Errorf("error %v, want %s", err, c.want)
			}
		})
	}
	for _, change := range []func(p *network.Integers){
		func(p *network.Integers) { p.Tables = p.Tables[1:] }, func(p *network.Integers) { p.Shifts = p.Shifts[1:] },
		func(p *network.Integers) { p.Narrow = p.Narrow[1:] }, func(p *network.Integers) { p.Wide = p.Wide[1:] },
		func(p *network.Integers) { p.Shifts = slices.Concat([]uint8{network.MaxShift + 1}, p.Shifts[1:]) },
	} {
		p := f.Params()
		change(&p)
		if _, err := network.NewFixed(f.Shape(), f.Scales(), p); err == nil {
			t.Error("one parameter is missing, or a shift too large, and no error")
		}
	}
	large := random(t, testShape(), 6).Params()
	large[l.First[0].At] = 1e6
	n, err := New(testShape(), large)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := Quantise(n, nil); err == nil || !strings.Contains(err.Error(), "too large") {
		t.Errorf("a parameter of a million: %v", err)
	}
}

// A network of the largest accepted weights with the largest inputs.
func TestFixedExtremes(t *testing.T) {
	if testing.Short() {
		t.Skip("it has no concurrency")
	}
	for _, s := range shapes() {
		rng := rand.New(rand.NewPCG(7, 8))
		params := random(t, s, 7).Params()
		for i := range params {
			params[i] *= float32(math.Exp(rng.NormFloat64() * 2))
		}
		n, err := New(s, params)
		if err != nil {
			t.Fatal(err)
		}
		f, err := Quantise(n, nil) // without statistics, codes are limited
		if err != nil {
			t.Fatal(err)
		}
		deals := suitsOf(examples(20, 5))
		sp := f.NewSpace(20)
		f.Forward(sp, deals)
		for i, d := range deals {
			if got, want := math.Ldexp(sp.Output(i)[network.Win], f.Scales().DenseSums[2]), defined(t, f, d)[network.Win]; got != float64(want) {
				t.Errorf("%+v: %v, want %v", s, got, want)
			}
		}
	}
}

func BenchmarkFixed(b *testing.B) {
	s := network.Shape{Width: 96, Layers: 2, Head: [2]int{128, 32}}
	n, err := New(s, initial(network.NewLayout(s), rand.New(rand.NewPCG(1, 1))))
	if err != nil {
		b.Fatal(err)
	}
	deals := suitsOf(examples(1024, 5))
	f, err := Quantise(n, deals)
	if err != nil {
		b.Fatal(err)
	}
	for _, size := range []int{1, 64} {
		b.Run(map[int]string{1: "one", 64: "many"}[size], func(b *testing.B) {
			sp, i := f.NewSpace(size), 0
			for b.Loop() {
				f.Forward(sp, deals[i:i+size])
				i = (i + size) % len(deals)
			}
			b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N*size), "ns/deal")
		})
	}
}
