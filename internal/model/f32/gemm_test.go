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

// plain is the definition, summed in the documented order.
func plain(m, n, k int, a []float32, row, step int, b, c []float32) {
	for i := range m {
		for j := range n {
			for t := range k {
				c[i*n+j] += float32(a[i*row+t*step] * b[t*n+j])
			}
		}
	}
}

func TestSameBitsHoweverComputed(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 2))
	for _, s := range []struct{ m, n, k int }{{1, 16, 1}, {4, 16, 3}, {5, 32, 7}, {3, 64, 64}, {1, 80, 33}, {9, 144, 50}, {2, 192, 300}, {64, 128, 96}} {
		a, b, c := random(rng, s.m*s.k), random(rng, s.k*s.n), random(rng, s.m*s.n)
		packed := make([]float32, s.k*s.n)
		Pack(packed, b, s.k, s.n, s.n)

		want := slices.Clone(c)
		plain(s.m, s.n, s.k, a, s.k, 1, b, want)
		got := slices.Clone(c)
		Gemm(s.m, s.n, s.k, a, s.k, 1, packed, got, s.n)
		if !slices.Equal(want, got) {
			t.Errorf("%+v: Gemm differs", s)
		}
		got = slices.Clone(c)
		for j := 0; j < s.n; j += Strip {
			for i := range s.m {
				kernel1Go(s.k, a[i*s.k:], 1, packed[j*s.k:], got[i*s.n+j:])
			}
		}
		if !slices.Equal(want, got) {
			t.Errorf("%+v: the Go kernel differs", s)
		}

		// By columns: a is k x m now.
		want, got = slices.Clone(c), slices.Clone(c)
		plain(s.m, s.n, s.k, a, 1, s.m, b, want)
		Gemm(s.m, s.n, s.k, a, 1, s.m, packed, got, s.n)
		if !slices.Equal(want, got) {
			t.Errorf("%+v: by columns Gemm differs", s)
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
	const m, n, k = 256, 128, 128
	x, w, y := random(rng, m*k), random(rng, k*n), make([]float32, m*n)
	packed := make([]float32, k*n)
	Pack(packed, w, k, n, n)
	for b.Loop() {
		Gemm(m, n, k, x, k, 1, packed, y, n)
	}
	b.ReportMetric(2*m*n*k/(float64(b.Elapsed().Nanoseconds())/float64(b.N)), "GFLOPS")
}
