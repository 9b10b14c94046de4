package f32

import "math"

// Strip is the width, in columns, that the kernels work on. The right-hand matrices have a multiple of it.
const Strip = 16

// Pack writes the k x n matrix b, whose rows are ldb apart, strip by strip as the kernels read it: the first 16 columns of
// all rows, then the next 16. n is a multiple of [Strip] and dst holds at least k*n elements.
func Pack(dst, b []float32, k, n, ldb int) {
	at := 0
	for j := 0; j < n; j += Strip {
		for t := range k {
			copy(dst[at:at+Strip], b[t*ldb+j:])
			at += Strip
		}
	}
}

// Gemm adds the product of a, m x k, and a packed matrix (see [Pack]), k x n, to c, m x n, whose rows are ldc apart. Element
// (i, t) of a is a[i*row + t*step], so that a may be read by columns as well. Sums run over t upwards, starting with what
// stands in c.
func Gemm(m, n, k int, a []float32, row, step int, packed, c []float32, ldc int) {
	if m <= 0 || n <= 0 || k <= 0 {
		return
	}
	// The kernels read and write these elements without looking.
	_ = a[(m-1)*row+(k-1)*step]
	_ = packed[k*n-1]
	_ = c[(m-1)*ldc+n-1]
	for j := 0; j < n; j += Strip {
		b := packed[j*k:][:k*Strip]
		i := 0
		for ; i+4 <= m; i += 4 {
			kernel4(k, a[i*row:], row, step, b, c[i*ldc+j:], ldc)
		}
		for ; i < m; i++ {
			kernel1(k, a[i*row:], step, b, c[i*ldc+j:][:Strip])
		}
	}
}

// Rows adds the rows of b, n wide and packed (see [Pack]), each times its factor of x, to c: a matrix times a vector. n is a
// multiple of [Strip]. Factors of 0, half of what a rectifier lets through, take no time.
func Rows(n, k int, x, packed, c []float32) {
	if n <= 0 || k <= 0 {
		return
	}
	x, packed, c = x[:k], packed[:k*n], c[:n]
	wide := n &^ (4*Strip - 1)
	for from := 0; from < k && wide > 0; from += few {
		var s sparse
		s.collect(x[from:min(from+few, k)])
		if s.n == 0 {
			continue
		}
		for j := 0; j < wide; j += 4 * Strip {
			kernelWide(&s, k, packed[j*k+from*Strip:], c[j:][:4*Strip])
		}
	}
	for j := wide; j < n; j += Strip {
		kernel1(k, x, 1, packed[j*k:][:Strip*k], c[j:][:Strip])
	}
}

// few is how many factors are looked at together.
const few = 128

// sparse holds the factors that are not 0.
type sparse struct {
	n int
	x [few]float32
	t [few]uint32 // which row each is for, times the bytes of a strip
}

// collect has no branches, which nobody could predict.
func (s *sparse) collect(x []float32) {
	n := 0
	for t, v := range x {
		s.x[n&(few-1)], s.t[n&(few-1)] = v, uint32(t)*(4*Strip)
		b := math.Float32bits(v) << 1 // without the sign: -0 is 0
		n += int((b | -b) >> 31)
	}
	s.n = n
}

func kernel4Go(k int, a []float32, row, step int, b, c []float32, ldc int) {
	for i := range 4 {
		kernel1Go(k, a[i*row:], step, b, c[i*ldc:][:Strip])
	}
}

func kernel1Go(k int, a []float32, step int, b, c []float32) {
	c = c[:Strip]
	for t := range k {
		x := a[t*step]
		r := b[t*Strip:][:Strip]
		for j := range c {
			c[j] += float32(x * r[j]) // the conversion forbids the compiler to fuse
		}
	}
}

func kernelWideGo(s *sparse, k int, b, c []float32) {
	for strip := range 4 {
		c, b := c[strip*Strip:][:Strip], b[strip*k*Strip:]
		for i, x := range s.x[:s.n] {
			row := b[s.t[i]/4:][:Strip]
			for j := range c {
				c[j] += float32(x * row[j])
			}
		}
	}
}

func addGo(dst, src []float32) {
	src = src[:len(dst)]
	for i := range dst {
		dst[i] += src[i]
	}
}

func reluGo(x []float32) {
	for i, v := range x {
		if v <= 0 {
			x[i] = 0
		}
	}
}

func maskGo(d, x []float32) {
	x = x[:len(d)]
	for i, v := range x {
		if v <= 0 {
			d[i] = 0
		}
	}
}
