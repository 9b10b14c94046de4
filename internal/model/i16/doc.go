// Package i16 multiplies rows of 16-bit integers with matrices of them, for the network that package model serves.
//
// What a rectifier lets through is mostly zeros, nine in ten of them behind the first layer of a trained network. So a row
// is looked through once for the pairs of elements that are not both zero ([Lists]), and a product reads those rows of the
// matrix alone: less to multiply and, which is what a single prediction waits for, less to fetch. A pair is what the
// processor multiplies and adds in one instruction.
//
// Integers have no rounding errors that depend on the order of sums, so the assembly for amd64 with AVX2 and the Go code
// that stands in for it elsewhere give the same numbers. Sums are of 32 bits, and must not overflow: whoever makes a matrix
// sees to that, knowing how large the elements of a row can be.
package i16
