// Package ginrummy implements the rules of Gin Rummy as the EAAI 2021 challenge has them (docs/reference/rules/gin-rummy.md): the deck of
// 52 cards, melds, the best arrangements of a hand, lay-offs, rounds, scores, and what a player sees of a round.
//
// A Round is immutable: an action returns a new Round and allocates nothing.
package ginrummy

import (
	"fmt"
	"iter"
	"math/bits"
	"strings"
	"unicode/utf8"

	"roem/internal/engine/violation"
)

// Suit is one of the four suits, in the order C H S D of the challenge.
type Suit uint8

// The suits in the order of the numbers of the cards.
const (
	Clubs Suit = iota
	Hearts
	Spades
	Diamonds
)

// Suits returns the four suits in order.
func Suits() [4]Suit { return [4]Suit{Clubs, Hearts, Spades, Diamonds} }

// Rank is the rank of a card, from 0, the ace, to 12, the king. The ace is low only.
type Rank uint8

// The ranks that have names of their own.
const (
	Ace   Rank = 0
	Ten   Rank = 9
	Jack  Rank = 10
	Queen Rank = 11
	King  Rank = 12
)

// Ranks is the number of ranks.
const Ranks = 13

// Points returns the deadwood points of a card of the rank: 1 for the ace, 10 for the ten and the pictures.
func (r Rank) Points() int { return min(int(r)+1, 10) }

// Card is one of the 52 cards: 13 x suit + rank.
type Card uint8

// NoCard is in the place of a card that is not there or not seen.
const NoCard Card = 255

// DeckSize is the number of cards.
const DeckSize = 52

// Of returns the card of a suit and a rank.
func Of(s Suit, r Rank) Card { return Card(s)*Ranks + Card(r) }

// Suit returns the suit of the card.
func (c Card) Suit() Suit { return Suit(c / Ranks) }

// Rank returns the rank of the card.
func (c Card) Rank() Rank { return Rank(c % Ranks) }

// Points returns the deadwood points of the card.
func (c Card) Points() int { return c.Rank().Points() }

var (
	rankNames = [Ranks]string{"A", "2", "3", "4", "5", "6", "7", "8", "9", "10", "J", "Q", "K"}
	suitNames = [4]string{"C", "H", "S", "D"}
)

// String returns C, H, S or D.
func (s Suit) String() string { return suitNames[s&3] }

// String returns A, 2 to 10, J, Q or K.
func (r Rank) String() string { return rankNames[r%Ranks] }

// String returns rank then suit, such as 10H.
func (c Card) String() string {
	if c >= DeckSize {
		return "none"
	}
	return cardNames[c]
}

var cardNames = func() (names [DeckSize]string) {
	for c := range names {
		names[c] = Card(c).Rank().String() + Card(c).Suit().String()
	}
	return names
}()

var (
	namedCards = func() map[string]Card {
		m := make(map[string]Card, DeckSize)
		for c, name := range cardNames {
			m[name] = Card(c)
		}
		return m
	}()
	// plainForms replaces the other written forms of a card by the form of String.
	plainForms = strings.NewReplacer("\ufe0e", "", "\ufe0f", "", "♣", "C", "♧", "C", "♥", "H", "♡", "H", "♠", "S", "♤", "S", "♦", "D", "♢",
		"D")
)

// ParseCard reads a card, rank then suit: 10H, TH, th and 10♥ are the same card. A suit symbol may also come first: ♥10.
func ParseCard(text string) (Card, error) {
	if c, ok := namedCards[text]; ok {
		return c, nil
	}
	if len(text) <= 16 && utf8.ValidString(text) {
		plain := strings.ToUpper(plainForms.Replace(text))
		if first, _ := utf8.DecodeRuneInString(text); strings.ContainsRune("♣♧♥♡♠♤♦♢", first) {
			plain = plain[1:] + plain[:1]
		}
		if rest, ok := strings.CutPrefix(plain, "T"); ok {
			plain = "10" + rest
		}
		if c, ok := namedCards[plain]; ok {
			return c, nil
		}
	}
	return 0, notACard(text)
}

