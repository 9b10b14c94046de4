package search

import "testing"

// Two positions share a key if and only if the low cards that are left have the same holders in order, and each high card has the same
// holder: for every distribution of the cards of one suit. The parts of the leader and of the other suits are not touched.
func TestKeyOfSuit(t *testing.T) {
	table := newTable(1 << 12)
	keys := map[uint64]string{}
	seen := map[string]bool{}
	for number := range 1 << 16 { // the holder of each card in 2 bits: 0 for none
		var hands [3]uint64
		low, high := "", ""
		for c := range 8 {
			holder := number >> (2 * c) & 3
			if holder > 0 {
				hands[holder-1] |= 1 << (24 + c)
			}
			switch {
			case c >= 4:
				high += string(rune('0' + holder))
			case holder > 0:
				low += string(rune('0' + holder))
			}
		}
		k := table.key(&hands, 2)
		if k[0]>>60 != 2 || k[0]&(1<<45-1) != 0 {
			t.Fatalf("%s %s: the key %x touches other parts", low, high, k[0])
		}
		name := low + " " + high
		if old, ok := keys[k[0]]; ok && old != name || !ok && seen[name] {
			t.Fatalf("%s and %s: key %x", name, old, k[0])
		}
		keys[k[0]], seen[name] = name, true
	}
}
