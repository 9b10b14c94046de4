package ginhand

import "roem/internal/engine/ginrummy"

// holdings follows what the opponent may have held when it took a card from the discards: a simple player takes a card only if that makes a meld with two
// cards of its hand. Weights are whole numbers, so that their sums do not depend on the order of the suits.
type holdings struct {
	draws [11]int // by points: draws from the stock since the last discard with fewer points; -1 if there was none
	taken [ginrummy.HandSize + 1]pickup
	n     int
	gone  ginrummy.Set               // cards that the opponent has discarded
	best  [ginrummy.DeckSize]float64 // by card: the largest share of the explanations of a card taken that have it
}

// pickup is a card that the opponent took and holds.
type pickup struct {
	card  ginrummy.Card
	kept  ginrummy.Set // cards that were known to be in the hand
	gone  ginrummy.Set // cards that had been discarded
	draws [11]int
}

// says is the number of intervals of the share of explanations that have a card.
const says = 12

func (h *holdings) reset() {
	for p := range h.draws {
		h.draws[p] = -1
	}
	h.n, h.gone = 0, 0
}

func (h *holdings) draw() {
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
	if h.n < len(h.taken) {
		h.taken[h.n] = pickup{c, kept, h.gone, h.draws}
		h.n++
	}
}

// explain computes the shares. kept and open are what the opponent holds now, and what it may hold.
func (h *holdings) explain(kept, open ginrummy.Set) {
	h.best = [ginrummy.DeckSize]float64{}
	for i := range h.taken[:h.n] {
		h.explainOne(&h.taken[i], open)
	}
}

// whole is the weight of a card that was in the hand, quarter that of a card that may have been, and left that of one that was discarded later.
const (
	whole   = 32
	quarter = 8
	left    = 1
)

// explainOne adds the explanations of a card: two other cards of a meld with it, alone, or in a meld that it extends.
func (h *holdings) explainOne(t *pickup, open ginrummy.Set) {
	weight := func(c int) uint64 {
		switch card := ginrummy.Card(c); { //nolint:gosec // c is a card
		case t.kept.Has(card):
			return whole
		case open.Has(card):
			return quarter
		case h.gone.Has(card) && !t.gone.Has(card):
			return left
		}
		return 0
	}
	// loose is how likely a card was in the hand outside a meld, in 32ths: the simple player would have discarded it before one with fewer points.
	loose := func(c int) uint64 {
		card := ginrummy.Card(c) //nolint:gosec // c is a card
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
	add := func(a, b, third int) {
		pair := weight(a) * weight(b)
		if pair == 0 {
			return
		}
		alone, within := pair*loose(a)*loose(b), uint64(0)
		if third >= 0 {
			within = pair * weight(third) * 32
			shares[third] += within
		}
		shares[a] += alone + within
		shares[b] += alone + within
		all += alone + within
	}
	r, c := int(t.card.Rank()), int(t.card)
	if r >= 2 {
		third := -1
		if r >= 3 {
			third = c - 3
		}
		add(c-2, c-1, third)
	}
	if r >= 1 && r+1 < ginrummy.Ranks {
		add(c-1, c+1, -1)
	}
	if r+2 < ginrummy.Ranks {
		third := -1
		if r+3 < ginrummy.Ranks {
			third = c + 3
		}
		add(c+1, c+2, third)
	}
	const n = ginrummy.Ranks
	x, y, z := (c+n)%ginrummy.DeckSize, (c+2*n)%ginrummy.DeckSize, (c+3*n)%ginrummy.DeckSize
	add(x, y, z)
	add(x, z, y)
	add(y, z, x)
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
