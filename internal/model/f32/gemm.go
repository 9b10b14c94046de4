package f32

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
