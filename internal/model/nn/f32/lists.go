package f32

// Lists hold rows of numbers and the positions of those that are not 0. After a rectifier, half of the numbers are 0 at first, and four
// fifths after some training. The same is true of derivatives that passed a rectifier. Products with such rows skip the zeros. The
// result has the same bits, except for the sign of a zero.
type Lists struct {
	rows, k int
	x       []float32 // the rows
	turned  []float32 // memory for Columns
	at      []uint16  // the positions of the nonzero numbers within each row
	n       []int     // the number of nonzero numbers by row
}

// NewLists returns lists with memory for matrices of up to rows rows and cols columns.
func NewLists(rows, cols int) *Lists {
	return &Lists{turned: make([]float32, rows*cols), at: make([]uint16, rows*cols), n: make([]int, max(rows, cols))}
}

// Rows lists the rows of a matrix with k columns, a multiple of [Strip]. The matrix must not change while the lists are used.
func (l *Lists) Rows(x []float32, rows, k int) {
	l.rows, l.k, l.x = rows, k, x[:rows*k]
	for r := range rows {
		l.n[r] = collect(l.at[r*k:][:k], x[r*k:][:k])
	}
}

// Columns lists the columns of a matrix: the columns become the rows of the lists. Both sizes are multiples of [Strip].
func (l *Lists) Columns(x []float32, rows, cols int) {
	Transpose(l.turned[:rows*cols], x[:rows*cols], rows, cols)
	l.Rows(l.turned, cols, rows)
}

// Gemm adds the product of the lists' rows and a packed matrix (see [Pack]) with k rows and n columns to c, whose rows have n elements.
// Sums are in ascending order of the positions and start with the element of c.
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
