package search

import (
	"math/bits"

	"roem/internal/engine/tarok"
)

// node is a position, with the players from the declarer, who is 0. The opponents 1 and 2 play together.
type node struct {
	hands  [3]uint64
	cards  [3]uint8 // the cards on the table, the first n
	n      uint8
	best   uint8 // the place of the card that wins the trick so far
	leader uint8
	sum    int32 // the thirds on the table
	left   int32 // the thirds on the table and in the hands; 1 in a beggar
}

func (n *node) player() int { return int(after[n.leader][n.n]) }

// after[p][k] is the player k places after p.
var after = [3][4]uint8{{0, 1, 2, 0}, {1, 2, 0, 1}, {2, 0, 1, 2}}

// thirds are the values of the cards.
var thirds = func() (out [64]int32) {
	for c := range tarok.Deck.All() {
		out[c] = int32(c.Thirds())
	}
	return out
}()

// suitOf[c] is the mask of the cards of the suit of c.
var suitOf = func() (out [64]uint64) {
	for c := range tarok.Deck.All() {
		out[c] = uint64(tarok.OfSuit(c.Suit()))
	}
	return out
}()

const (
	taroks = uint64(1)<<22 - 1
	trula  = uint64(tarok.Trula)
	pagat  = uint64(1) << tarok.Pagat
)

func bit(c int) uint64 { return 1 << (c & 63) }

// above returns the cards that beat the card best, which wins a trick so far.
func above(best int) uint64 {
	higher := suitOf[best] &^ (bit(best)<<1 - 1)
	if suitOf[best] != taroks {
		higher |= taroks
	}
	return higher
}

// follow returns the cards of a hand that follow a card that was led, by suit, tarok, or any.
func follow(hand uint64, led int) uint64 {
	if same := hand & suitOf[led]; same != 0 {
		return same
	}
	if t := hand & taroks; t != 0 {
		return t
	}
	return hand
}

// game is what the rules of a contract change.
type game struct {
	emperor  bool
	negative bool // a beggar
}

// legal returns the legal cards of the player to move.
func (g *game) legal(n *node) uint64 {
	hand := n.hands[n.player()]
	if n.n == 0 {
		if g.negative && hand != pagat {
			return hand &^ pagat
		}
		return hand
	}
	legal := follow(hand, int(n.cards[0]))
	if !g.negative {
		return legal
	}
	heads := legal & above(int(n.cards[n.best]))
	if n.n == 2 && g.emperor {
		table := bit(int(n.cards[0])) | bit(int(n.cards[1]))
		switch {
		case table|pagat == trula:
			heads = legal & pagat
		case table&pagat != 0 && table&trula == table: // the third of the trula does not win against the 1
			heads &^= trula
		}
	}
	if heads != 0 {
		legal = heads
	}
	if legal != pagat {
		legal &^= pagat
	}
	return legal
}

// play plays a card. If it ends a trick, won is what the declarer has won in it, and taken reports whether the trick is the declarer's.
func (g *game) play(n *node, c int) (next node, won int32, taken bool) {
	next = *n
	next.hands[n.player()] &^= bit(c)
	next.cards[n.n] = uint8(c)
	next.sum += thirds[c]
	if n.n > 0 && above(int(n.cards[n.best]))&bit(c) != 0 {
		next.best = n.n
	}
	if n.n < 2 {
		next.n++
		return next, 0, false
	}
	if g.emperor && bit(int(n.cards[0]))|bit(int(n.cards[1]))|bit(c) == trula {
		for i, card := range next.cards {
			if card == uint8(tarok.Pagat) {
				next.best = uint8(i)
			}
		}
	}
	next.leader = after[n.leader][next.best]
	if taken = next.leader == 0; taken {
		won = next.sum
	}
	if !g.negative {
		next.left -= next.sum
	}
	next.sum, next.n, next.best = 0, 0, 0
	return next, won, taken
}

// emperorNear reports whether a trick of taroks 1, 21 and 22 can still happen: three players hold them, or have them on the table.
func (g *game) emperorNear(n *node) bool {
	if !g.emperor {
		return false
	}
	held := 0
	for _, hand := range n.hands {
		if some := hand & trula; some != 0 {
			if some&(some-1) != 0 {
				return false
			}
			held++
		}
	}
	for _, c := range n.cards[:n.n] {
		if bit(int(c))&trula != 0 {
			held++
		}
	}
	return held == 3
}

// distinct removes legal cards that cannot be better than one that stays. Of neighbours that no card in another hand or on the table
// separates, one of each value stays. If taker, which may be nil, knows which side takes the trick with a card whatever is played after it,
// only the card of the highest value stays for the own side, and the card of the lowest value for the other: a third more in this trick
// is at most a third less later.
func (g *game) distinct(n *node, legal uint64, taker func(c int) side) uint64 {
	own := n.hands[n.player()]
	apart := (n.hands[0] | n.hands[1] | n.hands[2]) &^ own
	for _, c := range n.cards[:n.n] {
		apart |= bit(int(c))
	}
	alone := uint64(0) // cards that stay by themselves
	if g.negative {
		alone = pagat
	} else if g.emperorNear(n) {
		alone = trula
	}
	var out uint64
	for rest := legal; rest != 0; {
		c := bits.TrailingZeros64(rest)
		rest &= rest - 1
		if bit(c)&alone != 0 {
			out |= bit(c)
			continue
		}
		// the run of c: the legal cards of its suit above it, up to the next card that is not the player's
		end := (apart | alone) & suitOf[c] &^ (bit(c)<<1 - 1)
		run := rest & suitOf[c]
		if end != 0 {
			run &= end&-end - 1
		}
		rest &^= run
		if run == 0 || g.negative {
			out |= bit(c)
			continue
		}
		takes := unknown
		if taker != nil {
			takes = taker(c)
		}
		out |= pick(c, run, takes)
	}
	return out
}

// side is who takes a trick.
type side uint8

const (
	unknown side = iota
	own
	other
)

// pick returns the cards that stay of a run: c, and the cards of run.
func pick(c int, run uint64, takes side) uint64 {
	out := bit(c)
	value := thirds[c]
	for ; run != 0; run &= run - 1 {
		d := bits.TrailingZeros64(run)
		switch {
		case takes == own && thirds[d] > value || takes == other && thirds[d] < value:
			out, value = bit(d), thirds[d]
		case takes == unknown && thirds[d] != value:
			out, value = out|bit(d), thirds[d]
		}
	}
	return out
}
