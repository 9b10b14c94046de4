package advice

import (
	"math/bits"

	"roem/internal/engine/ginrummy"
)

// world is what is hidden from the player: a hand of the opponent and the order of the stock.
type world struct {
	opponent ginrummy.Set
	stock    [ginrummy.StockSize]ginrummy.Card
	seed     uint64 // of the choices in playouts, the same for all options
}

// table is a round in a playout. Seat 0 is the player who is advised.
type table struct {
	hands     [2]ginrummy.Set
	top       ginrummy.Card
	untouched bool // top is the first card turned up
	turns     int
	stock     []ginrummy.Card // what is left, the next card first
	seat      int             // whose turn it is
	random    uint64
	rule      ginrummy.LayOffs
	barred    ginrummy.Card // is taken by nobody while it is the top discard; NoCard for none
	end       End
}

// next returns a random number (xorshift64*, Vigna 2016). Playouts need speed and no more.
func (t *table) next() uint64 {
	t.random ^= t.random >> 12
	t.random ^= t.random << 25
	t.random ^= t.random >> 27
	return t.random * 0x2545f4914f6cdd1d
}

// finish plays the round to its end, and returns the points of seat 0 minus the points of seat 1. Both play as simple players, but of the
// best discards seat 0 chooses one with the fewest neighbours in its hand.
func (t *table) finish() int {
	for {
		hand := t.hands[t.seat]
		if t.untouched && t.turns < 2 {
			if !t.takes(hand) {
				if score, over := t.endTurn(); over {
					return score
				}
				continue
			}
		}
		taken := ginrummy.NoCard
		if (!t.untouched || t.turns != 2) && t.takes(hand) {
			taken = t.top
		}
		if score, over := t.turn(taken); over {
			return score
		}
	}
}

// takes reports whether a player with the hand takes the top discard.
func (t *table) takes(hand ginrummy.Set) bool { return t.top != t.barred && hand.Completes(t.top) }

// turn plays a turn of the seat: it takes the top discard, or draws from the stock if taken is NoCard.
func (t *table) turn(taken ginrummy.Card) (score int, over bool) {
	hand := t.hands[t.seat]
	choice := hand
	if taken != ginrummy.NoCard {
		hand = hand.With(taken)
	} else {
		hand = hand.With(t.stock[0])
		choice = hand
		t.stock = t.stock[1:]
	}
	deadwood, cards := least(hand, choice)
	if t.seat == 0 {
		cards = loneliest(hand, cards)
	}
	return t.discard(hand, t.pick(cards), deadwood)
}

// discard ends a turn of the seat with a discard from eleven cards, and knocks if it can.
func (t *table) discard(hand ginrummy.Set, c ginrummy.Card, deadwood int) (score int, over bool) {
	hand = hand.Without(c)
	t.hands[t.seat], t.top, t.untouched = hand, c, false
	if deadwood <= ginrummy.MaxDeadwood {
		return t.knock(), true
	}
	return t.endTurn()
}

// endTurn gives the turn to the other seat, or ends a void round.
func (t *table) endTurn() (score int, over bool) {
	t.turns++
	t.seat ^= 1
	return 0, len(t.stock) <= ginrummy.LeastStock || t.turns >= ginrummy.MaxTurns
}

// pick returns a card of the set.
func (t *table) pick(s ginrummy.Set) ginrummy.Card {
	if n := s.Len(); n > 1 {
		high, _ := bits.Mul64(t.next(), uint64(n))
		for range high {
			s &= s - 1
		}
	}
	return s.First()
}

// knock returns the score of a knock of the seat.
func (t *table) knock() int {
	t.end = knocks[t.seat]
	return knockScore(t.hands[t.seat], t.hands[t.seat^1], arrangement(t.hands[t.seat]), t.rule) * (1 - 2*t.seat)
}

// arrangement returns a best arrangement of a hand.
func arrangement(hand ginrummy.Set) (a ginrummy.Arrangement) {
	if best := hand.Best(); len(best) > 0 {
		a = best[0]
	}
	return a
}

// knockScore returns the points that a knock is worth against a hand: negative if it is undercut.
func knockScore(hand, other ginrummy.Set, melds ginrummy.Arrangement, rule ginrummy.LayOffs) int {
	mine := melds.Deadwood(hand)
	if mine == 0 {
		return ginrummy.GinBonus + other.Deadwood()
	}
	theirs := arrangement(other)
	_, left := rule.LayOff(other&^theirs.Cards(), melds)
	ahead := left.Points() - mine
	if ahead <= 0 {
		ahead -= ginrummy.UndercutBonus
	}
	return ahead
}

// least returns the least deadwood of the hand without one of the cards of a choice, and the cards whose discard leaves it.
func least(hand, choice ginrummy.Set) (int, ginrummy.Set) { return hand.AfterDiscardOf(choice) }

// loneliest returns the cards that have the fewest neighbours in the hand.
func loneliest(hand, cards ginrummy.Set) ginrummy.Set {
	if cards&(cards-1) == 0 {
		return cards
	}
	best, few := ginrummy.Set(0), 1000
	for s := cards; s != 0; s &= s - 1 {
		c := s.First()
		switch n := neighbours(hand, c); {
		case n < few:
			best, few = ginrummy.SetOf(c), n
		case n == few:
			best = best.With(c)
		}
	}
	return best
}

// neighbours returns how many cards of the hand can be in a meld of three with c: cards of its rank, and cards of its suit at most two
// ranks away; the cards next to it count twice.
func neighbours(hand ginrummy.Set, c ginrummy.Card) int {
	same := (hand & ginrummy.OfRank(c.Rank())).Without(c).Len()
	around := uint32(hand.InSuit(c.Suit())) << 2 >> c.Rank()
	return 2*same + 2*bits.OnesCount32(around&0b01010) + bits.OnesCount32(around&0b10001)
}
