package index

import "math/bits"

// The combinatorial number system: the subset {c1 < ... < ck} of the numbers 0 to n-1 has the rank
// C(c1,1) + ... + C(ck,k), which numbers the C(n,k) subsets of that size from 0. The elements here are the set bits of
// a mask, renumbered 0.. from the lowest.

// rankSubset returns the rank of subset among the subsets of its size of within. It counts eight elements at most.
func rankSubset(subset, within uint32) uint64 {
	var r uint64
	for k := 1; k <= 8 && subset != 0; k++ {
		below := subset&-subset - 1
		r += choose[bits.OnesCount32(within&below)][k]
		subset &= subset - 1
	}
	return r
}

// unrankSubset returns the subset of k elements, eight at most, of within that has the given rank.
func unrankSubset(r uint64, within uint32, k int) uint32 {
	var subset uint32
	n := bits.OnesCount32(within)
	for ; k > 0 && within != 0; n-- { // from the highest element down: element n-1 is in the subset if r is at least C(n-1,k)
		top := uint32(1) << (31 - bits.LeadingZeros32(within))
		within &^= top
		if c := choose[n-1][k]; r >= c {
			r -= c
			subset |= top
			k--
		}
	}
	return subset
}
