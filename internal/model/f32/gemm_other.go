//go:build !amd64

package f32

func kernel4(k int, a []float32, row, step int, b, c []float32, ldc int) {
	kernel4Go(k, a, row, step, b, c, ldc)
}

func kernel1(k int, a []float32, step int, b, c []float32) { kernel1Go(k, a, step, b, c) }

// Add adds src, which is at least as long, to dst.
func Add(dst, src []float32) { addGo(dst, src) }

// Relu makes what is below 0 to 0.
func Relu(x []float32) { reluGo(x) }

// Mask clears elements of d where x, which is at least as long, is not above 0.
func Mask(d, x []float32) { maskGo(d, x) }
