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

// apart returns how likely two cards that make a meld with c came together after c was refused, before an event with the given number of
// draws from the stock.
func (h *holdings) apart(a, b, c, event, stock int, kept ginrummy.Set) uint64 {
	if h.refused[c] == 0 || h.refused[c] >= event {
		return certain
	}
	for _, x := range [2]int{a, b} {
		if kept.Has(ginrummy.Card(x)) && h.takenAt[x] > h.refused[c] {
			return certain
		}
	}
	return uint64(min(certain, togetherDraw*(stock-h.refusedAt[c])))
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
		low, high := uint64(certain), uint64(certain)
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

// Probabilities and factors are whole numbers of 32ths.
const (
	certain  = 32
	unlikely = 1
	// How likely a card is loose right after a discard with fewer points, and what each draw from the stock adds.
	looseLeast, looseDraw = 2, 5
	// What each draw from the stock after a refusal adds to the probability that two cards came together since.
	togetherDraw = 3
)

// whole is the weight of a card that was in the hand, quarter the weight of a card that may have been, and left the weight of a card that
// was discarded later.
const (
	whole   = 32
	quarter = 8
	left    = 1
)

// explanation collects the explanations of a card that the opponent took: two other cards of a meld with it, alone, or in a meld that the
// card extends.
type explanation struct {
	*holdings
	taken  *pickup
	open   ginrummy.Set
	shares [ginrummy.DeckSize]uint64 // by card: the weight of the explanations that have it
	all    uint64                    // the weight of all explanations
}

// explainOne adds the explanations of a card.
func (h *holdings) explainOne(t *pickup, open ginrummy.Set) {
	e := explanation{holdings: h, taken: t, open: open}
	e.runs()
	e.set()
	if e.all == 0 {
		return
	}
	for i, share := range e.shares {
		if share > 0 {
			h.best[i] = max(h.best[i], float64(share)/float64(e.all))
		}
	}
}

// runs adds the two cards below the card that was taken, those beside it, and the two above it. A run of three extends to a fourth card.
func (e *explanation) runs() {
	r, c := int(e.taken.card.Rank()), int(e.taken.card)
	if r >= 2 {
		e.add(c-2, c-1, e.inSuit(-3), min(e.later(-3), e.later(1)), min(e.later(-4), e.later(1)))
	}
	if r >= 1 && r+1 < ginrummy.Ranks {
		e.add(c-1, c+1, int(ginrummy.NoCard), min(e.later(-2), e.later(2)), 0)
	}
	if r+2 < ginrummy.Ranks {
		e.add(c+1, c+2, e.inSuit(3), min(e.later(3), e.later(-1)), min(e.later(4), e.later(-1)))
	}
}

// set adds each two of the other cards of the rank. The third extends the set.
func (e *explanation) set() {
	const n = ginrummy.Ranks
	c := int(e.taken.card)
	mates := [3]int{(c + n) % ginrummy.DeckSize, (c + 2*n) % ginrummy.DeckSize, (c + 3*n) % ginrummy.DeckSize}
	for i, third := range mates {
		alone := uint64(certain)
		if e.refused[third] > e.taken.event {
			alone = unlikely
		}
		e.add(mates[(i+1)%3], mates[(i+2)%3], third, alone, certain)
	}
}

// inSuit returns the card at a distance in the suit from the card that was taken, or NoCard.
func (e *explanation) inSuit(distance int) int {
	if at := int(e.taken.card.Rank()) + distance; at < 0 || at >= ginrummy.Ranks {
		return int(ginrummy.NoCard)
	}
	return int(e.taken.card) + distance
}

// add adds two cards. third makes a meld with them without the card that was taken, and may be NoCard. alone and within are the factors of
// the meld without and with third.
func (e *explanation) add(a, b, third int, alone, within uint64) {
	pair := e.weight(a) * e.weight(b)
	if pair == 0 {
		return
	}
	alone *= pair * e.loose(a) * e.loose(b)
	if third == int(ginrummy.NoCard) {
		alone *= certain
		within = 0
	} else {
		alone *= e.apart(a, b, third, e.taken.event, e.taken.stock, e.taken.kept)
		within *= pair * e.weight(third) * certain * certain
		e.shares[third] += within
	}
	e.shares[a] += alone + within
	e.shares[b] += alone + within
	e.all += alone + within
}

// weight returns the weight of a card in a meld.
func (e *explanation) weight(c int) uint64 {
	switch card := ginrummy.Card(c); {
	case e.taken.kept.Has(card):
		return whole
	case e.open.Has(card):
		return quarter
	case e.gone.Has(card) && !e.taken.gone.Has(card):
		return left
	}
	return 0
}

// loose returns how likely a card was in the hand outside a meld: the simple player would have discarded it before a card with fewer
// points. The probability is least if such a card was just discarded, and grows with each draw from the stock since then.
func (e *explanation) loose(c int) uint64 {
	card := ginrummy.Card(c)
	d := e.taken.draws[card.Points()]
	if e.taken.kept.Has(card) || d < 0 {
		return certain
	}
	return uint64(min(certain, looseLeast+looseDraw*d))
}

// later returns the factor of a meld with a card, at a distance in the suit, that the player refused after it had the meld. The simple
// player would have taken it.
func (e *explanation) later(distance int) uint64 {
	if c := e.inSuit(distance); c != int(ginrummy.NoCard) && e.refused[c] > e.taken.event {
		return unlikely
	}
	return certain
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
