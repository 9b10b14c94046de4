package f32

// Strip is the number of columns that the kernels process together. The number of columns of a right-hand matrix is a multiple of it.
const Strip = 16

// Pack copies the k x n matrix b, whose rows are ldb elements apart, to dst in the order in which the kernels read it: the first 16
// columns of all rows, then the next 16, and so on. n is a multiple of [Strip] and dst holds at least k*n elements.
func Pack(dst, b []float32, k, n, ldb int) {
	at := 0
	for j := 0; j < n; j += Strip {
		for t := range k {
			copy(dst[at:at+Strip], b[t*ldb+j:])
			at += Strip
		}
	}
}

func addGo(dst, src []float32) {
	src = src[:len(dst)]
	for i := range dst {
		dst[i] += src[i]
	}
}

func addRowsGo(dst []float32, at []uint16, matrix []float32) {
	for _, r := range at {
		addGo(dst, matrix[int(r)*len(dst):][:len(dst)])
	}
}

func dotGo(a, b []float32) float32 {
	b = b[:len(a)]
	var s0, s1, s2, s3 float32
	for i := 0; i+3 < len(a); i += 4 {
		s0 += float32(a[i] * b[i])
		s1 += float32(a[i+1] * b[i+1])
		s2 += float32(a[i+2] * b[i+2])
		s3 += float32(a[i+3] * b[i+3])
	}
	return (s0 + s1) + (s2 + s3)
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
