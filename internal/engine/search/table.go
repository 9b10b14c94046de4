package search

// The transposition table maps a position between two tricks to bounds on what is left to win in it.
//
// An entry is one 64-bit word, so that workers can share the table without locks: a word is read and written whole.
// Within one deal the cards still held say who holds them, so a position is 42 bits:
//
//	key   bit 41..36 meld needed, 35..34 pit, 33..32 leader, 31..0 cards left
//
// A bijection scrambles the key. The low bits of the result choose a bucket of four entries (half a cache line), the
// rest is stored as the entry's tag, so a match of bucket and tag is a match of the whole position and never a guess.
//
//	entry bit 63..36 tag, 35..23 lower, 22..10 upper, 9..7 best lead, 6..4 tricks left, 3..0 generation
//
// Bounds are stored halved: the parity of what is left is that of the points left, so nothing is lost. The generation
// makes forgetting a deal cheap: entries of another generation count as empty, and only every 15th deal clears memory.
type table struct {
	words   []uint64 // all the memory the table may use
	buckets uint64   // buckets in use, a power of two: starts small enough for the processor's cache, grows by need
	max     uint64   // buckets that fit words
	dirty   uint64   // buckets that may hold entries of older generations
	gen     uint64   // 1..15
	stored  uint64   // entries added since the table last grew
}

const (
	bucketSize = 4
	minBuckets = 1 << 14 // fixes the tag at 28 of the 42 bits
	tagShift   = 14
	keyMask    = 1<<42 - 1

	tagMask   = 1<<28 - 1
	boundMask = 1<<13 - 1
	boundMax  = 4095 // in halves
	genMask   = 15
)

// newTable returns a table that uses at most the given number of bytes (at least 512 KiB).
func newTable(bytes int) *table {
	buckets := uint64(minBuckets)
	for buckets*2*bucketSize*8 <= uint64(max(bytes, 0)) {
		buckets *= 2
	}
	return &table{words: make([]uint64, buckets*bucketSize), buckets: minBuckets, max: buckets, gen: 1}
}

// reset forgets everything.
func (t *table) reset() {
	t.dirty = max(t.dirty, t.buckets)
	t.gen++
	if t.gen > genMask {
		clear(t.words[:t.dirty*bucketSize])
		t.gen, t.dirty = 1, 0
	}
	t.buckets, t.stored = minBuckets, 0
}

// scramble is a bijection of the 42-bit keys: multiplication by an odd number and xor with a right shift both are.
func scramble(key uint64) uint64 {
	key = key * 0x9e3779b97f4a7c15 & keyMask
	key ^= key >> 21
	key = key * 0xd6e8feb86659fd93 & keyMask
	return key ^ key>>20
}

// bounds are what the table knows of a position, from its leader's side.
type bounds struct {
	lower, upper int32
	best         uint8 // the best lead known, by its place in the leader's hand as dealt
	known        bool
}

func (t *table) get(hash uint64, parity int32) bounds {
	bucket := (*[bucketSize]uint64)(t.words[hash&(t.buckets-1)*bucketSize:])
	want := hash>>tagShift<<36 | t.gen
	for i := range bucket {
		e := bucket[i]
		if (e^want)&(tagMask<<36|genMask) == 0 {
			return bounds{
				lower: unpackBound(e>>23, parity),
				upper: unpackBound(e>>10, parity),
				best:  uint8(e >> 7 & 7),
				known: true,
			}
		}
	}
	return bounds{lower: -infinity, upper: infinity}
}

// packBound rounds outwards what does not fit: an infinite bound stays infinite.
func packBound(v int32) uint64 {
	return uint64(min(max(v>>1, -boundMax-1), boundMax)) & boundMask
}

func unpackBound(bits uint64, parity int32) int32 {
	v := int32(bits&boundMask<<19) >> 19
	if v == boundMax {
		return infinity
	}
	if v == -boundMax-1 {
		return -infinity
	}
	return v<<1 | parity
}

// put stores bounds for a position with the given number of tricks left. It takes the place of the same position, else
// of an entry of another generation, else of the entry with the fewest tricks left, the cheapest to find again.
func (t *table) put(hash uint64, b bounds, tricksLeft int) {
	bucket := (*[bucketSize]uint64)(t.words[hash&(t.buckets-1)*bucketSize:])
	want := hash>>tagShift<<36 | t.gen
	victim, least := 0, uint64(99)
	for i := range bucket {
		e := bucket[i]
		if (e^want)&(tagMask<<36|genMask) == 0 {
			victim = i
			break
		}
		worth := uint64(0)
		if e&genMask == t.gen {
			worth = 1 + e>>4&7
		}
		if worth < least {
			victim, least = i, worth
		}
	}
	if least == 0 {
		t.stored++
	}
	bucket[victim] = want | packBound(b.lower)<<23 | packBound(b.upper)<<10 | uint64(b.best)<<7 | uint64(tricksLeft&7)<<4
}

// grow quadruples the table when it is half full and memory allows. A bucket's entries spread over the four that take its
// place, by the tag's lowest bits.
func (t *table) grow() {
	if t.stored < t.buckets*bucketSize/2 || t.buckets*4 > t.max {
		return
	}
	old := t.buckets
	t.buckets *= 4
	t.stored /= 4
	for b := range old {
		for i := range uint64(bucketSize) {
			e := t.words[b*bucketSize+i]
			if e&genMask != t.gen {
				continue
			}
			hash := e>>36<<tagShift | b&(1<<tagShift-1)
			if to := hash & (t.buckets - 1); to != b {
				t.words[b*bucketSize+i] = 0
				t.words[to*bucketSize+i] = e
			}
		}
	}
}
