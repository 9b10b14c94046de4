package worlds

import (
	"math/rand/v2"

	"roem/internal/engine/ginrummy"
	"roem/internal/random"
)

// act is a turn of the opponent, of which only its draw from the stock is hidden.
type act struct {
	kind    ginrummy.Kind // Pass, Take or Stock
	top     ginrummy.Card // the card that was offered; NoCard if none was
	discard ginrummy.Card // NoCard after a pass
	ended   bool          // the opponent did not knock after it
}

// hidden is a card that was dealt to the opponent or that it drew from the stock.
type hidden struct {
	card ginrummy.Card
	slot int // the turn in which it was drawn from the stock, or -1 if it was dealt
	last int // the turn before whose discard it must be there; the number of turns if it was not discarded
}

// Chain is a Markov chain over what is hidden of a round (Metropolis and others, 1953): the cards that were dealt to the opponent, and
// what it drew from the stock in each turn. Its equilibrium is the exact distribution by Bayes, if all orders of the deck were equally
// likely and the opponent is a simple player: the probability of what it did is 0, or the product of one divided by the number of discards
// among which the player draws by lot.
//
// So that the chain can pass from one region of possible histories to another, it also visits histories in which the simple player would
// have done something else, with a penalty for each such act. These do not count. Only one goroutine at a time may use it.
type Chain struct {
	// Penalty is the factor of each act that the simple player would not do.
	Penalty float64

	acts   []act
	hidden []hidden
	free   []int // the places in hidden of cards that the opponent still holds
	dealt  ginrummy.Set
	drawn  []ginrummy.Card // from the stock, by turn
	factor []float64       // of each act
	fault  []float64       // how far each act is from one of the simple player: 0 if it is one
	next   []float64       // the same of a proposal
	other  []float64
	odds   Odds            // with which cards are proposed
	upto   []float64       // their sums, over the cards of list
	list   []ginrummy.Card // the cards of which the opponent holds some, and the others are in the stock
	hand   ginrummy.Set    // at the end
	end    ginrummy.Set    // at the end of a proposal
}

// Set sets the chain to what happened in a view, in which the opponent has finished its turns. knocked says that the opponent may be about
// to knock. The history of the chain is then some history that agrees with the cards that were seen.
func (h *Chain) Set(v *ginrummy.View, knocked bool, rng *rand.Rand) {
	open := h.read(v)
	n := len(h.acts)
	if n > 0 && knocked {
		h.acts[n-1].ended = false
	}
	h.drawn, h.factor, h.fault = resize(h.drawn, n), resize(h.factor, n), resize(h.fault, n)
	h.next, h.other = resize(h.next, n), resize(h.other, n)
	h.list = h.list[:0]
	for s := open; s != 0; s &= s - 1 {
		h.list = append(h.list, s.First())
	}
	random.Shuffle(rng, h.list)
	h.fill()
	var equal Odds
	for c := range equal {
		equal[c] = 1
	}
	h.Propose(&equal)
	h.place()
}

// read sets the acts, and the hidden cards that were discarded later. At first, a card that was discarded after a draw from the stock is
// taken as the card drawn. It returns the cards of which the opponent holds some and the others are in the stock.
func (h *Chain) read(v *ginrummy.View) (open ginrummy.Set) {
	h.acts, h.hidden, h.free = h.acts[:0], h.hidden[:0], h.free[:0]
	seen := ginrummy.NewSeen(v.Upcard, 0)
	open = ginrummy.Deck &^ v.Own.With(v.Upcard)
	turns := 0
	for _, e := range v.Events {
		if e.Kind <= ginrummy.Stock {
			turns++
		}
		if e.Kind == ginrummy.Discard {
			open = open.Without(e.Card)
		}
		if e.Seat != v.Seat {
			switch e.Kind {
			case ginrummy.Pass, ginrummy.Take, ginrummy.Stock:
				top := seen.Top
				if e.Kind == ginrummy.Stock && turns == 3 && top == v.Upcard {
					top = ginrummy.NoCard // both have passed: the card is not offered again
				}
				h.acts = append(h.acts, act{kind: e.Kind, top: top, discard: ginrummy.NoCard})
			case ginrummy.Discard:
				at := len(h.acts) - 1
				h.acts[at].discard, h.acts[at].ended = e.Card, true
				if one := (hidden{e.Card, -1, at}); !seen.Kept.Has(e.Card) {
					if h.acts[at].kind == ginrummy.Stock {
						one.slot = at
					}
					h.hidden = append(h.hidden, one)
				}
			default:
			}
		}
		seen.Add(e, e.Seat == v.Seat)
	}
	return open
}

// fill takes the other hidden cards from the list, from its start.
func (h *Chain) fill() {
	dealt, used := 0, 0
	taken := make(map[int]bool) // the turns with a card
	for _, one := range h.hidden {
		if one.slot < 0 {
			dealt++
		} else {
			taken[one.slot] = true
		}
	}
	add := func(slot int) {
		h.free = append(h.free, len(h.hidden))
		h.hidden = append(h.hidden, hidden{h.list[used], slot, len(h.acts)})
		used++
	}
	for i := range h.acts {
		if h.acts[i].kind != ginrummy.Stock || taken[i] {
			continue
		}
		early := -1 // a card discarded later, if these are more than were dealt
		for k := range h.hidden {
			if one := &h.hidden[k]; dealt > ginrummy.HandSize && one.slot < 0 && one.last >= i {
				early = k
			}
		}
		if early >= 0 {
			h.hidden[early].slot = i
			dealt--
		} else {
			add(i)
		}
	}
	for ; dealt < ginrummy.HandSize; dealt++ {
		add(-1)
	}
}

func resize[T any](list []T, n int) []T {
	if cap(list) < n {
		return make([]T, n)
	}
	list = list[:n]
	clear(list)
	return list
}

// Restart makes the chain go on from a history: the cards that were dealt to the opponent, and what it drew from the stock by turn. It
// must agree with what was seen.
func (h *Chain) Restart(dealt ginrummy.Set, drawn []ginrummy.Card) {
	var slot [ginrummy.DeckSize]int
	var all ginrummy.Set
	for c := range dealt.All() {
		slot[c] = -1
		all = all.With(c)
	}
	k := 0
	for i := range h.acts {
		if h.acts[i].kind == ginrummy.Stock {
			slot[drawn[k]] = i
			all = all.With(drawn[k])
			k++
		}
	}
	left := all & ginrummy.SetOf(h.list...)
	for i := range h.hidden {
		if h.hidden[i].last == len(h.acts) {
			h.hidden[i].card = left.First()
			left &= left - 1
		}
		h.hidden[i].slot = slot[h.hidden[i].card]
	}
	h.place()
}

// place computes what depends on the hidden cards.
func (h *Chain) place() {
	h.dealt = 0
	for _, one := range h.hidden {
		if one.slot < 0 {
			h.dealt = h.dealt.With(one.card)
		} else {
			h.drawn[one.slot] = one.card
		}
	}
	h.run(0, 0)
	copy(h.factor, h.next)
	copy(h.fault, h.other)
	h.hand = h.end
}

// Fault returns how far the history of the chain is from one in which a simple player did what the opponent did: 0 if it is one. The
// probability of a history in the equilibrium is in proportion to Penalty to the power of it.
func (h *Chain) Fault() (sum float64) {
	for _, f := range h.fault {
		sum += f
	}
	return sum
}

// Hand returns the hand of the opponent in the history of the chain.
func (h *Chain) Hand() ginrummy.Set { return h.hand }
