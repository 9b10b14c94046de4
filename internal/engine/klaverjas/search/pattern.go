package search

import "math/bits"

// Positions of one pattern.
//
// Give each card left its holder and its place in its suit's order of strength, and forget which card it is: that is the
// pattern of a position between two tricks. Two positions of one deal with the same pattern and leader are the same game
// but for what tricks are worth. Who may play what, and who wins, depends on holders and order alone (docs/rules.md,
// Play), so every line of play in one is a line of play in the other, card for card, with the same winners.
//
// So their values cannot be far apart. The difference at the end counts each card for one side or the other: replacing
// one card's points p by q moves it by at most |p-q|, along every line and therefore in the minimax value. Melds add at
// most what the leader's side can still make, and take away at most what the other can. With a and b two positions of
// one pattern, and sums over the cards (place by place) and over the suits whose melds differ:
//
//	value(a) >= value(b) - sum |points| - melds ours in b - melds theirs in a
//	value(a) <= value(b) + sum |points| + melds ours in a + melds theirs in b
//
// A bound on b in the table is thus a bound on a, a little wider, and most questions are not that close. While the
// defenders need melds (state.need) the argument holds only where all melds are the same.
//
// The idea is that of partition search and of the rank-relative tables of bridge solvers (Ginsberg 2001, the paper's
// reference 7), which need no slack because bridge counts tricks. With points, equality of relative ranks is unsound;
// with the slack it is not.
//
// The pattern of a suit also says which places hold cards that can be in melds. Where those are the same cards in both
// positions, they stand in the same places, so the melds are the same in every line and need no slack. That is the usual
// case: positions of a pattern differ in the cards between.

// zeroCards are the cards without points: 7 8 of trump, 7 8 9 of the plain suits.
const zeroCards = 0x07070703

// hash of the pattern of the cards left, with what else tells positions apart.
func (d *deal) hash(left uint32, leader uint8, st state) uint64 {
	p := &d.pattern
	x := uint64(p[0][uint8(left)]) | uint64(p[1][uint8(left>>8)])<<32
	y := uint64(p[2][uint8(left>>16)]) | uint64(p[3][uint8(left>>24)])<<32
	if !usePatterns {
		x, y = uint64(left&0xffff), uint64(left>>16)
	}
	x ^= uint64(leader)<<25 | uint64(st)<<57
	y ^= uint64(st) << 27
	h := x*0x9e3779b97f4a7c15 ^ y*0xc2b2ae3d27d4eb4f
	h ^= h >> 32
	h *= 0xd6e8feb86659fd93
	return h ^ h>>29
}

// samePattern reports whether two sets of cards left have the same pattern.
func (d *deal) samePattern(a, b uint32) bool {
	p := &d.pattern
	return p[0][uint8(a)] == p[0][uint8(b)] && p[1][uint8(a>>8)] == p[1][uint8(b>>8)] &&
		p[2][uint8(a>>16)] == p[2][uint8(b>>16)] && p[3][uint8(a>>24)] == p[3][uint8(b>>24)]
}

// slack returns how far the value of the position with the cards left a can lie below and above the value of another one
// of its pattern, b, from the leader's side: see pattern.go.
func (d *deal) slack(a, b uint32, leader uint8, st state) (down, up int32) {
	side := leader & 1
	var points int32
	var atA, atB sides // melds that one of them allows and the other may not
	for i := range d.numQuads {
		q := &d.quads[i&7]
		inA, inB := a&q.cards == q.cards, b&q.cards == q.cards
		if inA && inB && samePlaces(q.cards, a, b) {
			continue
		}
		if inA {
			atA += only(q.side, q.value)
		}
		if inB {
			atB += only(q.side, q.value)
		}
	}
	for differ := a ^ b; differ != 0; {
		suit := bits.TrailingZeros32(differ) >> 3 & 3
		differ &^= 0xff << (8 * suit)
		fx, fy := uint8(a>>(8*suit)), uint8(b>>(8*suit))
		if d.live[suit][fx] != d.live[suit][fy] {
			atA += d.meldMax[suit][fx]
			atB += d.meldMax[suit][fy]
		}
		points += apart(kindOf(suit), fx, fy)
	}
	up = atA.ours(side) + atB.theirs(side)
	down = atA.theirs(side) + atB.ours(side)
	if st.need() > 0 && up+down > 0 || !usePatternSlack && points+up+down > 0 {
		return 4 * infinity, 4 * infinity
	}
	return points + down, points + up
}

