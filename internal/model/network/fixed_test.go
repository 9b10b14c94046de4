package network

import (
	"math"
	"math/rand/v2"
	"reflect"
	"slices"
	"strings"
	"testing"
)

// random returns a network as training starts with it, whose biases are not all zero.
func random(t *testing.T, s Shape, seed uint64) *Network {
	t.Helper()
	rng := rand.New(rand.NewPCG(seed, 1))
	l := newLayout(s)
	params := initial(l, rng)
	for _, v := range append([]vector{l.first[0], l.first[1]}, l.bias[:]...) {
		for i := range v.of(params) {
			v.of(params)[i] = float32(rng.NormFloat64() / 4)
		}
	}
	n, err := New(s, params)
	if err != nil {
		t.Fatal(err)
	}
	return n
}

func suitsOf(all []Example) []Suits {
	out := make([]Suits, len(all))
	for i := range all {
		out[i] = all[i].Suits
	}
	return out
}

func quantised(t *testing.T, n *Network) *Fixed {
	t.Helper()
	f, err := Quantise(n, suitsOf(examples(500, 1)))
	if err != nil {
		t.Fatal(err)
	}
	return f
}

func shapes() []Shape {
	return []Shape{
		testShape(), {Width: 96, Layers: 2, Head: [2]int{128, 32}}, {Width: 48, Layers: 0, Head: [2]int{16, 48}}, {Width: 32, Layers: 3, Head: [2]int{112, 16}},
	}
}

// The integers come close to the floating-point numbers that they were made of, and closer still to those that they stand for: what is lost is
// lost by the tables.
func TestQuantise(t *testing.T) {
	for _, s := range shapes() {
		n := random(t, s, 3)
		f := quantised(t, n)
		back, err := f.Float()
		if err != nil {
			t.Fatal(err)
		}
		if off := apart(n, f); !(off < 0.02) {
			t.Errorf("%+v: outputs are off by %.2g of their size", s, off)
		}
		if off := apart(back, f); !(off < 0.006) {
			t.Errorf("%+v: outputs are off by %.2g of their size, with the same tables", s, off)
		}
		want := n.Params()
		// Tables have eight bits: half of the last is a 254th of the largest of a column, or twice as much where it is just above a power of two.
		tables := n.layout.first[1].at
		for i, x := range back.Params() {
			tolerance := 1. / (1 << 8)
			if i < tables {
				tolerance = 1. / (1 << 5)
			}
			if math.Abs(float64(x-want[i])) > tolerance {
				t.Fatalf("%+v: parameter %d is %v, and comes back as %v", s, i, want[i], x)
			}
		}
		again, err := Quantise(n, suitsOf(examples(500, 1)))
		if err != nil {
			t.Fatal(err)
		}
		if !reflect.DeepEqual(f.Params(), again.Params()) {
			t.Errorf("%+v: quantised twice, and not the same", s)
		}
	}
}

