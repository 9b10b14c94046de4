//go:build !amd64

package f32

func collect(at []uint16, x []float32) int { return collectGo(at, x) }

func sparse(at []uint16, x []float32, k int, b, c []float32) { sparseGo(at, x, k, b, c) }

// Transpose writes the transposed matrix of from to to. from has rows rows and cols columns.
func Transpose(to, from []float32, rows, cols int) { transposeGo(to, from, rows, cols) }

func (*Adam) fast(_, _, _, _ []float32) int { return 0 }

// Add adds src, which has at least the length of dst, to dst.
func Add(dst, src []float32) { addGo(dst, src) }

// AddRows adds rows of a matrix to dst, in the order of at. The matrix has len(dst) columns. The bits equal the bits of [Add] for each
// row.
func AddRows(dst []float32, at []uint16, matrix []float32) { addRowsGo(dst, at, matrix) }

// Dot returns the sum of the products of the elements of a and b, which has at least the length of a, a multiple of 4.
func Dot(a, b []float32) float32 { return dotGo(a, b) }

// Relu sets negative elements to 0.
func Relu(x []float32) { reluGo(x) }

// Mask sets elements of d to 0 where x, which has at least the length of d, is not positive.
func Mask(d, x []float32) { maskGo(d, x) }
