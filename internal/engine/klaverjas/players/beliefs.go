package players

import (
	"fmt"

	"roem/internal/engine/klaverjas"
	"roem/internal/engine/piquet"
)

// beliefs are what an agent of the paper holds for possible and what it knows (the paper, "Player Class"). A pair of a seat and a card is
// possible, or known, or neither. Played cards are in no pair.
//
// They are beliefs and not knowledge: the third rule is not sound.
type beliefs struct {
	trump    piquet.Suit
	possible [4]piquet.Set // by seat
	known    [4]piquet.Set
}

// newBeliefs returns the beliefs of a seat with its eight cards before a card is played: 72 possible pairs. open are the cards of other
// seats that lie open.
func newBeliefs(seat piquet.Seat, hand piquet.Set, open [4]piquet.Set, trump piquet.Suit) beliefs {
	b := beliefs{trump: trump, known: open}
	b.known[seat] = hand
	unknown := piquet.Deck
	for _, known := range b.known {
		unknown &^= known
	}
	for _, other := range piquet.Seats() {
		if other != seat {
			b.possible[other] = unknown
		}
	}
	return b
}

// maybe returns the cards of a suit that a seat is known or possible to hold: KM_suit of the paper.
func (b *beliefs) maybe(seat piquet.Seat, suit piquet.Suit) piquet.Set {
	return (b.possible[seat] | b.known[seat]).InSuit(suit)
}

// hear draws the conclusions of a card (the paper, "Update_possibles"), and returns those that concern the seat that played it.
func (b *beliefs) hear(p play) (announced []string) {
	void, noHigher, noLower := b.learn(&p)
	c, seat, t := p.card, p.seat, &p.trick
	led, high := t.Cards[0].Suit(), winning(t)
	if void {
		announced = append(announced, fmt.Sprintf("%s has no %s left.", seat, suitWord(led)))
	}
	switch {
	case noHigher && high.Suit() == b.trump:
		announced = append(announced, fmt.Sprintf("%s has no trump above %s.", seat, high))
	case noHigher:
		announced = append(announced, fmt.Sprintf("%s has no trump.", seat))
	}
	if noLower {
		announced = append(announced, fmt.Sprintf("%s has no %s below %s, if nobody plays a high card that loses.", seat, suitWord(led), c))
	}
	return announced
}

// learn draws the conclusions of hear. It says whether the seat has been found to have no card of the suit led, no trump that wins, and, by
// the third rule, no lower card.
func (b *beliefs) learn(p *play) (void, noHigher, noLower bool) {
	c, seat, t := p.card, p.seat, &p.trick
	for s := range b.possible { // 1: the card is known and played
		b.possible[s] = b.possible[s].Without(c)
		b.known[s] = b.known[s].Without(c)
	}
	led, high := t.Cards[0].Suit(), winning(t)
	if c.Suit() != led { // 2: who does not follow suit has none
		void = true
		b.drop(seat, piquet.Deck.InSuit(led))
		if seat.Team() != t.Winner.Team() && c.Suit() != b.trump {
			noHigher = true
			if high.Suit() == b.trump {
				b.drop(seat, above(high, b.trump))
			} else {
				b.drop(seat, piquet.Deck.InSuit(b.trump))
			}
		}
	}
	// 3: who follows with a losing card that is higher than any card left of the suit has no other. It is not sound: it rests on the tactics
	// of these agents, who do not play a high card that loses while they hold a lower one.
	if left := b.unplayed(led); c.Suit() == led && !left.Empty() &&
		worth(c, b.trump) < worth(high, b.trump) && worth(c, b.trump) > worth(highest(left, b.trump), b.trump) {
		noLower = true
		b.drop(seat, piquet.Deck.InSuit(led))
	}
	b.settle() // 4
	return void, noHigher, noLower
}

// drop removes possible pairs of a seat.
func (b *beliefs) drop(seat piquet.Seat, gone piquet.Set) { b.possible[seat] &^= gone }

// unplayed returns the cards of a suit that some seat is known or possible to hold.
func (b *beliefs) unplayed(suit piquet.Suit) (left piquet.Set) {
	for _, seat := range piquet.Seats() {
		left |= b.maybe(seat, suit)
	}
	return left
}

// settle makes a card known that is possible for one seat only.
func (b *beliefs) settle() {
	var once, twice piquet.Set
	for _, s := range b.possible {
		twice |= once & s
		once |= s
	}
	for s := range b.possible {
		one := b.possible[s] &^ twice
		b.known[s] |= one
		b.possible[s] &^= one
	}
}

// worth returns the value by which the agents compare cards, in thousandths of a point: the points of the card, where plain sevens, eights
// and nines count 1, 2 and 3 thousandths, and sevens and eights of trump 1 and 2 (the authors' program).
func worth(c piquet.Card, trump piquet.Suit) int {
	if points := klaverjas.Points(c, trump); points > 0 {
		return 1000 * points
	}
	return int(c.Face()) + 1
}

// above returns the cards of the suit of c that are higher.
func above(c piquet.Card, trump piquet.Suit) (higher piquet.Set) {
	for other := range piquet.Deck.InSuit(c.Suit()).All() {
		if klaverjas.Strength(other, trump) > klaverjas.Strength(c, trump) {
			higher = higher.With(other)
		}
	}
	return higher
}

// highest returns the card with the highest worth of a set that is not empty; of equal ones the first in the order of the deck.
func highest(s piquet.Set, trump piquet.Suit) piquet.Card {
	best := s.First()
	for c := range s.All() {
		if worth(c, trump) > worth(best, trump) {
			best = c
		}
	}
	return best
}

func suitWord(s piquet.Suit) string { return [4]string{"clubs", "diamonds", "hearts", "spades"}[s&3] }
