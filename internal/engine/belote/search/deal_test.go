package search

import (
	"testing"

	"roem/internal/random"
)

// above, beneath and lacking are what their comments say, card by card.
func TestSets(t *testing.T) {
	rng := random.New(2)
	for range 20_000 {
		a, b := set(rng.Uint32()), set(rng.Uint32()&rng.Uint32()&rng.Uint32())
		var stronger, weaker, none set
		for c := range 32 {
			if b&suit(c) == 0 {
				none |= bit(c)
			}
			if b&suit(c)&^below(c) == 0 {
				stronger |= bit(c)
			}
			if b&(below(c)|bit(c)) == 0 {
				weaker |= bit(c)
			}
		}
		if got := [...]set{above(a, b), beneath(a, b), lacking(b)}; got != [...]set{a & stronger, a & weaker, none} {
			t.Fatalf("of %08x and %08x: %08x, want %08x", a, b, got, [...]set{a & stronger, a & weaker, none})
		}
	}
}

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
		if p := neighbours(mine, other); p != (pairs{higher, lower}) {
			t.Fatalf("neighbours(%08x, %08x) = %08x, %08x, want %08x, %08x", mine, other, p.higher, p.lower, higher, lower)
		}
	}
}
