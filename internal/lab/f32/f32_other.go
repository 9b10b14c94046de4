//go:build !amd64

package f32

func collect(at []uint16, x []float32) int { return collectGo(at, x) }

func sparse(at []uint16, x []float32, k int, b, c []float32) { sparseGo(at, x, k, b, c) }

// Transpose writes a matrix turned round: columns become rows.
func Transpose(to, from []float32, rows, cols int) { transposeGo(to, from, rows, cols) }

func (*Adam) fast(_, _, _, _ []float32) int { return 0 }

// Add adds src, which is at least as long, to dst.
func Add(dst, src []float32) { addGo(dst, src) }

// Relu makes what is below 0 to 0.
func Relu(x []float32) { reluGo(x) }

// Mask clears elements of d where x, which is at least as long, is not above 0.
func Mask(d, x []float32) { maskGo(d, x) }
