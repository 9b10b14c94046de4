package hand

import (
	"math/bits"

	"roem/internal/engine/ginrummy"
)

// holdings follows what the opponent may have held when it took a card from the discards: a simple player takes a card only if that makes
// a meld with two cards of its hand. Weights are whole numbers, so that their sums do not depend on the order of the suits.
type holdings struct {
	draws [11]int // by points: draws from the stock since the last discard with fewer points; -1 if there was none
	taken [ginrummy.HandSize + 1]pickup
	n     int
	gone  ginrummy.Set               // cards that the opponent has discarded
	best  [ginrummy.DeckSize]float64 // by card: the largest share of the explanations of a card taken that have it
	stock int                        // draws from the stock
	event int                        // turns that began
	// By card: when it was last refused, with the draws from the stock before, and when it was taken; 0 if it was not.
	refused, refusedAt, takenAt [ginrummy.DeckSize]int
}

// pickup is a card that the opponent took and holds.
type pickup struct {
	card  ginrummy.Card
	kept  ginrummy.Set // cards that were known to be in the hand
	gone  ginrummy.Set // cards that had been discarded
	draws [11]int
	event int
	stock int
}

// says is the number of intervals of the share of explanations that have a card.
const says = 12

func (h *holdings) reset() {
	for p := range h.draws {
		h.draws[p] = -1
	}
	h.n, h.gone, h.stock, h.event = 0, 0, 0, 0
	h.refused, h.takenAt = [ginrummy.DeckSize]int{}, [ginrummy.DeckSize]int{}
}

func (h *holdings) refuse(c ginrummy.Card) {
	h.event++
	if c != ginrummy.NoCard {
		h.refused[c], h.refusedAt[c] = h.event, h.stock
	}
}

func (h *holdings) draw() {
	h.stock++
	for p := range h.draws {
		if h.draws[p] >= 0 {
			h.draws[p]++
		}
	}
}

func (h *holdings) discard(c ginrummy.Card) {
	for p := c.Points() + 1; p < len(h.draws); p++ {
		h.draws[p] = 0
	}
	h.gone = h.gone.With(c)
	for i := range h.taken[:h.n] {
		if h.taken[i].card == c {
			h.n--
			copy(h.taken[i:h.n], h.taken[i+1:])
			break
		}
	}
}

func (h *holdings) take(c ginrummy.Card, kept ginrummy.Set) {
	h.event++
	h.takenAt[c] = h.event
	if h.n < len(h.taken) {
		h.taken[h.n] = pickup{c, kept, h.gone, h.draws, h.event, h.stock}
		h.n++
	}
}

// explain computes the shares. open are the cards that the opponent may hold, beside those that it certainly holds.
func (h *holdings) explain(open ginrummy.Set) {
	h.best = [ginrummy.DeckSize]float64{}
	for i := range h.taken[:h.n] {
		h.explainOne(&h.taken[i], open)
	}
}

// apart returns, in 32ths, how likely two cards that make a meld with c came together after c was refused, before an event with so many
// draws from the stock.
func (h *holdings) apart(a, b, c, event, stock int, kept ginrummy.Set) uint64 {
	if c < 0 || h.refused[c] == 0 || h.refused[c] >= event {
		return 32
	}
	for _, x := range [2]int{a, b} {
		if kept.Has(ginrummy.Card(x)) && h.takenAt[x] > h.refused[c] {
			return 32
		}
	}
	return uint64(min(32, 3*(stock-h.refusedAt[c])))
}

// melds returns the weight of the melds of three that a card can be in.
func (h *holdings) melds(card ginrummy.Card, kept, open ginrummy.Set) (sum uint64) {
	weight := func(c int) uint64 {
		switch card := ginrummy.Card(c); {
		case kept.Has(card):
			return whole
		case open.Has(card):
			return quarter
		}
		return 0
	}
	c, r := int(card), int(card.Rank())
	for first := max(r-2, 0); first <= r && first+2 < ginrummy.Ranks; first++ {
		at := c - r + first // the lowest card of a run
		w := uint64(1)
		for x := at; x < at+3; x++ {
			if x != c {
				w *= weight(x)
			}
		}
		if w == 0 {
			continue
		}
		low, high := uint64(32), uint64(32)
		if first > 0 {
			low = h.apart(at, at+1, at-1, h.event+1, h.stock, kept)
		}
		if first+3 < ginrummy.Ranks {
			high = h.apart(at+1, at+2, at+3, h.event+1, h.stock, kept)
		}
		sum += w * min(low, high)
	}
	const n = ginrummy.Ranks
	x, y, z := (c+n)%ginrummy.DeckSize, (c+2*n)%ginrummy.DeckSize, (c+3*n)%ginrummy.DeckSize
	for _, m := range [3][3]int{{x, y, z}, {x, z, y}, {y, z, x}} {
		if w := weight(m[0]) * weight(m[1]); w > 0 {
			f := h.apart(c, m[0], m[2], h.event+1, h.stock, kept)
			f = min(f, h.apart(c, m[1], m[2], h.event+1, h.stock, kept), h.apart(m[0], m[1], m[2], h.event+1, h.stock, kept))
			sum += w * f
		}
	}
	return sum
}

