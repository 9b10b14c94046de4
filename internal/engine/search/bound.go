package search

import "math/bits"

// cash returns trick points that the leader's side surely takes by the leader playing out cards that nobody beats, and
// how many tricks those are.
func (s *searcher) cash(left uint32, leader uint8, sum int32) (int32, int) {
	d := &s.deal
	own := d.hand[leader] & left
	a, p, b := d.hand[(leader+1)&3]&left, d.hand[(leader+2)&3]&left, d.hand[(leader+3)&3]&left
	others := a | p | b
	var points int32
	n := 0
	// Trumps first: opponents who follow lose theirs.
	ta, tp, tb := popcount(a&trumpMask), popcount(p&trumpMask), popcount(b&trumpMask)
	if trumps := own & trumpMask; trumps != 0 {
		top := trumps
		if o := others & trumpMask; o != 0 {
			top &= statics.above[highest(o)]
		}
		if top != 0 {
			n = popcount(top)
			points = int32(statics.sum[0][uint8(top)])
			points += lowSum(0, uint8(a), n) + lowSum(0, uint8(b), n) + lowSum(0, uint8(p), n)
			ta, tp, tb = max(ta-n, 0), max(tp-n, 0), max(tb-n, 0)
		}
	}
	for suit := 1; suit < 4; suit++ {
		sh := 8 * suit
		mine := own >> sh & 0xff
		if mine == 0 {
			continue
		}
		o := others >> sh & 0xff
		top := mine
		if o != 0 {
			top &= statics.above[highest(o)]
		}
		if top == 0 {
			continue
		}
		k := popcount(top)
		if ta > 0 {
			k = min(k, popcount(a>>sh&0xff))
		}
		if tp > 0 {
			k = min(k, popcount(p>>sh&0xff))
		}
		if tb > 0 {
			k = min(k, popcount(b>>sh&0xff))
		}
		if k == 0 {
			continue
		}
		n += k
		for top2, i := top, 0; i < k; i++ {
			c := highest(top2)
			top2 &^= 1 << c
			points += statics.points[8|c&7]
		}
		points += lowSum(1, uint8(a>>sh), k) + lowSum(1, uint8(b>>sh), k) + lowSum(1, uint8(p>>sh), k)
	}
	return points, n
}

// lowSum returns the points of the n lowest cards of one suit's byte.
func lowSum(kind int, m uint8, n int) int32 {
	for k := popcount(uint32(m)); k > n; k-- {
		m &^= 1 << (bits.Len8(m) - 1)
	}
	return int32(statics.sum[kind][m])
}
