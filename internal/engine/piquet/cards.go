// Package piquet is the 32-card piquet deck of Klaverjas and Belote Découverte, 7 to ace in four suits: suits, faces, cards,
// 32-bit sets of cards, and their parsing and printing. It also has the four seats and two teams of a partnership game. A game
// with another deck, such as Gin Rummy (52 cards) or Tarok (54), has its own deck package.
//
// The package contains no rules. The points and the order of cards, and which cards are legal, belong to the package of each
// game.
package piquet

import (
	"iter"
	"math/bits"
)

// Suit is one of the four suits, in the order C D H S.
type Suit uint8

// The suits, in the order in which sets and deal indices count them.
const (
	Clubs Suit = iota
	Diamonds
	Hearts
	Spades
)

// Suits returns the four suits in order.
func Suits() [4]Suit { return [4]Suit{Clubs, Diamonds, Hearts, Spades} }

// Face is the face of a card, in the natural order 7 8 9 10 J Q K A.
type Face uint8

// The faces in their natural order, in which sequences run.
const (
	Seven Face = iota
	Eight
	Nine
	Ten
	Jack
	Queen
	King
	Ace
)

// Faces returns the eight faces in natural order.
func Faces() [8]Face { return [8]Face{Seven, Eight, Nine, Ten, Jack, Queen, King, Ace} }

// Card is one of the 32 cards: 8 x suit + face.
//
//	bit  4 3   2 1 0
//	     suit  face
type Card uint8

// Of returns the card with the given suit and face.
func Of(s Suit, f Face) Card { return Card(uint8(s)<<3 | uint8(f)) }

// Suit returns the card's suit.
func (c Card) Suit() Suit { return Suit(c >> 3 & 3) }

// Face returns the card's face.
func (c Card) Face() Face { return Face(c & 7) }

// Set is a set of cards: bit i stands for Card(i), so each suit is one byte.
//
//	bit  31....24 23....16 15.....8 7......0
//	     spades   hearts   diamonds clubs       in each byte: A K Q J 10 9 8 7, the seven in the lowest bit
type Set uint32

// Deck is the set of all 32 cards.
const Deck Set = 1<<32 - 1

// SetOf returns the set of the given cards.
func SetOf(cs ...Card) Set {
	var s Set
	for _, c := range cs {
		s = s.With(c)
	}
	return s
}

// Has reports whether c is in the set.
func (s Set) Has(c Card) bool { return s>>(c&31)&1 != 0 }

// With returns the set with c added.
func (s Set) With(c Card) Set { return s | 1<<(c&31) }

// Without returns the set with c removed.
func (s Set) Without(c Card) Set { return s &^ (1 << (c & 31)) }

// Len returns the number of cards in the set.
func (s Set) Len() int { return bits.OnesCount32(uint32(s)) }

// Empty reports whether the set holds no card.
func (s Set) Empty() bool { return s == 0 }

// First returns the lowest-numbered card of a set that is not empty.
func (s Set) First() Card { return Card(bits.TrailingZeros32(uint32(s)) & 31) }

// InSuit returns the cards of the set that are of suit u.
func (s Set) InSuit(u Suit) Set { return s & (0xff << (8 * (u & 3))) }

// Faces returns the faces that the set holds of suit u: bit f stands for Face(f).
func (s Set) Faces(u Suit) uint8 { return uint8(s >> (8 * (u & 3))) }

// All yields the cards of the set in ascending order.
func (s Set) All() iter.Seq[Card] {
	return func(yield func(Card) bool) {
		for ; s != 0; s &= s - 1 {
			if !yield(s.First()) {
				return
			}
		}
	}
}

// Slice returns the cards of the set in ascending order.
func (s Set) Slice() []Card {
	out := make([]Card, 0, s.Len())
	for ; s != 0; s &= s - 1 {
		out = append(out, s.First())
	}
	return out
}

// Seat is a place at the table. Play goes N -> E -> S -> W.
type Seat uint8

// The seats in the order of play.
const (
	North Seat = iota
	East
	South
	West
)

// Seats returns the four seats in the order of play from North.
func Seats() [4]Seat { return [4]Seat{North, East, South, West} }

// Next returns the seat that plays after s.
func (s Seat) Next() Seat { return (s + 1) & 3 }

// Plus returns the seat n places after s in the order of play; n may be negative.
func (s Seat) Plus(n int) Seat { return Seat((int(s) + n) & 3) }

// Minus returns how many places s sits after t in the order of play, 0 to 3.
func (s Seat) Minus(t Seat) int { return int(s-t) & 3 }

// Partner returns the seat opposite s.
func (s Seat) Partner() Seat { return (s + 2) & 3 }

// Team returns the team that s plays for.
func (s Seat) Team() Team { return Team(s & 1) }

// Team is one of the two partnerships.
type Team uint8

// The teams: north and south, east and west.
const (
	NorthSouth Team = iota
	EastWest
)

// Teams returns the two teams.
func Teams() [2]Team { return [2]Team{NorthSouth, EastWest} }

// Opponents returns the other team.
func (t Team) Opponents() Team { return t ^ 1 }
