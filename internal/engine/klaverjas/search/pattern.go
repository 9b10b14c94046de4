package search

import "math/bits"

// Positions with the same pattern share entries of the transposition table.
//
// The pattern of a position between two tricks says, for each suit, who holds the strongest card left, the next strongest, and so on. It
// does not say which cards these are. Take two positions of one deal with the same pattern and leader. Which cards may be played, and
// which card wins a trick, depends only on the holders and the order (docs/reference/rules/klaverjas.md, Play). So every line of play in
// one position corresponds, card for card, to a line of play in the other in which the same players win the tricks. Only the points differ.
//
// Therefore the values of the two positions are close. The difference at the end counts each card for one of the sides. If a card's
// points p are replaced by q, the difference changes by at most |p-q| in every line, and so does the minimax value. Melds add at most
// what the leader's side can still make, and subtract at most what the other side can still make. Let a and b be two positions with the
// same pattern. The sums are over the cards (first with first, second with second) and over the suits in which the possible melds differ:
//
//	value(a) >= value(b) - sum |points| - melds ours in b - melds theirs in a
//	value(a) <= value(b) + sum |points| + melds ours in a + melds theirs in b
//
// So a bound on b in the table gives a bound on a that is wider by this slack. It often suffices, since most values are not that close to
// the tested one. While the defenders need melds (state.need), this holds only if all possible melds are the same.
//
// Partition search and the tables of bridge solvers that use relative ranks work in this way (Ginsberg 2001, the paper's reference 7).
// They need no slack, because bridge counts tricks. With points, relative ranks alone would give wrong values.
//
// The pattern of a suit also contains which of its places hold cards that can be in melds. If these are the same cards in both positions,
// the melds are the same in every line and need no slack. This is the usual case: the positions differ in other cards.

// zeroCards are the cards without points: 7 8 of trump, 7 8 9 of the plain suits.
const zeroCards = 0x07070703

// hash returns the hash of a position between two tricks: of its pattern, leader and state.
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

// slack returns by how much the value of the position with the cards left a can be below and above the value of the position with the
// cards left b, which has the same pattern. Values are from the leader's side. The comment at the top of this file derives it.
func (d *deal) slack(a, b uint32, leader uint8, st state) (down, up int32) {
	side := leader & 1
	var points int32
	var atA, atB sides // meld points that are possible in one position and perhaps not in the other
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

// samePlaces reports whether each card has the same place, counted from the weakest, among the cards left of its suit in a and in b.
func samePlaces(cards, a, b uint32) bool {
	for m := cards; m != 0; m &= m - 1 {
		lower := suitMask(lowest(m)) & (m&-m - 1)
		if popcount(a&lower) != popcount(b&lower) {
			return false
		}
	}
	return true
}

// apart returns the sum of the differences in points between two sets of cards of one suit, card by card from the weakest. The sets have
// equally many cards. The points of a set are packed into a word, one byte per card, so that eight differences are computed at a time.
func apart(kind int, x, y uint8) int32 {
	const (
		ones = 0x0101010101010101
		high = 0x80 * ones
	)
	diff := (statics.each[kind][x] | high) - statics.each[kind][y] // 0x80 + difference in each byte
	notLess := diff >> 7 & ones                                    // 1 in each byte whose difference is not negative
	diff = diff ^ 0x7f*ones ^ notLess*0xff                         // the difference d, or -d-1 if it is negative
	return int32((diff + (ones ^ notLess)) * ones >> 56)
}

// known is the content of the table for a position.
type known struct {
	value   int32  // the result of the search, if decided
	decided bool   // the table makes a search unnecessary
	lead    uint32 // the best lead, one bit; 0 if there is none
}

// lookUp looks a position up in the table. alpha and beta are the window of its search.
func (s *searcher) lookUp(hash, about uint64, left uint32, st state, alpha, beta int32) known {
	var k known
	if s.scan(&k, hash, about, left, st, alpha, beta) == bucketSize && !k.decided && useOverflow {
		s.scan(&k, s.deal.overflow(hash, left), about, left, st, alpha, beta)
	}
	return k
}

// scan reads a bucket and returns how many of its entries match about: usually those with the position's pattern.
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

// store stores the result v of a search with the window alpha, beta.
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

// growTable grows the table if it is full enough.
func (s *searcher) growTable() {
	s.table.stored += s.stored
	s.stored = 0
	if s.table.full() {
		s.table.grow(s.rehash)
	}
}

// growEvery is the number of entries that a searcher stores between two checks whether the table should grow.
const growEvery = 1024

// identity returns the cards left whose identity affects the value. Cards that have no points and can be in no meld matter only by their
// place in the pattern.
func (d *deal) identity(left uint32) uint64 {
	return uint64(left &^ (zeroCards &^ d.liveCards(left)))
}

// overflow returns the hash of the second bucket of a position, which is used if its first is full of entries of the same pattern.
func (d *deal) overflow(hash uint64, left uint32) uint64 {
	hash ^= d.identity(left) * 0xff51afd7ed558ccd
	return hash ^ hash>>32
}

// translate returns the card that has the same place in the position to as c has in the position from, which has the same pattern.
func translate(c uint32, from, to uint32) uint32 {
	mask := uint32(0xff) << (uint32(bits.TrailingZeros32(c)) & 24)
	rank := popcount(from & mask & (c - 1))
	m := to & mask
	for ; rank > 0; rank-- {
		m &= m - 1
	}
	return m & -m
}
