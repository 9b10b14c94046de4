package index

import (
	"encoding/binary"
	"math/bits"
	"math/rand/v2"

	"roem/internal/cards"
)

// NewRand returns the generator for a seed: ChaCha8 (c2sp.org/chacha8rand), whose 32-byte key is the seed in
// eight little-endian bytes followed by zeros. It is ChaCha8 and not PCG because neighbouring seeds must not give
// related deals, and because its output is specified independently of Go.
//
// The functions of this package that draw deals use only Uint64 of a generator, in the way that they document. So a seed gives the same
// deals on every machine and with every version of Go.
func NewRand(seed uint64) *rand.Rand {
	var key [32]byte
	binary.LittleEndian.PutUint64(key[:], seed)
	return rand.New(rand.NewChaCha8(key))
}

// below returns a uniform number 0 to n-1: the high word of the 128-bit product of n and a Uint64, drawn again while
// the low word is less than 2^64 mod n (Lemire, "Fast random integer generation in an interval", 2019).
func below(rng *rand.Rand, n uint64) uint64 {
	high, low := bits.Mul64(rng.Uint64(), n)
	if low < n {
		for excess := -n % n; low < excess; {
			high, low = bits.Mul64(rng.Uint64(), n)
		}
	}
	return high
}

// Random draws one of all deals, each as likely as any other, and returns its hands by seat. The deal is the one whose
// index is drawn below [Deals].
func Random(rng *rand.Rand, trump cards.Suit, leader cards.Seat) [4]cards.Set {
	hands, _ := Unrank(below(rng, Deals), trump, leader) // no error: the index is in range
	return hands
}

// RandomOfClass draws one of the deals of a class, each as likely as any other, and returns its hands by seat. The deal
// is the one whose number in the class (see [Class.Hands]) is drawn below the size of the class. It returns
// [ErrNotClass] for a matrix that is no class.
func RandomOfClass(rng *rand.Rand, c Class, trump cards.Suit, leader cards.Seat) ([4]cards.Set, error) {
	size := c.Size()
	if size == 0 {
		return [4]cards.Set{}, ErrNotClass
	}
	return c.Hands(below(rng, size), trump, leader)
}

// RandomClassUniform draws a class, each as likely as any other (its number is drawn below [Classes]), then one of its
// deals as [RandomOfClass] does, and returns the hands by seat. Their suit lengths are far more uneven than those of
// [Random] (the paper, section 6.1).
func RandomClassUniform(rng *rand.Rand, trump cards.Suit, leader cards.Seat) [4]cards.Set {
	c, _ := ClassAt(uint32(below(rng, Classes)))     // no error: the number is in range
	hands, _ := RandomOfClass(rng, c, trump, leader) // no error: c is a valid class
	return hands
}
