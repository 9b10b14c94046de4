package i16

// Strip divides the width and the depth of every matrix.
const Strip = 16

// Matrix is a matrix of K x N elements in the format of the kernels: panels of at most 96 columns, in each panel pairs of
// rows, and in each pair the two elements of a column next to each other. It is read-only.
type Matrix struct {
	k, n int
	w    []int16
}

// NewMatrix packs the k x n matrix b. Both are multiples of [Strip].
func NewMatrix(k, n int, b []int16) *Matrix {
	m := &Matrix{k: k, n: n, w: make([]int16, k*n)}
	for j := 0; j < n; {
		size := panel(n - j)
		to := m.w[j*k:]
		for t := range k {
			for i, x := range b[t*n+j:][:size] {
				to[t/2*2*size+2*i+t%2] = x
			}
		}
		j += size
	}
	return m
}

// panel returns the width of the next panel, given the number of columns left.
func panel(left int) int {
	switch {
	case left == 96:
		return 96
	case left >= 64:
		return 64
	case left >= 32:
		return 32
	}
	return Strip
}

// Lists holds rows of integers and, for each row, the pairs of elements that are not both zero.
type Lists struct {
	k     int
	x     []int16
	pairs []uint16
	n     []int // the number of such pairs of each row
}

// NewLists returns memory for the given number of rows of k elements. k is a multiple of [Strip].
func NewLists(rows, k int) *Lists {
	return &Lists{k: k, pairs: make([]uint16, rows*k/2), n: make([]int, rows)}
}

// Collect scans consecutive rows of k elements in x, which must not change while the lists are used.
func (l *Lists) Collect(rows int, x []int16) {
	l.x, l.n = x[:rows*l.k], l.n[:rows]
	for r := range rows {
		l.n[r] = collect(l.pairs[r*l.k/2:][:l.k/2], x[r*l.k:][:l.k])
	}
}

// Start holds the initial values of sums: one vector for every Each rows, or the same vector for all rows if Each is 0.
type Start struct {
	Sums []int32
	Each int
}

func (s *Start) at(row, n int) []int32 {
	if s.Each == 0 {
		return s.Sums[:n]
	}
	return s.Sums[row/s.Each*n:][:n]
}

// Sums writes start plus the rows of l times m to out, whose rows are n wide.
func (m *Matrix) Sums(l *Lists, start Start, out []int32) {
	for j := 0; j < m.n; {
		size := panel(m.n - j)
		w := m.w[j*m.k:][:size*m.k]
		for r, n := range l.n {
			pairs, x := l.pairs[r*l.k/2:][:n], l.x[r*m.k:][:m.k]
			sums(pairs, x, w, start.at(r, m.n)[j:][:size], out[r*m.n+j:][:size])
		}
		j += size
	}
}

// Narrow does the same and converts the sums to activations: shifted to the right, rounded towards minus infinity, and limited
// to 0 to limit. Rows of out are step apart.
func (m *Matrix) Narrow(l *Lists, start Start, shift int, limit int16, out []int16, step int) {
	for j := 0; j < m.n; {
		size := panel(m.n - j)
		w := m.w[j*m.k:][:size*m.k]
		for r, n := range l.n {
			pairs, x := l.pairs[r*l.k/2:][:n], l.x[r*m.k:][:m.k]
			narrow(pairs, x, w, start.at(r, m.n)[j:][:size], shift, limit, out[r*step+j:][:size])
		}
		j += size
	}
}

// Rows are the offsets in tables, in elements, of the rows that the codes of a deal consist of: three for each of four suits.
type Rows [12]uint32

// Codes computes the codes of deals, width wide: the initial values plus the three rows of a suit, at least 0. The initial
// values of a deal's first suit are the first vector of first. The codes of the other suits are the second vector, and their codes
// are at most limit. For the i-th deal, the code of the first suit is written to x[i*2*width:], followed by the sum of the
// other codes, and the other codes are written to plain[i*3*width:], one after the other. No sum may overflow.
func Codes(deals []Rows, width int, tables, first []int16, limit int16, x, plain []int16) {
	if len(deals) == 0 {
		return
	}
	first, x, plain = first[:2*width], x[:len(deals)*2*width], plain[:len(deals)*3*width]
	for i := range deals {
		for _, at := range deals[i] {
			_ = tables[int(at):][:width]
		}
	}
	codes(deals, width, tables, first, limit, x, plain)
}

// Sum3 adds each three consecutive rows of plain, which are width wide, and writes the sum to the second half of a row of x,
// which is twice as wide.
func Sum3(rows, width int, plain, x []int16) {
	plain, x = plain[:rows*3*width], x[:rows*2*width]
	sum3(rows, width, plain, x)
}

func collectGo(pairs []uint16, x []int16) int {
	n := 0
	for i := range pairs {
		if x[2*i]|x[2*i+1] != 0 {
			pairs[n] = uint16(i)
			n++
		}
	}
	return n
}

func sumsGo(pairs []uint16, x, w []int16, start, out []int32) {
	size := len(start)
	copy(out, start)
	for _, p := range pairs {
		a, b := int32(x[2*int(p)]), int32(x[2*int(p)+1])
		row := w[int(p)*2*size:][:2*size]
		for j := range out {
			out[j] += a*int32(row[2*j]) + b*int32(row[2*j+1])
		}
	}
}

func narrowGo(pairs []uint16, x, w []int16, start []int32, shift int, limit int16, out []int16) {
	var buffer [96]int32
	acc := buffer[:len(start)]
	sumsGo(pairs, x, w, start, acc)
	for j, v := range acc {
		out[j] = int16(max(0, min(v>>shift, int32(limit))))
	}
}

func codesGo(deals []Rows, width int, tables, first []int16, limit int16, x, plain []int16) {
	for i, rows := range deals {
		trump, sum, codes := x[i*2*width:][:width], x[(i*2+1)*width:][:width], plain[i*3*width:][:3*width]
		for j := range width {
			at := func(k int) int16 { return tables[int(rows[k])+j] }
			trump[j] = max(0, first[j]+at(0)+at(1)+at(2))
			sum[j] = 0
			for s := range 3 {
				c := max(0, min(limit, first[width+j]+at(3*s+3)+at(3*s+4)+at(3*s+5)))
				codes[s*width+j] = c
				sum[j] += c
			}
		}
	}
}

func sum3Go(rows, width int, plain, x []int16) {
	for r := range rows {
		to, from := x[(2*r+1)*width:][:width], plain[3*r*width:][:3*width]
		for j := range to {
			to[j] = from[j] + from[width+j] + from[2*width+j]
		}
	}
}
