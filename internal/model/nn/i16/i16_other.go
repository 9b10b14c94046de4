//go:build !amd64

package i16

func collect(pairs []uint16, x []int16) int { return collectGo(pairs, x) }

func sums(pairs []uint16, x, w []int16, start, out []int32) { sumsGo(pairs, x, w, start, out) }

func narrow(pairs []uint16, x, w []int16, start []int32, shift int, limit int16, out []int16) {
	narrowGo(pairs, x, w, start, shift, limit, out)
}

func codes(deals []Rows, width int, tables, first []int16, limit int16, x, plain []int16) {
	codesGo(deals, width, tables, first, limit, x, plain)
}

func sum3(rows, width int, plain, x []int16) { sum3Go(rows, width, plain, x) }
