package search

import "math/bits"

// table is the transposition table of the exact search: for positions between two tricks, bounds on the thirds that the declarer still
// makes. Two positions that have the same key have the same value: in the order of the cards that are left, the same players hold the same
// values. So neither the ranks of low cards and of taroks 2 to 20 nor the names of the suits are part of a key.
//
//	word 0: bits 61..60 leader, 59..0 four suits of 15 bits, the greatest first
//	        a suit: bits 14..8 the holders of its low cards in order, 7..0 of jack, cavalier, queen, king, 2 bits each, 0 for none
//	word 1: bits 63..60 the number of the search, never 0, bits 59..28 the holders of taroks 2 to 20 in order,
//	        27..22 of taroks 1, 21 and 22, 21..14 lower, 13..6 upper, 5..0 the card
//
// The holders of low cards in order are the number of their sequence among all sequences, the shorter ones first; the holders of taroks
// are digits to base 3 after a leading 1.
type table struct {
	entries [][2]uint64
	shift   uint
	search  uint64 // the number of the search, in place
}

const (
	entryBytes = 16
	bucket     = 4
	cardBits   = 6
	boundBits  = 8
	upperAt    = cardBits
	lowerAt    = upperAt + boundBits
	trulaAt    = lowerAt + boundBits
	taroksAt   = trulaAt + 6
	searchAt   = taroksAt + 32
	maxSearch  = 1<<(64-searchAt) - 1
)

func newTable(bytes int) *table {
	n := bits.Len(uint(max(bytes/entryBytes, 1<<8))) - 1
	return &table{entries: make([][2]uint64, 1<<n), shift: uint(64 - n)}
}

// next marks all entries as entries of earlier searches.
func (t *table) next() {
	if t.search>>searchAt == maxSearch {
		clear(t.entries)
		t.search = 0
	}
	t.search += 1 << searchAt
}

// key is the key of a position: word 0, and word 1 without its lowest bits.
type key [2]uint64

// entry is word 1 of an entry.
type entry uint64

func (e entry) lower() int32 { return int32(e >> lowerAt & (1<<boundBits - 1)) }
func (e entry) upper() int32 { return int32(e >> upperAt & (1<<boundBits - 1)) }
func (e entry) card() int    { return int(e & (1<<cardBits - 1)) }

func (t *table) at(k key) uint64 {
	h := (k[0] ^ bits.RotateLeft64(k[1], 29)) * 0x9E3779B97F4A7C15
	h ^= h >> 29
	h = (h + k[1]) * 0xBF58476D1CE4E5B9
	return h >> t.shift &^ (bucket - 1)
}

// find returns the entry of a key. It is 0 if there is none, which no entry is.
func (t *table) find(k key) entry {
	at := t.at(k)
	for i := range t.entries[at : at+bucket] {
		e := &t.entries[at+uint64(i)]
		if e[0] == k[0] && e[1]>>trulaAt == k[1]>>trulaAt {
			return entry(e[1])
		}
	}
	return 0
}

// store puts an entry at the front of its bucket, over the one with the same key or the last one.
func (t *table) store(k key, lower, upper int32, card int) {
	at := t.at(k)
	b := t.entries[at : at+bucket]
	last := bucket - 1
	for i := range b {
		if b[i][0] == k[0] && b[i][1]>>trulaAt == k[1]>>trulaAt {
			last = i
			break
		}
	}
	copy(b[1:last+1], b[:last])
	b[0] = [2]uint64{k[0], k[1] | uint64(lower)<<lowerAt | uint64(upper)<<upperAt | uint64(card)}
}

// lowCode, highCode and chunkCode give the parts of a key. Their index is the cards of the three players, each 4 or 5 bits.
var (
	lowCode   = sequences(4)
	highCode  = holders()
	chunkCode = sequences(5)
	power3    = [6]uint32{1, 3, 9, 27, 81, 243}
)

// sequences returns for all holders of n cards their sequence as digits to base 3, and in bits 8 and up its length.
func sequences(n int) []uint16 {
	out := make([]uint16, 1<<(3*n))
	for i := range out {
		code, length := 0, 0
		for c := range n {
			for p := range 3 {
				if i>>(p*n+c)&1 != 0 {
					code, length = 3*code+p, length+1
					break
				}
			}
		}
		out[i] = uint16(length<<8 | code)
	}
	return out
}

// holders returns for all holders of four cards two bits for each card.
func holders() []uint8 {
	out := make([]uint8, 1<<12)
	for i := range out {
		for c := range 4 {
			for p := range 3 {
				if i>>(p*4+c)&1 != 0 {
					out[i] |= uint8(p+1) << (2 * c)
					break
				}
			}
		}
	}
	return out
}

// start is the number of the first sequence of low cards of each length. There are 121 in all, which is less than 7 bits hold.
var start = [5]uint64{0, 1, 4, 13, 40}

// key returns the key of a position between two tricks.
func (t *table) key(h *[3]uint64, leader int) key {
	a, b, c := h[0], h[1], h[2]
	var suits [4]uint64
	for i := range suits {
		at := 24 + 8*i
		x, y, z := a>>at, b>>at, c>>at
		low := lowCode[x&15|y&15<<4|z&15<<8]
		high := highCode[x>>4&15|(y>>4&15)<<4|(z>>4&15)<<8]
		suits[i] = (start[low>>8]+uint64(low&255))<<8 | uint64(high)
	}
	if suits[0] < suits[1] {
		suits[0], suits[1] = suits[1], suits[0]
	}
	if suits[2] < suits[3] {
		suits[2], suits[3] = suits[3], suits[2]
	}
	if suits[0] < suits[2] {
		suits[0], suits[2] = suits[2], suits[0]
	}
	if suits[1] < suits[3] {
		suits[1], suits[3] = suits[3], suits[1]
	}
	if suits[1] < suits[2] {
		suits[1], suits[2] = suits[2], suits[1]
	}
	taroks := uint32(1)
	for at := 1; at < 20; at += 5 {
		mask := uint64(31)
		if at == 16 {
			mask = 15
		}
		code := chunkCode[a>>at&mask|b>>at&mask<<5|c>>at&mask<<10]
		taroks = taroks*power3[code>>8] + uint32(code&255)
	}
	trula := holder(a, b, c, 0) | holder(a, b, c, 20)<<2 | holder(a, b, c, 21)<<4
	return key{
		uint64(leader)<<60 | suits[0]<<45 | suits[1]<<30 | suits[2]<<15 | suits[3],
		t.search | uint64(taroks)<<taroksAt | trula<<trulaAt,
	}
}

// holder returns 1 to 3 for the player who holds a card, or 0.
func holder(a, b, c uint64, card int) uint64 {
	return a>>card&1 | b>>card&1<<1 | (c>>card&1)*3
}
