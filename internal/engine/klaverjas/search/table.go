package search

// The transposition table maps positions between two tricks to bounds on their values. A lookup also finds positions of the same pattern,
// whose bounds are valid with some slack (pattern.go).
//
// A bucket is one cache line of four entries. An entry is two words:
//
//	bounds  bit 63..32 cards left, 31..16 lower, 15..0 upper
//	about   bit 63..31 tag, 30..28 tricks left, 27..25 best lead, 24..12 state, 11..10 leader, 9..0 generation
//
// The bounds are from the leader's side. The best lead is an index into the leader's hand as dealt. The tag is part of the hash of the
// pattern. If tags are equal, the patterns themselves are compared, so equal hashes cannot cause wrong values.
//
// The generation makes it cheap to empty the table for another deal: entries of other generations count as empty, and the memory is
// cleared only once in a thousand deals. The table starts small enough for the processor's second-level cache and grows on demand.
type table struct {
	entries []entry // all memory that the table may use
	buckets uint64  // in use, a power of two
	dirty   uint64  // buckets that may hold entries of older generations
	gen     uint64
	stored  uint64 // entries filled since the table last grew
}

// entry is one stored position.
type entry struct{ bounds, about uint64 }

const (
	bucketSize  = 4
	entryBytes  = 16
	minBuckets  = 1 << 12
	growTimes   = 4
	maxGen      = 1<<10 - 1
	aboutLeader = 10
	aboutState  = 12
	aboutBest   = 25
	aboutTricks = 28
	aboutTag    = 31
	sameMask    = ^uint64(63 << aboutBest) // all but best lead and tricks left
)

// newTable returns a table that uses at most the given number of bytes, and at least 256 KiB.
func newTable(bytes int) *table {
	buckets := uint64(minBuckets)
	for buckets*2*bucketSize*entryBytes <= uint64(max(bytes, 0)) {
		buckets *= 2
	}
	t := &table{entries: make([]entry, buckets*bucketSize), gen: 1}
	t.shrink()
	return t
}

// reset empties the table.
func (t *table) reset() {
	t.dirty = max(t.dirty, t.buckets)
	t.gen++
	if t.gen > maxGen {
		clear(t.entries[:t.dirty*bucketSize])
		t.gen, t.dirty = 1, 0
	}
	t.shrink()
}

// shrink sets an empty table to its initial size.
func (t *table) shrink() {
	t.stored = 0
	t.buckets = minBuckets
	if !useGrowth {
		t.buckets = uint64(len(t.entries)) / bucketSize
	}
}

func (t *table) bucket(hash uint64) *[bucketSize]entry {
	return (*[bucketSize]entry)(t.entries[(hash&(t.buckets-1))*bucketSize:])
}

// about returns the second word of an entry for the position, without best lead and tricks left.
func (t *table) about(hash uint64, leader uint8, st state) uint64 {
	return hash>>aboutTag<<aboutTag | uint64(st)<<aboutState | uint64(leader)<<aboutLeader | t.gen
}

func packBounds(left uint32, lower, upper int32) uint64 {
	lower = min(max(lower, -infinity), infinity)
	upper = min(max(upper, -infinity), infinity)
	return uint64(left)<<32 | uint64(uint16(lower))<<16 | uint64(uint16(upper))
}

func (e entry) left() uint32  { return uint32(e.bounds >> 32) }
func (e entry) lower() int32  { return int32(int16(e.bounds >> 16)) }
func (e entry) upper() int32  { return int32(int16(e.bounds)) }
func (e entry) best() uint8   { return uint8(e.about >> aboutBest & 7) }
func (e entry) tricks() uint8 { return uint8(e.about >> aboutTricks & 7) }

// put stores the result v of a search with the window alpha, beta: a bound or the exact value. An entry of the same position is updated.
// Otherwise the new entry replaces one of another generation, or else one with the fewest tricks left, which is the cheapest to compute
// again. saturated reports whether every entry of the bucket has this pattern, fresh whether the entry was empty before.
func (t *table) put(hash, about uint64, left uint32, v, alpha, beta int32, best uint8, tricks int) (saturated, fresh bool) {
	bucket := t.bucket(hash)
	same := 0
	victim, least := 0, uint8(255)
	lower, upper := int32(-infinity), int32(infinity)
	start := int(left * 0x9e3779b1 >> 30) // the first candidate for replacement varies, so that equal entries are replaced in turn
	for k := range bucketSize {
		i := (start + k) & (bucketSize - 1)
		e := bucket[i]
		if e.left() == left && (e.about^about)&sameMask == 0 {
			victim, least = i, 1
			lower, upper = e.lower(), e.upper()
			break
		}
		if (e.about^about)&sameMask == 0 {
			same++
		}
		worth := uint8(0)
		if e.about&maxGen == t.gen {
			worth = 1 + e.tricks()
		}
		if worth < least {
			victim, least = i, worth
		}
	}
	if v > alpha {
		lower = v
	}
	if v < beta {
		upper = v
	}
	bucket[victim] = entry{
		packBounds(left, lower, upper),
		about&sameMask | uint64(best)<<aboutBest | uint64(tricks&7)<<aboutTricks,
	}
	return same == bucketSize, least == 0
}

// full reports whether the table is half full and its memory allows it to grow.
func (t *table) full() bool {
	return t.stored >= t.buckets*bucketSize/2 && t.buckets*growTimes*bucketSize <= uint64(len(t.entries))
}

// grow makes the table growTimes as large. More bits of the hash select the bucket, so the entries of each bucket are distributed over
// growTimes buckets.
func (t *table) grow(hashes func(left uint32, about uint64) (first, second uint64)) {
	old := t.buckets
	t.buckets = old * growTimes
	t.stored /= growTimes
	for b := range old {
		for i := range uint64(bucketSize) {
			at := &t.entries[b*bucketSize+i]
			e := *at
			if e.about&maxGen != t.gen {
				continue
			}
			hash, second := hashes(e.left(), e.about)
			if hash&(old-1) != b {
				hash = second
			}
			if to := hash & (t.buckets - 1); to != b {
				t.entries[to*bucketSize+i] = e
				*at = entry{}
			}
		}
	}
}