// meldSays is the number of intervals of the weight of melds.
const meldSays = 24

func meldSay(w uint64) int {
	n := bits.Len64(w)
	if n < 7 {
		return min(1, n)
	}
	return min(2*(n-7)+int(w>>(n-2)&1)+2, meldSays-1)
}

// whole is the weight of a card that was in the hand, quarter that of a card that may have been, and left that of one that was discarded
// later.
const (
	whole   = 32
	quarter = 8
	left    = 1
)

// explainOne adds the explanations of a card: two other cards of a meld with it, alone, or in a meld that it extends.
func (h *holdings) explainOne(t *pickup, open ginrummy.Set) {
	weight := func(c int) uint64 {
		switch card := ginrummy.Card(c); {
		case t.kept.Has(card):
			return whole
		case open.Has(card):
			return quarter
		case h.gone.Has(card) && !t.gone.Has(card):
			return left
		}
		return 0
	}
	// loose is how likely a card was in the hand outside a meld, in 32ths: the simple player would have discarded it before one with fewer
	// points.
	loose := func(c int) uint64 {
		card := ginrummy.Card(c)
		if t.kept.Has(card) {
			return 32
		}
		d := t.draws[card.Points()]
		if d < 0 {
			return 32
		}
		return uint64(min(32, 2+5*d))
	}
	var shares [ginrummy.DeckSize]uint64
	all := uint64(0)
	r, c := int(t.card.Rank()), int(t.card)
	// later is the factor of a meld with a card that the player refused after it had the meld, at a distance in the suit. The simple player
	// would have taken it.
	later := func(distance int) uint64 {
		if at := r + distance; at >= 0 && at < ginrummy.Ranks && h.refused[c+distance] > t.event {
			return 1
		}
		return 32
	}
	// add adds two cards. third makes a meld with them without the card, and may be NoCard. alone and within are the factors of the meld
	// without and with third.
	add := func(a, b, third int, alone, within uint64) {
		pair := weight(a) * weight(b)
		if pair == 0 {
			return
		}
		alone *= pair * loose(a) * loose(b)
		if third < 0 {
			alone *= 32
			within = 0
		} else {
			alone *= h.apart(a, b, third, t.event, t.stock, t.kept)
			within *= pair * weight(third) * 32 * 32
			shares[third] += within
		}
		shares[a] += alone + within
		shares[b] += alone + within
		all += alone + within
	}
	if r >= 2 {
		third := -1
		if r >= 3 {
			third = c - 3
		}
		add(c-2, c-1, third, min(later(-3), later(1)), min(later(-4), later(1)))
	}
	if r >= 1 && r+1 < ginrummy.Ranks {
		add(c-1, c+1, -1, min(later(-2), later(2)), 0)
	}
	if r+2 < ginrummy.Ranks {
		third := -1
		if r+3 < ginrummy.Ranks {
			third = c + 3
		}
		add(c+1, c+2, third, min(later(3), later(-1)), min(later(4), later(-1)))
	}
	const n = ginrummy.Ranks
	mates := [3]int{(c + n) % ginrummy.DeckSize, (c + 2*n) % ginrummy.DeckSize, (c + 3*n) % ginrummy.DeckSize}
	for i, third := range mates {
		factor := uint64(32)
		if h.refused[third] > t.event {
			factor = 1
		}
		add(mates[(i+1)%3], mates[(i+2)%3], third, factor, 32)
	}
	if all == 0 {
		return
	}
	for i, share := range shares {
		if share > 0 {
			h.best[i] = max(h.best[i], float64(share)/float64(all))
		}
	}
}

// say returns the interval of the share of a card.
func (h *holdings) say(c ginrummy.Card) int {
	switch p := h.best[c]; {
	case p == 0:
		return 0
	case p < 0.02:
		return 1
	case p < 0.06:
		return 2
	case p >= 0.98:
		return says - 1
	default:
		return 3 + min(int(p*8), 7)
	}
}
