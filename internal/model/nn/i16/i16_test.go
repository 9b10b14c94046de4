package i16

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"
)

// rectified draws activations, many of them 0.
func rectified(rng *rand.Rand, n, limit int) []int16 {
	x := make([]int16, n)
	for i := range x {
		switch rng.IntN(6) {
		case 0:
			x[i] = int16(rng.IntN(limit + 1))
		case 1:
			x[i] = int16(limit)
		}
	}
	return x
}

// any16 draws arbitrary integers, including the extremes.
func any16(rng *rand.Rand, n int) []int16 {
	x := make([]int16, n)
	for i := range x {
		switch x[i] = int16(rng.Uint32()); rng.IntN(20) {
		case 0:
			x[i] = math.MinInt16
		case 1:
			x[i] = math.MaxInt16
		}
	}
	return x
}

// any32 draws arbitrary integers, with which sums overflow. They must overflow in the same way everywhere.
func any32(rng *rand.Rand, n int) []int32 {
	x := make([]int32, n)
	for i := range x {
		x[i] = int32(rng.Uint32()) >> rng.IntN(32)
	}
	return x
}

// The assembly, the Go code and the definition agree.
func TestProducts(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 2))
	for _, s := range []struct{ rows, k, n, each int }{
		{1, 16, 16, 0}, {4, 32, 32, 0}, {5, 192, 96, 0}, {6, 96, 96, 3}, {3, 48, 112, 1}, {64, 192, 128, 0}, {2, 2048, 16, 0}, {9, 1024, 144, 3},
	} {
		x, b := rectified(rng, s.rows*s.k, 32767), any16(rng, s.k*s.n)
		if s.rows > 2 {
			clear(x[s.k:][:s.k]) // a row of nothing
		}
		start := Start{any32(rng, s.n), s.each}
		if s.each > 0 {
			start.Sums = any32(rng, s.rows/s.each*s.n)
		}
		want := make([]int32, s.rows*s.n)
		for r := range s.rows {
			from := start.Sums
			if s.each > 0 {
				from = start.Sums[r/s.each*s.n:]
			}
			for j := range s.n {
				sum := from[j]
				for k := range s.k {
					sum += int32(x[r*s.k+k]) * int32(b[k*s.n+j])
				}
				want[r*s.n+j] = sum
			}
		}
		m, l := NewMatrix(s.k, s.n, b), NewLists(s.rows, s.k)
		l.Collect(s.rows, x)
		for r, n := range l.n {
			pairs := make([]uint16, s.k/2)
			pairs = pairs[:collectGo(pairs, x[r*s.k:][:s.k])]
			if got := l.pairs[r*s.k/2:][:n]; !slices.Equal(pairs, got) {
				t.Fatalf("%+v: pairs %v, want %v", s, got, pairs)
			}
		}
		got := make([]int32, s.rows*s.n)
		m.Sums(l, start, got)
		if !slices.Equal(want, got) {
			t.Errorf("%+v: Sums differs", s)
		}
		for _, shift := range []int{0, 1, 9, 30} {
			limit, step := int16(32767), s.n+16
			if shift == 9 {
				limit, step = 10922, s.n
			}
			narrow := make([]int16, s.rows*step)
			m.Narrow(l, start, shift, limit, narrow, step)
			for r := range s.rows {
				for j, sum := range want[r*s.n:][:s.n] {
					if want := max(0, min(int64(limit), int64(math.Floor(float64(sum)/float64(int64(1)<<shift))))); int64(narrow[r*step+j]) != want {
						t.Fatalf("%+v: %d shifted by %d up to %d is %d, want %d", s, sum, shift, limit, narrow[r*step+j], want)
					}
				}
				for _, x := range narrow[r*step+s.n : (r+1)*step] {
					if x != 0 {
						t.Fatalf("%+v: Narrow wrote behind its row", s)
					}
				}
			}
			plain := make([]int16, s.rows*step)
			for j := 0; j < s.n; {
				size := panel(s.n - j)
				for r, n := range l.n {
					narrowGo(l.pairs[r*s.k/2:][:n], x[r*s.k:], m.w[j*s.k:], start.at(r, s.n)[j:][:size], shift, limit, plain[r*step+j:])
				}
				j += size
			}
			if !slices.Equal(plain, narrow) {
				t.Errorf("%+v: the Go kernel differs", s)
			}
		}
	}
}

func TestCodes(t *testing.T) {
	rng := rand.New(rand.NewPCG(3, 4))
	for _, width := range []int{16, 64, 96} {
		const deals, rows = 11, 40
		tables, first := any16(rng, rows*width), any16(rng, 2*width)
		at := make([]Rows, deals)
		for i := range at {
			for k := range at[i] {
				at[i][k] = uint32(rng.IntN(rows) * width)
			}
		}
		x, plain := make([]int16, deals*2*width), make([]int16, deals*3*width)
		Codes(at, width, tables, first, 10922, x, plain)
		wantX, wantPlain := make([]int16, len(x)), make([]int16, len(plain))
		codesGo(at, width, tables, first, 10922, wantX, wantPlain)
		if !slices.Equal(wantX, x) || !slices.Equal(wantPlain, plain) {
			t.Errorf("width %d: the assembly differs from the Go code", width)
		}
		for r := range deals {
			clear(x[(2*r+1)*width:][:width])
		}
		Sum3(deals, width, plain, x)
		if !slices.Equal(wantX, x) {
			t.Errorf("width %d: Sum3 differs", width)
		}
		for r := range deals {
			clear(x[(2*r+1)*width:][:width])
		}
		sum3Go(deals, width, plain, x)
		if !slices.Equal(wantX, x) {
			t.Errorf("width %d: sum3Go differs", width)
		}
	}
	Codes(nil, 16, nil, nil, 0, nil, nil)
}

func BenchmarkNarrow(b *testing.B) {
	rng := rand.New(rand.NewPCG(5, 6))
	const rows, k, n = 64, 192, 96
	m, l, start := NewMatrix(k, n, any16(rng, k*n)), NewLists(rows, k), Start{Sums: make([]int32, n)}
	x, out := rectified(rng, rows*k, 10922), make([]int16, rows*n)
	pairs := 0
	for b.Loop() {
		l.Collect(rows, x)
		m.Narrow(l, start, 10, 10922, out, n)
	}
	for _, n := range l.n {
		pairs += n
	}
	b.ReportMetric(float64(2*pairs*n)/(float64(b.Elapsed().Nanoseconds())/float64(b.N)), "GMAC/s")
}
