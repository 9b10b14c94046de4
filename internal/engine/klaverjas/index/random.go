package index

import (
	"math/rand/v2"

	"roem/internal/engine/piquet"
	"roem/internal/random"
)

// NewRand returns the generator of deals for a seed, from package random. A seed gives the same deals on every machine and with every
// version of Go.
func NewRand(seed uint64) *rand.Rand { return random.New(seed) }

// Random draws one of all deals, each as likely as any other, and returns its hands by seat. The deal is the one whose
// index is drawn below [Deals].
func Random(rng *rand.Rand, trump piquet.Suit, leader piquet.Seat) [4]piquet.Set {
	hands, _ := Unrank(random.Below(rng, Deals), trump, leader) // no error: the index is in range
	return hands
}

// RandomOfClass draws one of the deals of a class, each as likely as any other, and returns its hands by seat. The deal
// is the one whose number in the class (see [Class.Hands]) is drawn below the size of the class. It returns
// [ErrNotClass] for a matrix that is no class.
func RandomOfClass(rng *rand.Rand, c Class, trump piquet.Suit, leader piquet.Seat) ([4]piquet.Set, error) {
	size := c.Size()
	if size == 0 {
		return [4]piquet.Set{}, ErrNotClass
	}
	return c.Hands(random.Below(rng, size), trump, leader)
}

// RandomClassUniform draws a class, each as likely as any other (its number is drawn below [Classes]), then one of its
// deals as [RandomOfClass] does, and returns the hands by seat. Their suit lengths are far more uneven than the suit lengths of [Random]
// (the paper, section 6.1).
func RandomClassUniform(rng *rand.Rand, trump piquet.Suit, leader piquet.Seat) [4]piquet.Set {
	c, _ := ClassAt(uint32(random.Below(rng, Classes))) // no error: the number is in range
	hands, _ := RandomOfClass(rng, c, trump, leader)    // no error: c is a valid class
	return hands
}
