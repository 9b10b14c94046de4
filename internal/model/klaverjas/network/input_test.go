package network

import (
	"math/rand/v2"
	"slices"
	"testing"

	"roem/internal/engine/piquet"
)

func TestSuitsOf(t *testing.T) {
	// West leads and hearts are trump. North holds the clubs, east the diamonds, south the hearts, west the spades, except
	// that the 8C and the 7S are exchanged.
	hands := [4]piquet.Set{0x010000ff &^ 2, 0x0000ff00, 0x00ff0000, 0xfe000002}
	got := SuitsOf(&hands, piquet.Hearts, piquet.West)
	want := Suits{
		0xffff,           // south sits three seats after west
		0x5555 &^ 0b1100, // north sits one after; the 8 is west's own
		0xaaaa,           // east sits two after
		0b01,             // all west's but the 7
	}
	if got != want {
		t.Errorf("%04x, want %04x", got, want)
	}
	if got, want := (Suits{9, 3, 2, 1}).Sorted(), (Suits{9, 1, 2, 3}); got != want {
		t.Errorf("sorted %v, want %v", got, want)
	}
}

func TestChoosers(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 1))
	for kind, all := range groups() {
		seen := piquet.Set(0)
		for g, group := range all {
			c := Choosers()[kind][g]
			for range 1000 {
				pattern, want := uint16(rng.Uint32()), 0
				for i, face := range group {
					want |= int(pattern>>(2*face)&3) << (2 * i)
				}
				if got := c.Row(pattern); got != want {
					t.Fatalf("kind %d, group %d, pattern %04x: row %d, want %d", kind, g, pattern, got, want)
				}
			}
			for _, face := range group {
				seen = seen.With(piquet.Of(piquet.Clubs, face))
			}
		}
		if seen != piquet.SetOf(slices.Collect(piquet.Deck.InSuit(piquet.Clubs).All())...) {
			t.Errorf("kind %d: not every card is in a group", kind)
		}
	}
}
