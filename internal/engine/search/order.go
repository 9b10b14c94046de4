package search

import "math/bits"

type moveList struct {
	card [8]uint32
	n    int
}

func (l *moveList) add(c uint32) { l.card[l.n&7] = c; l.n++ }

// canBeat returns the cards of a hand that could beat the card best in a trick of the suit led.
func canBeat(hand, led, best uint32) uint32 {
	follow := hand & led
	if follow != 0 {
		return follow & statics.above[best]
	}
	if best < 8 {
		return hand & statics.above[best]
	}
	return hand & trumpMask
}

func highest(m uint32) uint32 { return 31 - uint32(bits.LeadingZeros32(m)) }
func lowest(m uint32) uint32  { return uint32(bits.TrailingZeros32(m)) }

// beatsOf returns the cards that beat best.
func beatsOf(best uint32) uint32 {
	m := statics.above[best]
	if best >= 8 {
		m |= trumpMask
	}
	return m
}

func (s *searcher) orderFollows(l *moveList, left uint32, seat uint8, at int, legal uint32, tr *onTable) {
	d := &s.deal
	toBeat := tr.best
	won := false // whatever is played now, the trick should go to our side
	partnerWinning := (tr.winner^seat)&1 == 0
	switch at {
	case 3:
		won = partnerWinning
	case 2:
		b := canBeat(d.hand[(seat+1)&3]&left, tr.led, tr.best)
		if b != 0 {
			toBeat = highest(b)
		}
		won = partnerWinning && b == 0
	case 1:
		if b := canBeat(d.hand[(seat+1)&3]&left, tr.led, tr.best); b != 0 {
			toBeat = highest(b)
		}
		won = canBeat(d.hand[(seat+2)&3]&left, tr.led, toBeat) != 0
	}
	if won {
		s.addByPoints(l, legal, true)
		return
	}
	sure := legal & beatsOf(toBeat)
	if sure != 0 {
		for m := sure; m != 0; {
			c := highest(m)
			l.add(c)
			m &^= 1 << c
		}
	}
	s.addByPoints(l, legal&^sure, false)
}

func (s *searcher) addByPoints(l *moveList, m uint32, most bool) {
	from := l.n
	for ; m != 0; m &= m - 1 {
		c := lowest(m)
		p := statics.points[c]
		i := l.n
		for i > from {
			q := statics.points[l.card[(i-1)&7]]
			if most && q >= p || !most && q <= p {
				break
			}
			l.card[i&7] = l.card[(i-1)&7]
			i--
		}
		l.card[i&7] = c
		l.n++
	}
}

func (s *searcher) orderLeads(l *moveList, left uint32, leader uint8, hand, first uint32) {
	d := &s.deal
	if hand&(hand-1) == 0 {
		l.add(lowest(hand))
		return
	}
	var score [8]int32
	a, p, b := d.hand[(leader+1)&3]&left, d.hand[(leader+2)&3]&left, d.hand[(leader+3)&3]&left
	for m := hand; m != 0; m &= m - 1 {
		c := lowest(m)
		var v int32
		if 1<<c == first {
			v = 1000
		} else {
			v = leadScore(c, a, p, b)
		}
		i := l.n
		for i > 0 && score[(i-1)&7] < v {
			score[i&7], l.card[i&7] = score[(i-1)&7], l.card[(i-1)&7]
			i--
		}
		score[i&7], l.card[i&7] = v, c
		l.n++
	}
}

// leadScore guesses what leading c brings the leader's side in this trick.
func leadScore(c, a, p, b uint32) int32 {
	led := suitMask(c)
	best := c
	ours := true
	if x := canBeat(a, led, best); x != 0 {
		best, ours = highest(x), false
	}
	if x := canBeat(p, led, best); x != 0 {
		best, ours = highest(x), true
	}
	if x := canBeat(b, led, best); x != 0 {
		best, ours = highest(x), false
	}
	pts := statics.points[c]
	if ours {
		return 20 + pts
	}
	return -pts
}
