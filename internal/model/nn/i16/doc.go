// Package i16 multiplies rows of 16-bit integers with matrices of them, for the network that package deal serves.
//
// The output of a rectifier is mostly zeros, nine in ten after the first layer of a trained network. So each row is scanned
// once for the pairs of elements that are not both zero ([Lists]), and a product reads only those rows of the matrix. That
// saves multiplications and, more important for a single prediction, memory reads. A pair is what the processor multiplies
// and adds in one instruction.
//
// Integer sums do not depend on the order of their terms, so the assembly for amd64 with AVX2 and the Go code for other
// processors give the same numbers. Sums have 32 bits and must not overflow. The caller must ensure that, given the largest
// possible elements of a row.
package i16
