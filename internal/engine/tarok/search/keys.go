package search

import "math/bits"

// memo is an entry of the table of a search to a limited depth: bounds on the value of a class of positions, searched to a depth of the
// given number of tricks. The values are relative to the position, so that they hold whatever tricks were played before: the paper's
// factor 0.9^(t-tTT) is part of the sum over the tricks before.
type memo struct {
	key          memoKey
	lower, upper float64
	search       uint32 // the number of the search that made it: entries of others are not used
	depth, card  uint8
}

// memoKey is the key of a position or class. The highest bit of word 0 is set in every key.
type memoKey [3]uint64

// memoBits and memoSize are the size of the table.
const (
	memoBits = 16
	memoSize = 1 << memoBits
)

func (k memoKey) place() uint64 {
	h := (k[0] ^ bits.RotateLeft64(k[1], 31)) * 0x9E3779B97F4A7C15
	h ^= h>>32 ^ k[2]*0xD6E8FEB86659FD93
	return (h + k[1]) * 0xBF58476D1CE4E5B9 >> (64 - memoBits)
}

// lateTricks is how many tricks are left when the finer classes begin.
const lateTricks = 8

// classBits is the length of the class of a hand.
const classBits = 41

// memoKey returns the key of a position between two tricks: for the plain table the key of the exact search, which positions of provably
// equal value share; otherwise the leader and the class of each hand.
//
//	word 0: bit 63 always 1, 62..61 leader, 60 late, 59..41 and word 1 bits 21..0 hand 1, 40..0 hand 0
//	word 1: bits 62..22 hand 2
func (l *limited) memoKey(n *node) memoKey {
	if l.Table == Plain {
		k := l.table.key(&n.hands, int(n.leader))
		return memoKey{1<<63 | k[0], k[1], 0}
	}
	class, tag := earlyClass, uint64(4|n.leader)<<61
	if n.tricks() <= lateTricks {
		class, tag = lateClass, tag|1<<60
	}
	a, b, c := class(n.hands[0]), class(n.hands[1]), class(n.hands[2])
	return memoKey{tag | b<<classBits&(1<<60-1) | a, b>>(60-classBits) | c<<22, n.tableClass()}
}

// earlyClass returns the class of a hand early in the game (section 3.2): in each suit the number of cards below the queen, two by two,
// and the queen and the king; the number of taroks, two by two; their sum to the nearest multiple of 20; taroks 1, 21 and 22. The paper
// has numbers that differ by at most one, which is no equivalence: so 0, 1 and 2, 3 and 4, 5 and 6 are one class each.
func earlyClass(hand uint64) (class uint64) {
	for at := 24; at < 56; at += 8 {
		suit := hand >> at
		class = class<<4 | (uint64(bits.OnesCount64(suit&0x3F))+1)/2<<2 | suit>>6&3
	}
	n, sum := countTaroks(hand)
	return (class<<4|(n+1)/2)<<7 | (sum+10)/20<<3 | flags(hand)
}

// lateClass returns the class of a hand late in the game: in each suit the number of low cards and the four high cards; the number of
// taroks; their sum to the nearest multiple of 10; taroks 1, 21 and 22.
func lateClass(hand uint64) (class uint64) {
	for at := 24; at < 56; at += 8 {
		suit := hand >> at
		class = class<<7 | uint64(bits.OnesCount64(suit&0xF))<<4 | suit>>4&15
	}
	n, sum := countTaroks(hand)
	return (class<<5|n)<<8 | (sum+5)/10<<3 | flags(hand)
}

// countTaroks returns the number of taroks of a hand, and the sum of their numbers.
func countTaroks(hand uint64) (n, sum uint64) {
	for rest := hand & taroks; rest != 0; rest &= rest - 1 {
		n, sum = n+1, sum+uint64(bits.TrailingZeros64(rest))+1
	}
	return n, sum
}

// flags returns which of taroks 1, 21 and 22 a hand has.
func flags(hand uint64) uint64 { return hand&1 | hand>>20&1<<1 | hand>>21&1<<2 }

// tableClass returns the class of the cards on the table: how many there are, the suit led, who wins so far, their thirds, and for each
// player still to play whether none, some or all of the legal cards beat them. Late in the game their number counts.
func (n *node) tableClass() (class uint64) {
	if n.n == 0 {
		return 0
	}
	led, best := int(n.cards[0]), int(n.cards[n.best])
	for k := n.n; k < 3; k++ {
		all := follow(n.hands[after[n.leader][k]], led)
		beats := all & above(best)
		switch class <<= 5; {
		case n.tricks() <= lateTricks:
			class |= uint64(bits.OnesCount64(beats))
		case beats == all:
			class |= 2
		case beats != 0:
			class |= 1
		}
	}
	suit := uint64(0)
	if led >= 24 {
		suit = uint64(led-24)/8 + 1
	}
	return ((class<<3|suit)<<8|uint64(n.sum))<<4 | uint64(n.best)<<2 | uint64(n.n)
}