// notACard is the violation of a text that is no card. It says which card is probably meant.
func notACard(text string) violation.Violation {
	wrong := func(c Card, why string) violation.Violation {
		return violation.New(violation.NotACard, "%s is not a card: %s, write %s", quote(text), why, c).Of(text).OneOf(c.String())
	}
	if n := len(text); n == 2 || n == 3 {
		upper := strings.ToUpper(text)
		if c, ok := namedCards[strings.Replace(upper[1:], "T", "10", 1)+upper[:1]]; ok {
			return wrong(c, "the rank comes first")
		}
		if rest, ok := strings.CutPrefix(upper, "1"); ok {
			if c, ok := namedCards["A"+rest]; ok {
				return wrong(c, "the ace is A")
			}
		}
	}
	rank, suit, ok := violation.CardWords(text)
	c, known := namedCards[rank+suit]
	if !ok || !known {
		c, known = namedCards[violation.OnlyNear(text, cardNames[:])]
	}
	if known {
		return violation.New(violation.NotACard, "%s is not a card: did you mean %s?", quote(text), c).Of(text).OneOf(c.String())
	}
	return violation.New(violation.NotACard,
		"%s is not a card: expected a rank (A 2 3 4 5 6 7 8 9 10 J Q K) and a suit (C H S D), such as 10H", quote(text)).Of(text)
}

// quote quotes a caller's text for an error message. Long text is truncated.
func quote(text string) string {
	const most = 24
	if runes := []rune(text[:min(len(text), 4*most)]); len(runes) > most {
		return fmt.Sprintf("%q...", string(runes[:most]))
	}
	return fmt.Sprintf("%q", text)
}

// Set is a set of cards: bit i stands for Card(i).
//
//	bit  51......39 38......26 25......13 12.......0
//	     diamonds   spades     hearts     clubs       in each suit: K Q J 10 9 8 7 6 5 4 3 2 A, the ace in the lowest bit
type Set uint64

// Deck is the set of all 52 cards.
const Deck Set = 1<<DeckSize - 1

const suitMask = 1<<Ranks - 1

// SetOf returns the set of the given cards.
func SetOf(cs ...Card) (s Set) {
	for _, c := range cs {
		s = s.With(c)
	}
	return s
}

// Has reports whether c is in the set.
func (s Set) Has(c Card) bool { return c < DeckSize && s>>c&1 != 0 }

// With returns the set with c added.
func (s Set) With(c Card) Set { return s | 1<<(c&63) }

// Without returns the set with c removed.
func (s Set) Without(c Card) Set { return s &^ (1 << (c & 63)) }

// Contains reports whether every card of t is in the set.
func (s Set) Contains(t Set) bool { return t&^s == 0 }

// Len returns the number of cards in the set.
func (s Set) Len() int { return bits.OnesCount64(uint64(s)) }

// Empty reports whether the set holds no card.
func (s Set) Empty() bool { return s == 0 }

// First returns the lowest-numbered card of a set that is not empty.
func (s Set) First() Card { return Card(bits.TrailingZeros64(uint64(s)) & 63) }

// InSuit returns the ranks that the set holds of suit u: bit r stands for Rank(r).
func (s Set) InSuit(u Suit) uint16 { return uint16(s >> (Ranks * uint(u)) & suitMask) }

// OfRank returns the four cards of a rank.
func OfRank(r Rank) Set { return 1<<r | 1<<(Ranks+r) | 1<<(2*Ranks+r) | 1<<(3*Ranks+r) }

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

// Points returns the sum of the deadwood points of the cards.
func (s Set) Points() int {
	return int(pointsOf[s.InSuit(Clubs)]) + int(pointsOf[s.InSuit(Hearts)]) + int(pointsOf[s.InSuit(Spades)]) +
		int(pointsOf[s.InSuit(Diamonds)])
}

// String returns the cards in ascending order with a space between them.
func (s Set) String() string {
	var b strings.Builder
	for c := range s.All() {
		if b.Len() > 0 {
			b.WriteByte(' ')
		}
		b.WriteString(c.String())
	}
	return b.String()
}