// apart returns by how much the outputs of two networks differ, as a part of their size.
func apart(n *Network, f *Fixed) float64 {
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

// defined computes the outputs of a deal by the definition, in 64 bits.
func defined(t *testing.T, f *Fixed, suits Suits) []int64 {
	t.Helper()
	l, s, w := f.places, f.scales, f.shape.Width
	code := func(kind int, pattern uint16, limit int64) []int64 {
		out := make([]int64, w)
		for j := range out {
			sum := int64(f.params.Narrow[l.first[kind].at+j])
			for g, m := range l.tables[kind] {
				x := f.params.Tables[m.at+choosers()[kind][g].row(pattern)*w+j]
				sum += int64(x) << f.params.Shifts[(3*kind+g)*w+j]
			}
			if sum != int64(int16(sum)) {
				t.Fatalf("a code overflows: %d", sum)
			}
			out[j] = max(0, min(sum, limit))
		}
		return out
	}
	product := func(v vector, sums int, inputs ...any) []int64 {
		out := make([]int64, v.n)
		for j := range out {
			sum := int64(f.params.Wide[v.at+j])
			for k := 0; k < len(inputs); k += 2 {
				m, _ := inputs[k].(matrix)
				x, _ := inputs[k+1].([]int64)
				for i := range m.in {
					sum += x[i] * int64(f.params.Narrow[m.at+i*m.out+j])
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
	trump := code(0, suits[0], maxCode)
	plain := [3][]int64{code(1, suits[1], maxPlain), code(1, suits[2], maxPlain), code(1, suits[3], maxPlain)}
	for i, y := range l.layers {
		sum := add(plain)
		next := narrow(product(y.trump, s.TrumpSums[i], y.a, trump, y.b, sum), s.TrumpSums[i], s.Trump[i+1], maxCode)
		for k := range plain {
			plain[k] = narrow(product(y.plain, s.PlainSums[i], y.c, plain[k], y.d, trump, y.e, sum), s.PlainSums[i], s.Plain[i+1], maxPlain)
		}
		trump = next
	}
	x := append(slices.Clone(trump), add(plain)...)
	for i := range 2 {
		x = narrow(product(l.bias[i], s.DenseSums[i], l.head[i], x), s.DenseSums[i], s.Dense[i], maxCode)
	}
	return product(l.bias[2], s.DenseSums[2], l.head[2], x)
}

// One deal or many, the plain suits in whatever order: what comes out is what the definition says.
func TestFixedForward(t *testing.T) {
	for _, s := range shapes() {
		f := quantised(t, random(t, s, 4))
		deals := suitsOf(examples(33, 5))
		many, one := f.NewSpace(40), f.NewSpace(1)
		f.Forward(many, deals)
		for i, d := range deals {
			want := defined(t, f, d)
			if got := many.Output(i); math.Ldexp(got[Win], f.scales.DenseSums[2]) != float64(want[Win]) || math.Ldexp(got[Effort90], f.scales.DenseSums[2]) != float64(want[Effort90]) {
				t.Fatalf("%+v: deal %d: %v, want %v", s, i, got, want)
			}
			f.Forward(one, []Suits{{d[0], d[3], d[1], d[2]}})
			if one.Output(0) != many.Output(i) {
				t.Errorf("%+v: deal %d: %v alone, %v among others", s, i, one.Output(0), many.Output(i))
			}
		}
	}
}

// No network is taken of which a sum could overflow, and none taken overflows with the largest integers there are.
func TestFixedRefusals(t *testing.T) {
	f := quantised(t, random(t, testShape(), 5))
	l := f.places
	for name, c := range map[string]struct {
		change func(p *Integers)
		want   string
	}{
		"table": {func(p *Integers) {
			p.Shifts[(3+2)*f.shape.Width+7] = maxShift
			p.Tables[l.tables[1][2].at+7] = math.MinInt8
		}, "codes of suits"},
		"first": {func(p *Integers) { p.Narrow[l.first[0].at+7] = math.MinInt16 }, "codes of suits"},
		"B": {func(p *Integers) {
			for i := range 4 {
				p.Narrow[l.layers[1].b.at+16*i+3] = math.MinInt16
			}
		}, "layer 1, trump"},
		"C": {func(p *Integers) {
			for i := range 8 {
				p.Narrow[l.layers[0].c.at+16*i+3] = math.MaxInt16
			}
		}, "layer 0, plain suits"},
		"bias":  {func(p *Integers) { p.Wide[l.layers[0].plain.at] = math.MinInt32 }, "layer 0, plain suits"},
		"dense": {func(p *Integers) { p.Wide[l.bias[0].at+15] = math.MaxInt32 }, "first dense"},
		"head": {func(p *Integers) {
			for i := range 4 {
				p.Narrow[l.head[1].at+16*i] = math.MaxInt16
			}
		}, "second dense"},
		"last": {func(p *Integers) { p.Wide[l.bias[2].at+3] = math.MaxInt32 }, "the outputs"},
	} {
		t.Run(name, func(t *testing.T) {
			p := f.Params()
			p = Integers{slices.Clone(p.Tables), slices.Clone(p.Shifts), slices.Clone(p.Narrow), slices.Clone(p.Wide)}
			c.change(&p)
			if _, err := NewFixed(f.Shape(), f.Scales(), p); err == nil || !strings.Contains(err.Error(), "could overflow") || !strings.Contains(err.Error(), c.want) {
				t.Errorf("error %v, want %s", err, c.want)
			}
		})
	}
	for _, change := range []func(p *Integers){
		func(p *Integers) { p.Tables = p.Tables[1:] }, func(p *Integers) { p.Shifts = p.Shifts[1:] },
		func(p *Integers) { p.Narrow = p.Narrow[1:] }, func(p *Integers) { p.Wide = p.Wide[1:] },
		func(p *Integers) { p.Shifts = slices.Concat([]uint8{maxShift + 1}, p.Shifts[1:]) },
	} {
		p := f.Params()
		change(&p)
		if _, err := NewFixed(f.Shape(), f.Scales(), p); err == nil {
			t.Error("one parameter is missing, or a shift too large, and no error")
		}
	}
	large := random(t, testShape(), 6).Params()
	large[l.first[0].at] = 1e6
	n, err := New(testShape(), large)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := Quantise(n, nil); err == nil || !strings.Contains(err.Error(), "too large") {
		t.Errorf("a parameter of a million: %v", err)
	}
}

// A network of the largest weights that are taken, on the largest inputs there are.
func TestFixedExtremes(t *testing.T) {
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
		f, err := Quantise(n, nil) // nothing is known of the codes: they are cut off
		if err != nil {
			t.Fatal(err)
		}
		deals := suitsOf(examples(20, 5))
		sp := f.NewSpace(20)
		f.Forward(sp, deals)
		for i, d := range deals {
			if got, want := math.Ldexp(sp.Output(i)[Win], f.scales.DenseSums[2]), defined(t, f, d)[Win]; got != float64(want) {
				t.Errorf("%+v: %v, want %v", s, got, want)
			}
		}
	}
}

func BenchmarkFixed(b *testing.B) {
	s := Shape{Width: 96, Layers: 2, Head: [2]int{128, 32}}
	n, err := New(s, initial(newLayout(s), rand.New(rand.NewPCG(1, 1))))
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
