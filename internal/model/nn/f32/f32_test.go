package f32

import (
	"math/rand/v2"
	"slices"
	"testing"
)

func random(rng *rand.Rand, n int) []float32 {
	x := make([]float32, n)
	for i := range x {
		if x[i] = rng.Float32() - 0.5; rng.IntN(4) == 0 {
			x[i] = 0
		}
	}
	return x
}

// plain is the definition of a product, m x k times k x n. It is summed in the documented order.
func plain(m, n, k int, a, b, c []float32) {
	for i := range m {
		for j := range n {
			for t := range k {
				c[i*n+j] += float32(a[i*k+t] * b[t*n+j])
			}
		}
	}
}

// All implementations give the same bits, except for the sign of a zero.
func TestLists(t *testing.T) {
	rng := rand.New(rand.NewPCG(11, 12))
	for _, s := range []struct{ m, n, k int }{{16, 16, 16}, {1, 96, 32}, {16, 112, 96}, {32, 64, 256}, {3, 80, 64}} {
		a, b, c := random(rng, s.m*s.k), random(rng, s.k*s.n), random(rng, s.m*s.n)
		for i := range a {
			if rng.IntN(3) > 0 {
				a[i] *= 0 // of either sign
			}
		}
		if s.m > 1 {
			clear(a[s.k:][:s.k])
		}
		packed := make([]float32, s.k*s.n)
		Pack(packed, b, s.k, s.n, s.n)
		want := slices.Clone(c)
		plain(s.m, s.n, s.k, a, b, want)
		l := NewLists(40, 256)
		l.Rows(a, s.m, s.k)
		got := slices.Clone(c)
		l.Gemm(s.n, packed, got)
		if !slices.Equal(want, got) {
			t.Errorf("%+v: Gemm of rows differs", s)
		}
		at := make([]uint16, s.k)
		for r := range s.m {
			at = at[:collectGo(at[:cap(at)], a[r*s.k:][:s.k])]
			if !slices.Equal(at, l.at[r*s.k:][:l.n[r]]) {
				t.Errorf("%+v: row %d has %v, want %v", s, r, l.at[r*s.k:][:l.n[r]], at)
			}
			row := slices.Clone(c[r*s.n:][:s.n])
			sparseGo(at, a[r*s.k:], s.k, packed, row)
			if !slices.Equal(want[r*s.n:][:s.n], row) {
				t.Errorf("%+v: the Go kernel differs in row %d", s, r)
			}
		}
		if s.m%Strip != 0 {
			continue
		}
		turned := make([]float32, len(a))
		transposeGo(turned, a, s.m, s.k)
		l.Columns(turned, s.k, s.m)
		if !slices.Equal(l.x, a) {
			t.Errorf("%+v: the matrix transposed twice differs from the matrix", s)
		}
		got = slices.Clone(c)
		l.Gemm(s.n, packed, got)
		if !slices.Equal(want, got) {
			t.Errorf("%+v: Gemm of columns differs", s)
		}
	}
}

func TestAdd(t *testing.T) {
	rng := rand.New(rand.NewPCG(3, 4))
	for n := range 40 {
		x, y := random(rng, n), random(rng, n+3)
		want := slices.Clone(x)
		addGo(want, y)
		Add(x, y)
		if !slices.Equal(want, x) {
			t.Errorf("%d elements: %v, want %v", n, x, want)
		}
	}
}

func TestAddRows(t *testing.T) {
	rng := rand.New(rand.NewPCG(5, 6))
	const rows = 9
	for n := range 210 {
		matrix, x := random(rng, rows*n), random(rng, n)
		for count := range 5 {
			at := make([]uint16, count)
			for i := range at {
				at[i] = uint16(rng.IntN(rows))
			}
			want, got := slices.Clone(x), slices.Clone(x)
			for _, r := range at {
				addGo(want, matrix[int(r)*n:][:n])
			}
			AddRows(got, at, matrix)
			if !slices.Equal(want, got) {
				t.Fatalf("%d columns, rows %v: %v, want %v", n, at, got, want)
			}
		}
	}
}

func TestDot(t *testing.T) {
	rng := rand.New(rand.NewPCG(7, 8))
	for n := 0; n < 200; n += 4 {
		a, b := random(rng, n), random(rng, n+3)
		if got, want := Dot(a, b), dotGo(a, b); got != want {
			t.Errorf("%d elements: %v, want %v", n, got, want)
		}
	}
}

func TestAdam(t *testing.T) {
	rng := rand.New(rand.NewPCG(13, 14))
	for n := range 40 {
		a := Adam{0.5, 0.9, 0.1, 0.999, 0.001, 0.9998, 0.01, 1.5, 1e-8}
		p, m, v, g := random(rng, n), random(rng, n), random(rng, n), random(rng, n)
		for i := range v {
			v[i] *= v[i]
		}
		p2, m2, v2 := slices.Clone(p), slices.Clone(m), slices.Clone(v)
		for range 3 {
			a.Step(p, m, v, g)
			for i := range n { // one at a time, so that the Go code is used
				a.Step(p2[i:i+1], m2[i:i+1], v2[i:i+1], g[i:i+1])
			}
		}
		if !slices.Equal(p, p2) || !slices.Equal(m, m2) || !slices.Equal(v, v2) {
			t.Errorf("%d parameters: %v %v %v, want %v %v %v", n, p, m, v, p2, m2, v2)
		}
	}
}

func TestRectifier(t *testing.T) {
	rng := rand.New(rand.NewPCG(9, 10))
	for n := range 40 {
		x, d := random(rng, n), random(rng, n)
		wantX, wantD := slices.Clone(x), slices.Clone(d)
		maskGo(wantD, x)
		Mask(d, x)
		reluGo(wantX)
		Relu(x)
		if !slices.Equal(wantX, x) || !slices.Equal(wantD, d) {
			t.Errorf("%d elements: %v and %v, want %v and %v", n, x, d, wantX, wantD)
		}
	}
}

func BenchmarkGemm(b *testing.B) {
	rng := rand.New(rand.NewPCG(5, 6))
	const m, n, k = 256, 96, 96
	x, w, y := random(rng, m*k), random(rng, k*n), make([]float32, m*n)
	packed := make([]float32, k*n)
	Pack(packed, w, k, n, n)
	l := NewLists(m, k)
	for b.Loop() {
		l.Rows(x, m, k)
		l.Gemm(n, packed, y)
	}
	b.ReportMetric(2*m*n*k/(float64(b.Elapsed().Nanoseconds())/float64(b.N)), "GFLOPS")
}
