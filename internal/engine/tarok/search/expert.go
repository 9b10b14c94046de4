package search

import "math/bits"

// expert keeps few of the cards by rules of thumb. They stand in for the paper's table of 324 entries, which was not published, and can
// drop the best card.
//
//	lead                      of each suit the highest and the lowest card; of the taroks the same, without the 1 if there is another
//	the own side wins so far  the card of the highest value, the lowest card, and the lowest that wins
//	the other side wins       the lowest that wins, in a suit also the highest; the lowest card that does not win
//	neither suit nor tarok    the lowest card of each suit, and the highest if the own side wins so far
func (g *game) expert(n *node, legal uint64) uint64 {
	if g.negative || legal&(legal-1) == 0 {
		return legal
	}
	if n.n == 0 {
		return ends(legal)
	}
	own := (after[n.leader][n.best] == 0) == (n.player() == 0)
	led := suitOf[n.cards[0]]
	if legal&led == 0 && legal&taroks == 0 {
		out := lowest(legal)
		if own {
			out |= dearest(legal)
		}
		return out
	}
	wins := legal & above(int(n.cards[n.best]))
	loses := legal &^ wins
	out := cheapest(loses)
	if own {
		out |= dearest(legal)
	}
	if wins != 0 {
		low := wins & -wins
		if low == pagat && n.n == 1 && wins != pagat {
			low = (wins &^ pagat) & -(wins &^ pagat) // the third player may beat it
		}
		out |= low
		if wins&taroks == 0 || n.n == 1 {
			out |= top(wins)
		}
		if n.n == 2 {
			out |= wins & pagat
		}
	}
	return out
}

func top(set uint64) uint64 { return 1 << (bits.Len64(set) - 1) }

// suits are the masks of the taroks and the four suits.
var suits = [5]uint64{taroks, 0xFF << 24, 0xFF << 32, 0xFF << 40, 0xFF << 48}

// ends returns the highest and the lowest card of each suit.
func ends(set uint64) (out uint64) {
	for _, suit := range suits {
		some := set & suit
		if rest := some &^ pagat; rest != 0 {
			some = rest
		}
		if some != 0 {
			out |= some&-some | top(some)
		}
	}
	return out
}

// lowest returns the lowest card of each suit.
func lowest(set uint64) (out uint64) {
	for _, suit := range suits {
		some := set & suit
		out |= some & -some
	}
	return out
}

// cheapest returns the lowest card, but tarok 1 only alone.
func cheapest(set uint64) uint64 {
	if rest := set &^ pagat; rest != 0 {
		set = rest
	}
	return set & -set
}

// dearest returns the card of the highest value.
func dearest(set uint64) uint64 {
	out, value := uint64(0), int32(0)
	for rest := set; rest != 0; rest &= rest - 1 {
		if c := bits.TrailingZeros64(rest); thirds[c] > value {
			out, value = bit(c), thirds[c]
		}
	}
	return out
}
