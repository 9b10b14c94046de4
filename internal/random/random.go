// Package random draws numbers from seeds, so that a seed gives the same numbers on every machine and with every version of Go. Go promises
// this of the generator ChaCha8, but not of what math/rand/v2 makes of its output: bounded numbers, shuffles, fractions. These are made
// here.
//
// Every answer of the service that depends on a seed must draw with this package only, and from a generator only Uint64.
package random

import (
	"encoding/binary"
	"math/bits"
	"math/rand/v2"
)

// New returns the generator for a seed and further words, which name a stream of numbers of the seed: ChaCha8 (c2sp.org/chacha8rand),
// whose 32-byte key is the words in little-endian order, filled up with zeros. It is ChaCha8 and not PCG because neighbouring seeds must
// not give related numbers, and because its output is specified independently of Go. If there are more than three further words, the first
// number of the stream of the first three is the seed for the others.
func New(seed uint64, stream ...uint64) *rand.Rand {
	if len(stream) > words {
		return New(New(seed, stream[:words]...).Uint64(), stream[words:]...)
	}
	var key [32]byte
	binary.LittleEndian.PutUint64(key[:], seed)
	for i, word := range stream {
		binary.LittleEndian.PutUint64(key[8*(i+1):], word)
	}
	return rand.New(rand.NewChaCha8(key))
}

// words is how many words a key has after the seed.
const words = 3

// seedStream names the streams from which Seed draws.
const seedStream = 0x73656564

// Seed returns the seed of the i-th of several things that one seed draws. The first is drawn from the seed itself. The others have seeds
// that no other seed gives, but for chance: seed+i would give neighbouring seeds the same things.
func Seed(seed, i uint64) uint64 {
	if i == 0 {
		return seed
	}
	return New(seed, seedStream, i).Uint64()
}

// Below returns a uniform number from 0 to n-1; n must not be 0. It is the high word of the 128-bit product of n and a Uint64, drawn again
// while the low word is less than 2^64 mod n (Lemire, "Fast random integer generation in an interval", 2019).
func Below(rng *rand.Rand, n uint64) uint64 {
	high, low := bits.Mul64(rng.Uint64(), n)
	if low < n {
		for excess := -n % n; low < excess; {
			high, low = bits.Mul64(rng.Uint64(), n)
		}
	}
	return high
}

// Float64 returns a uniform multiple of 2^-53 from 0 to below 1: the low 53 bits of a Uint64.
func Float64(rng *rand.Rand) float64 { return float64(rng.Uint64()&(1<<53-1)) / (1 << 53) }

// Shuffle puts the elements in random order, each order equally likely: it exchanges the last with one drawn from all, then the last but
// one with one drawn from all but the last, and so on (Fisher and Yates).
func Shuffle[T any](rng *rand.Rand, list []T) {
	for i := len(list) - 1; i > 0; i-- {
		j := Below(rng, uint64(i)+1)
		list[i], list[j] = list[j], list[i]
	}
}
