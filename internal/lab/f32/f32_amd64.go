package f32

import "golang.org/x/sys/cpu"

var avx2 = cpu.X86.HasAVX2 && cpu.X86.HasOSXSAVE && cpu.X86.HasPOPCNT

// order holds for each set of eight numbers, as bits, where in the eight they stand, one after the other.
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

// Transpose writes a matrix turned round: columns become rows.
func Transpose(to, from []float32, rows, cols int) {
	if avx2 && len(to) > 0 && rows%8 == 0 && cols%8 == 0 {
		transpose8(rows, cols, &from[0], &to[0])
		return
	}
	transposeGo(to, from, rows, cols)
}

// fast makes the step for the first parameters, and returns for how many.
func (a *Adam) fast(p, m, v, g []float32) int {
	n := len(p) &^ 7
	if n == 0 || !avx2 {
		return 0
	}
	adam8(a, n, &p[0], &m[0], &v[0], &g[0])
	return n
}

// Add adds src, which is at least as long, to dst.
func Add(dst, src []float32) {
	n := len(dst) &^ 7
	if n > 0 && avx2 {
		_ = src[n-1]
		add8(n, &dst[0], &src[0])
		dst, src = dst[n:], src[n:]
	}
	addGo(dst, src)
}

// Relu makes what is below 0 to 0.
func Relu(x []float32) {
	n := len(x) &^ 7
	if n > 0 && avx2 {
		relu8(n, &x[0])
		x = x[n:]
	}
	reluGo(x)
}

// Mask clears elements of d where x, which is at least as long, is not above 0.
func Mask(d, x []float32) {
	n := len(d) &^ 7
	if n > 0 && avx2 {
		_ = x[n-1]
		mask8(n, &d[0], &x[0])
		d, x = d[n:], x[n:]
	}
	maskGo(d, x)
}

// collect8 writes where in n numbers, a multiple of 8, those stand that are not 0, and returns how many they are. It may
// write what it will not count, within the n.
//
//go:noescape
func collect8(n int, at *uint16, x *float32, order *[256][8]uint8) int

// sparse96 adds n rows of each of six strips of b, which are strip bytes apart, to c, each times its number.
//
//go:noescape
func sparse96(n int, at *uint16, x *float32, strip int, b, c *float32)

//go:noescape
func sparse64(n int, at *uint16, x *float32, strip int, b, c *float32)

//go:noescape
func sparse32(n int, at *uint16, x *float32, strip int, b, c *float32)

//go:noescape
func sparse16(n int, at *uint16, x *float32, b, c *float32)

// adam8 makes a step for n parameters, a multiple of 8.
//
//go:noescape
func adam8(a *Adam, n int, p, m, v, grad *float32)

// transpose8 turns a matrix round. Its sizes are multiples of 8.
//
//go:noescape
func transpose8(rows, cols int, from, to *float32)

// add8 adds n floats, a multiple of 8.
//
//go:noescape
func add8(n int, dst, src *float32)

// relu8 rectifies n floats, a multiple of 8.
//
//go:noescape
func relu8(n int, x *float32)

// mask8 clears n floats, a multiple of 8, where x is not above 0.
//
//go:noescape
func mask8(n int, d, x *float32)
