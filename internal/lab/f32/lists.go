package f32

// Lists are rows of numbers and which of those are not 0. Half of what a rectifier lets through is 0 at first, and four
// in five of them once a network has learned something; the same goes for derivatives that went through one. Products
// with such rows need not look at the rest, and are the same to the last bit, but for the sign of a zero.
type Lists struct {
	rows, k int
	x       []float32 // of the rows
	turned  []float32 // memory for columns
	at      []uint16  // where in its row each number stands that is not 0
	n       []int     // how many there are, by row
}

// NewLists returns memory for matrices of so many rows and columns, and fewer.
func NewLists(rows, cols int) *Lists {
	return &Lists{turned: make([]float32, rows*cols), at: make([]uint16, rows*cols), n: make([]int, max(rows, cols))}
}

// Rows looks through the rows of a matrix, k wide, a multiple of [Strip]. It must not change while the lists are used.
func (l *Lists) Rows(x []float32, rows, k int) {
	l.rows, l.k, l.x = rows, k, x[:rows*k]
	for r := range rows {
		l.n[r] = collect(l.at[r*k:][:k], x[r*k:][:k])
	}
}

// Columns looks through the columns of a matrix: they are the rows of the lists. Both sizes are multiples of [Strip].
func (l *Lists) Columns(x []float32, rows, cols int) {
	Transpose(l.turned[:rows*cols], x[:rows*cols], rows, cols)
	l.Rows(l.turned, cols, rows)
}

// Gemm adds the product of the lists' rows and a packed matrix (see [Pack]), as many rows as these have columns and n
// columns, to c, whose rows are n wide. Sums run upwards, starting with what stands in c.
func (l *Lists) Gemm(n int, packed, c []float32) {
	packed, c = packed[:l.k*n], c[:l.rows*n]
	for j := 0; j < n; {
		strips := 1
		switch left := (n - j) / Strip; {
		case left == 6:
			strips = 6
		case left >= 4:
			strips = 4
		case left >= 2:
			strips = 2
		}
		b := packed[j*l.k:][:strips*Strip*l.k]
		for r := range l.rows {
			if k := l.n[r]; k > 0 {
				sparse(l.at[r*l.k:][:k], l.x[r*l.k:][:l.k], l.k, b, c[r*n+j:][:strips*Strip])
			}
		}
		j += strips * Strip
	}
}

func collectGo(at []uint16, x []float32) int {
	n := 0
	for i, v := range x {
		if v != 0 {
			at[n] = uint16(i)
			n++
		}
	}
	return n
}

func sparseGo(at []uint16, x []float32, k int, b, c []float32) {
	for strip := 0; strip*Strip < len(c); strip++ {
		c, b := c[strip*Strip:][:Strip], b[strip*k*Strip:]
		for _, t := range at {
			row := b[int(t)*Strip:][:Strip]
			for j := range c {
				c[j] += float32(x[t] * row[j])
			}
		}
	}
}

func transposeGo(to, from []float32, rows, cols int) {
	for i := range rows {
		for j, x := range from[i*cols:][:cols] {
			to[j*rows+i] = x
		}
	}
}
