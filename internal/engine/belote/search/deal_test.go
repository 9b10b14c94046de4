package search

import (
	"testing"

	"roem/internal/random"
)

// neighbours is what its comment says, card by card.
func TestNeighbours(t *testing.T) {
	rng := random.New(1)
	for range 20_000 {
		mine := set(rng.Uint32())
		other := set(rng.Uint32()) &^ mine
		if rng.Uint64()&1 == 0 { // fewer cards
			mine &= set(rng.Uint32())
			other &= set(rng.Uint32())
		}
		var higher, lower set
		for c := range 32 {
			if mine&bit(c) == 0 {
				continue
			}
			for next := c + 1; next&7 != 0; next++ {
				if (mine|other)&bit(next) != 0 {
					if mine&bit(next) != 0 {
						higher |= bit(c)
					}
					break
				}
			}
			for next := c - 1; next >= 0 && next&7 != 7; next-- {
				if (mine|other)&bit(next) != 0 {
					if mine&bit(next) != 0 {
						lower |= bit(c)
					}
					break
				}
			}
		}
		if h, l := neighbours(mine, other); h != higher || l != lower {
			t.Fatalf("neighbours(%08x, %08x) = %08x, %08x, want %08x, %08x", mine, other, h, l, higher, lower)
		}
	}
}
