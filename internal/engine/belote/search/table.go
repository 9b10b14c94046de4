package search

import "math/bits"

// table is the transposition table: for positions between two tricks, bounds on the points that the leader still makes. The number of cards
// left in each stack and the leader determine such a position within a deal. So the key is exact, and a bound holds for any points made
// before.
//
// Entries are small, because a table that stays in the processor's cache is worth more than one that forgets nothing. A bijection maps
// the 27 bits of a key to a bucket and a tag. An entry has the tag and the bounds:
//
//	bit  31.........16          15...8  7...0
//	     deal, then the tag     lower   upper
type table struct {
	buckets []bucket
	shift   uint   // a key, mixed, has the bucket above it and the tag below
	deal    uint32 // the number of the deal, in place above the tag; never 0
}

// key is a position between two tricks: the leader in the lowest bit, and the numbers of cards left in the 16 stacks, as the digits of a
// number with the base 3 (deal.places).
type key uint32

// entry is one position in a table, or 0.
type entry uint32

// bucket is the entries of the positions that share a place.
type bucket [4]entry

const (
	bucketBytes = 16
	keyBits     = 27 // 2 × 3^16 < 2^27
	tagBits     = 16 // with the number of the deal
	boundBits   = 8
	lowerAt     = boundBits
	tagAt       = 2 * boundBits
	minTable    = bucketBytes << (keyBits - tagBits + 1) // one bit is left for the number of the deal
)

func newTable(bytes int) *table {
	n := bits.Len(uint(max(bytes, minTable)/bucketBytes)) - 1
	return &table{buckets: make([]bucket, 1<<n), shift: uint(keyBits - n)}
}

// next marks all entries as entries of earlier deals.
func (t *table) next() {
	if t.deal += 1 << t.shift; t.deal >= 1<<tagBits {
		clear(t.buckets)
		t.deal = 1 << t.shift
	}
}

// at returns the bucket of a key and the deal and the tag of its entry.
func (t *table) at(k key) (b *bucket, tag uint32) {
	const odd = 82_951_123 // 2^27 divided by the golden ratio
	mixed := uint32(k) * odd & (1<<keyBits - 1)
	return &t.buckets[mixed>>(t.shift&31)], t.deal | mixed&(1<<(t.shift&31)-1)
}

func (e entry) lower() int32 { return int32(e >> lowerAt & (1<<boundBits - 1)) }
func (e entry) upper() int32 { return int32(e & (1<<boundBits - 1)) }

// find returns the entry of a key, or 0.
func (t *table) find(k key) entry {
	b, tag := t.at(k)
	for _, e := range b {
		if uint32(e>>tagAt) == tag {
			return e
		}
	}
	return 0
}

// store puts an entry into its bucket: over the one with the same key, over one of an earlier deal, or over the one with the least upper
// bound, which mostly has the fewest cards left.
func (t *table) store(k key, lower, upper int32) {
	b, tag := t.at(k)
	least, place := int32(1<<boundBits), 0
	for i, e := range b {
		n := e.upper()
		if uint32(e>>tagAt) == tag {
			n = -2
		} else if uint32(e>>tagAt)>>(t.shift&31) != t.deal>>(t.shift&31) {
			n = -1
		}
		if n < least {
			least, place = n, i
		}
	}
	b[place&3] = entry(tag)<<tagAt | entry(lower)<<lowerAt | entry(upper)
}