// samePlaces reports whether each of the cards has the same place among the cards left of its suit in a and b.
func samePlaces(cards, a, b uint32) bool {
	for m := cards; m != 0; m &= m - 1 {
		lower := suitMask(lowest(m)) & (m&-m - 1)
		if popcount(a&lower) != popcount(b&lower) {
			return false
		}
	}
	return true
}

// apart returns by how many points two sets of as many cards of one suit differ, card by card from the lowest up. The
// points of a set stand one to a byte of a word, so that eight differences are taken at a time.
func apart(kind int, x, y uint8) int32 {
	const (
		ones = 0x0101010101010101
		high = 0x80 * ones
	)
	diff := (statics.each[kind][x] | high) - statics.each[kind][y] // 0x80 + difference in each byte
	notLess := diff >> 7 & ones                                    // 1 where that is not negative
	diff = diff ^ 0x7f*ones ^ notLess*0xff                         // the difference, or one less than minus it
	return int32((diff + (ones ^ notLess)) * ones >> 56)
}

// known is what the table says of a position.
type known struct {
	value   int32 // answers the question if decided
	decided bool
	lead    uint32 // the best lead known, a bit, or 0
}

func (s *searcher) lookUp(hash, about uint64, left uint32, st state, alpha, beta int32) known {
	var k known
	if s.scan(&k, hash, about, left, st, alpha, beta) == bucketSize && !k.decided && useOverflow {
		s.scan(&k, s.deal.overflow(hash, left), about, left, st, alpha, beta)
	}
	return k
}

// scan looks through a bucket and returns how many of its entries are of the position's pattern.
func (s *searcher) scan(k *known, hash, about uint64, left uint32, st state, alpha, beta int32) int {
	d := &s.deal
	same := 0
	bucket := s.table.bucket(hash)
	for i := range bucket {
		e := bucket[i]
		if (e.about^about)&sameMask != 0 {
			continue
		}
		same++
		lower, upper := e.lower(), e.upper()
		if e.left() == left {
			if lower >= beta || lower == upper {
				k.value, k.decided = lower, true
				return same
			}
			if upper <= alpha {
				k.value, k.decided = upper, true
				return same
			}
			if useTableLead {
				k.lead = 1 << d.list[about>>aboutLeader&3][e.best()]
			}
			continue
		}
		if !usePatterns || !d.samePattern(left, e.left()) {
			continue
		}
		if lower >= beta || upper <= alpha {
			down, up := d.slack(left, e.left(), uint8(about>>aboutLeader), st)
			if v := lower - down; v >= beta {
				k.value, k.decided = v, true
				return same
			}
			if v := upper + up; v <= alpha {
				k.value, k.decided = v, true
				return same
			}
		}
		if useTableLead && usePatternLead && k.lead == 0 {
			k.lead = translate(1<<d.list[about>>aboutLeader&3][e.best()], e.left(), left)
		}
	}
	return same
}

func (s *searcher) store(hash, about uint64, left uint32, v, alpha, beta int32, best uint8, tricks int) {
	saturated, fresh := s.table.put(hash, about, left, v, alpha, beta, best, tricks)
	if fresh {
		s.stored++
	}
	if saturated && useOverflow {
		if _, fresh = s.table.put(s.deal.overflow(hash, left), about, left, v, alpha, beta, best, tricks); fresh {
			s.stored++
		}
	}
	if s.stored >= growEvery {
		s.growTable()
	}
}

// growTable grows the table if it is time.
func (s *searcher) growTable() {
	s.table.stored += s.stored
	s.stored = 0
	if s.table.full() {
		s.table.grow(s.rehash)
	}
}

// growEvery is how many entries a searcher stores before it looks whether the table should grow.
const growEvery = 1024

// identity is the cards left without those that only their pattern matters of: cards without points that can be in no
// meld.
func (d *deal) identity(left uint32) uint64 {
	return uint64(left &^ (zeroCards &^ d.liveCards(left)))
}

// overflow returns the hash of the second bucket of a position.
func (d *deal) overflow(hash uint64, left uint32) uint64 {
	hash ^= d.identity(left) * 0xff51afd7ed558ccd
	return hash ^ hash>>32
}

// translate returns the card that has the place in one position that c has in another of the same pattern.
func translate(c uint32, from, to uint32) uint32 {
	mask := uint32(0xff) << (uint32(bits.TrailingZeros32(c)) & 24)
	rank := popcount(from & mask & (c - 1))
	m := to & mask
	for ; rank > 0; rank-- {
		m &= m - 1
	}
	return m & -m
}
