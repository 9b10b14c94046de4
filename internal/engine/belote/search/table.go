package search

import "math/bits"

// table is the transposition table: for positions between two tricks, bounds on the points that the leader still makes. The cards left and the leader determine such a position within a deal: a card below another is open when the other has been
// played. So the key is exact, and a bound holds for any points made before.
//
//	bit  63...49  48......17  16      15...8  7...0
//	     deal     cards left  leader  lower   upper
//
// An entry is 64 bits: 15 of the number of the deal, 33 of the key, 8 + 8 of the bounds. Four neighbouring entries are a bucket of half a
// cache line.
type table struct {
	entries []entry
	shift   uint
	deal    entry // the number of the deal, in place; never 0
}

type entry uint64

const (
	entryBytes = 8
	bucket     = 4
	boundBits  = 8
	lowerAt    = boundBits
	keyAt      = lowerAt + boundBits
	leftAt     = keyAt + 1
	dealAt     = leftAt + 32
	maxDeal    = 1<<(64-dealAt) - 1
)

func newTable(bytes int) *table {
	n := bits.Len(uint(max(bytes/entryBytes, 1<<8))) - 1
	return &table{entries: make([]entry, 1<<n), shift: uint(64 - n), deal: 1 << dealAt}
}

// next makes all entries those of earlier deals.
func (t *table) next() {
	if t.deal>>dealAt == maxDeal {
		clear(t.entries)
		t.deal = 0
	}
	t.deal += 1 << dealAt
}

// key returns the key of a position, with the number of the deal, as it is in an entry.
func (t *table) key(left set, leader uint32) entry {
	return t.deal | entry(left)<<leftAt | entry(leader)<<keyAt
}

func (e entry) key() entry   { return e >> keyAt << keyAt }
func (e entry) lower() int32 { return int32(e >> lowerAt & (1<<boundBits - 1)) }
func (e entry) upper() int32 { return int32(e & (1<<boundBits - 1)) }

// at returns the first place of the bucket of a key.
func (t *table) at(key entry) uint64 {
	return uint64(key>>keyAt) * 0x9E3779B97F4A7C15 >> t.shift &^ (bucket - 1)
}

// find returns the entry of a key, or 0.
func (t *table) find(key entry) entry {
	at := t.at(key)
	for _, e := range t.entries[at : at+bucket] {
		if e.key() == key {
			return e
		}
	}
	return 0
}

// store puts an entry into its bucket: over the one with the same key, over one of an earlier deal, or over the one with fewest cards left.
func (t *table) store(key entry, lower, upper int32) {
	at := t.at(key)
	least, place := 64, at
	for i, e := range t.entries[at : at+bucket] {
		n := bits.OnesCount64(uint64(e << (64 - dealAt) >> (64 - dealAt + leftAt)))
		if e.key() == key {
			n = -2
		} else if e>>dealAt != t.deal>>dealAt {
			n = -1
		}
		if n < least {
			least, place = n, at+uint64(i)
		}
	}
	t.entries[place] = key | entry(lower)<<lowerAt | entry(upper)
}
