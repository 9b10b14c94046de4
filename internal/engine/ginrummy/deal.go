package ginrummy

import (
	"math/rand/v2"

	"roem/internal/random"
)

// StockSize is the number of cards in the stock after the deal.
const StockSize = DeckSize - 2*HandSize - 1

// Deal is what is dealt in a round. It is comparable.
type Deal struct {
	Starter Seat // who has the first turn
	Hands   [2]Set
	Upcard  Card            // the card turned up
	Stock   [StockSize]Card // in the order in which the cards are drawn
	LayOffs LayOffs         // the rule of the round
}

// NewDeal deals a deck from its top: to both alternately, first to seat 0, ten cards each, and then the card turned up.
func NewDeal(deck [DeckSize]Card, starter Seat) Deal {
	d := Deal{Starter: starter & 1, Upcard: deck[2*HandSize]}
	for i, c := range deck[:2*HandSize] {
		d.Hands[i&1] = d.Hands[i&1].With(c)
	}
	copy(d.Stock[:], deck[2*HandSize+1:])
	return d
}

// RandomDeal returns a deal in which each order of the deck is equally likely.
func RandomDeal(rng *rand.Rand, starter Seat) Deal {
	var deck [DeckSize]Card
	for i := range deck {
		deck[i] = Card(i)
	}
	random.Shuffle(rng, deck[:])
	return NewDeal(deck, starter)
}

// SeededDeal returns the deal with a number of the stream of a seed. It depends on the seed and the number only: each deal has a generator
// of its own, so that what players draw cannot change later deals, and deals cannot repeat in a cycle.
func SeededDeal(seed, number uint64, starter Seat) Deal {
	return RandomDeal(random.New(seed, dealStream, number), starter)
}

// dealStream separates the numbers of deals from the numbers of players.
const dealStream = 0x67696e2d6465616c // "gin-deal"
