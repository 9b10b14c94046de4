package f32

import "golang.org/x/sys/cpu"

var avx2 = cpu.X86.HasAVX2 && cpu.X86.HasOSXSAVE && cpu.X86.HasPOPCNT

// order[set] lists, in ascending order, the positions of the bits of set that are 1.
var order = func() (order [256][8]uint8) {
	for set := range order {
		n := 0
		for i := range uint8(8) {
			if set>>i&1 != 0 {
				order[set][n] = i
				n++
			}
		}
	}
	return order
}()

func collect(at []uint16, x []float32) int {
	if avx2 && len(x) > 0 && len(x)%8 == 0 {
		return collect8(len(x), &at[0], &x[0], &order)
	}
	return collectGo(at, x)
}

func sparse(at []uint16, x []float32, k int, b, c []float32) {
	if !avx2 {
		sparseGo(at, x, k, b, c)
		return
	}
	switch len(c) {
	case 6 * Strip:
		sparse96(len(at), &at[0], &x[0], 4*Strip*k, &b[0], &c[0])
	case 4 * Strip:
		sparse64(len(at), &at[0], &x[0], 4*Strip*k, &b[0], &c[0])
	case 2 * Strip:
		sparse32(len(at), &at[0], &x[0], 4*Strip*k, &b[0], &c[0])
	default:
		sparse16(len(at), &at[0], &x[0], &b[0], &c[0])
	}
}

// Transpose writes the transposed matrix of from to to. from has rows rows and cols columns.
func Transpose(to, from []float32, rows, cols int) {
	if avx2 && len(to) > 0 && rows%8 == 0 && cols%8 == 0 {
		transpose8(rows, cols, &from[0], &to[0])
		return
	}
	transposeGo(to, from, rows, cols)
}

// fast updates the first parameters with the assembly and returns their number.
func (a *Adam) fast(p, m, v, g []float32) int {
	n := len(p) &^ 7
	if n == 0 || !avx2 {
		return 0
	}
	adam8(a, n, &p[0], &m[0], &v[0], &g[0])
	return n
}

// Add adds src, which has at least the length of dst, to dst.
func Add(dst, src []float32) {
	n := len(dst) &^ 7
	if n > 0 && avx2 {
		_ = src[n-1]
		add8(n, &dst[0], &src[0])
		dst, src = dst[n:], src[n:]
	}
	addGo(dst, src)
}

// AddRows adds rows of a matrix to dst, in the order of at. The matrix has len(dst) columns. The bits equal the bits of [Add] for each
// row.
func AddRows(dst []float32, at []uint16, matrix []float32) {
	if len(at) == 0 || len(dst)%8 != 0 || len(dst) == 0 || !avx2 {
		addRowsGo(dst, at, matrix)
		return
	}
	last := 0
	for _, r := range at {
		last = max(last, int(r))
	}
	_ = matrix[last*len(dst)+len(dst)-1]
	i := 0
	for ; i+64 <= len(dst); i += 64 {
		gather64(len(at), &at[0], 4*len(dst), &matrix[i], &dst[i])
	}
	for ; i < len(dst); i += 8 {
		gather8(len(at), &at[0], 4*len(dst), &matrix[i], &dst[i])
	}
}

// Dot returns the sum of the products of the elements of a and b, which has at least the length of a, a multiple of 4.
func Dot(a, b []float32) float32 {
	if len(a) == 0 || !avx2 {
		return dotGo(a, b)
	}
	_ = b[len(a)-1]
	return dot4(len(a)&^3, &a[0], &b[0])
}

// Relu sets negative elements to 0.
func Relu(x []float32) {
	n := len(x) &^ 7
	if n > 0 && avx2 {
		relu8(n, &x[0])
		x = x[n:]
	}
	reluGo(x)
}

// Mask sets elements of d to 0 where x, which has at least the length of d, is not positive.
func Mask(d, x []float32) {
	n := len(d) &^ 7
	if n > 0 && avx2 {
		_ = x[n-1]
		mask8(n, &d[0], &x[0])
		d, x = d[n:], x[n:]
	}
	maskGo(d, x)
}

// collect8 writes the positions of the nonzero elements among n numbers, a multiple of 8, and returns how many there are. It may also
// write to the following elements of at, up to the n-th.
//
//go:noescape
func collect8(n int, at *uint16, x *float32, order *[256][8]uint8) int

// sparse96 adds n rows of each of six strips of b to c. The strips are strip bytes apart. Each row is multiplied by its number.
//
//go:noescape
func sparse96(n int, at *uint16, x *float32, strip int, b, c *float32)

//go:noescape
func sparse64(n int, at *uint16, x *float32, strip int, b, c *float32)

//go:noescape
func sparse32(n int, at *uint16, x *float32, strip int, b, c *float32)

//go:noescape
func sparse16(n int, at *uint16, x *float32, b, c *float32)

// adam8 updates n parameters, a multiple of 8.
//
//go:noescape
func adam8(a *Adam, n int, p, m, v, grad *float32)

// transpose8 transposes a matrix. Its sizes are multiples of 8.
//
//go:noescape
func transpose8(rows, cols int, from, to *float32)

// add8 adds n floats, a multiple of 8.
//
//go:noescape
func add8(n int, dst, src *float32)

// relu8 sets the negative ones of n floats, a multiple of 8, to 0.
//
//go:noescape
func relu8(n int, x *float32)

// mask8 sets n floats, a multiple of 8, to 0 where x is not positive.
//
//go:noescape
func mask8(n int, d, x *float32)

// gather64 adds n rows of 64 floats to dst. The rows are stride bytes apart.
//
//go:noescape
func gather64(n int, at *uint16, stride int, rows, dst *float32)

// gather8 adds n rows of 8 floats to dst.
//
//go:noescape
func gather8(n int, at *uint16, stride int, rows, dst *float32)

// dot4 returns the sum of n products, a multiple of 4, in four parts: (0+1)+(2+3).
//
//go:noescape
func dot4(n int, a, b *float32) float32
