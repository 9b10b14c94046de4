package f32

import "golang.org/x/sys/cpu"

var avx2 = cpu.X86.HasAVX2 && cpu.X86.HasOSXSAVE

func kernel4(k int, a []float32, row, step int, b, c []float32, ldc int) {
	if avx2 {
		gemm4x16(k, &a[0], 4*row, 4*step, &b[0], &c[0], 4*ldc)
		return
	}
	kernel4Go(k, a, row, step, b, c, ldc)
}

func kernel1(k int, a []float32, step int, b, c []float32) {
	if avx2 {
		gemm1x16(k, &a[0], 4*step, &b[0], &c[0])
		return
	}
	kernel1Go(k, a, step, b, c)
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

// gemm4x16 adds a 4 x k matrix times a k x 16 matrix to c. row, step and ldc are in bytes; rows of b follow each other.
//
//go:noescape
func gemm4x16(k int, a *float32, row, step int, b, c *float32, ldc int)

// gemm1x16 does the same for one row.
//
//go:noescape
func gemm1x16(k int, a *float32, step int, b, c *float32)

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
