package i16

import "golang.org/x/sys/cpu"

var avx2 = cpu.X86.HasAVX2 && cpu.X86.HasOSXSAVE && cpu.X86.HasPOPCNT

// order holds, for each subset of eight pairs as a bit mask, the indices of its members in ascending order.
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

func collect(pairs []uint16, x []int16) int {
	if avx2 && len(pairs) > 0 {
		return collect16(len(pairs), &pairs[0], &x[0], &order)
	}
	return collectGo(pairs, x)
}

func sums(pairs []uint16, x, w []int16, start, out []int32) {
	if !avx2 || len(pairs) == 0 {
		sumsGo(pairs, x, w, start, out)
		return
	}
	switch len(start) {
	case 96:
		sums96(len(pairs), &pairs[0], &x[0], &w[0], &start[0], &out[0])
	case 64:
		sums64(len(pairs), &pairs[0], &x[0], &w[0], &start[0], &out[0])
	case 32:
		sums32(len(pairs), &pairs[0], &x[0], &w[0], &start[0], &out[0])
	default:
		sums16(len(pairs), &pairs[0], &x[0], &w[0], &start[0], &out[0])
	}
}

func narrow(pairs []uint16, x, w []int16, start []int32, shift int, limit int16, out []int16) {
	if !avx2 || len(pairs) == 0 {
		narrowGo(pairs, x, w, start, shift, limit, out)
		return
	}
	switch len(start) {
	case 96:
		narrow96(len(pairs), &pairs[0], &x[0], &w[0], &start[0], &out[0], shift, int(limit))
	case 64:
		narrow64(len(pairs), &pairs[0], &x[0], &w[0], &start[0], &out[0], shift, int(limit))
	case 32:
		narrow32(len(pairs), &pairs[0], &x[0], &w[0], &start[0], &out[0], shift, int(limit))
	default:
		narrow16(len(pairs), &pairs[0], &x[0], &w[0], &start[0], &out[0], shift, int(limit))
	}
}

func codes(deals []Rows, width int, tables, first []int16, limit int16, x, plain []int16) {
	if avx2 {
		codes16(len(deals), width, &deals[0], &tables[0], &first[0], &x[0], &plain[0], int(limit))
		return
	}
	codesGo(deals, width, tables, first, limit, x, plain)
}

func sum3(rows, width int, plain, x []int16) {
	if avx2 && rows > 0 {
		sum316(rows, width, &plain[0], &x[0])
		return
	}
	sum3Go(rows, width, plain, x)
}

// collect16 writes the indices of the pairs, among n, that are not both zero, and returns their number. n is a multiple of 8. It
// may write further values after the indices, within the n.
//
//go:noescape
func collect16(n int, pairs *uint16, x *int16, order *[256][8]uint8) int

// sums96 writes start plus the products of n pairs and their rows of a panel of 96 columns to out.
//
//go:noescape
func sums96(n int, pairs *uint16, x, w *int16, start, out *int32)

//go:noescape
func sums64(n int, pairs *uint16, x, w *int16, start, out *int32)

//go:noescape
func sums32(n int, pairs *uint16, x, w *int16, start, out *int32)

//go:noescape
func sums16(n int, pairs *uint16, x, w *int16, start, out *int32)

// narrow96 does the same, and shifts and limits the sums.
//
//go:noescape
func narrow96(n int, pairs *uint16, x, w *int16, start *int32, out *int16, shift, limit int)

//go:noescape
func narrow64(n int, pairs *uint16, x, w *int16, start *int32, out *int16, shift, limit int)

//go:noescape
func narrow32(n int, pairs *uint16, x, w *int16, start *int32, out *int16, shift, limit int)

//go:noescape
func narrow16(n int, pairs *uint16, x, w *int16, start *int32, out *int16, shift, limit int)

// codes16 computes the codes of n deals, and prefetches the rows of the following deals.
//
//go:noescape
func codes16(n, width int, deals *Rows, tables, first, x, plain *int16, limit int)

//go:noescape
func sum316(rows, width int, plain, x *int16)
