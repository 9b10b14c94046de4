// Package tarok implements the rules of three-player Slovenian tarok, as docs/reference/rules/tarok.md defines them: cards, deals,
// bidding, the exchange with the talon, legal cards, tricks, and scores (source: Luštrek, Gams and Bratko, "A Program for Playing Tarok",
// 2003, section 2.1).
//
// A Position is immutable: playing a card returns a new Position and allocates nothing. Invalid input is an error with a JSON pointer
// that says what was expected.
package tarok

import (
	"fmt"
	"iter"
	"math/bits"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"roem/internal/engine/violation"
)

// Card is one of the 54 cards. Taroks 1 to 22 are 0 to 21. The suits start at 24, with eight cards each from the lowest to the king, so
// that a suit is a byte of a Set:
//
//	bit  55....48  47....40  39......32  31....24  21....0
//	     clubs     spades    diamonds    hearts    taroks
type Card uint8

// The cards that rules name.
const (
	Pagat Card = 0  // tarok 1
	Mond  Card = 20 // tarok 21
	Skis  Card = 21 // tarok 22
)

// Cards is one more than the largest number of a card. The numbers 22 and 23 are not cards.
const Cards = 56

// The number of cards of a hand and of the talon.
const (
	HandSize  = 16
	TalonSize = 6
)

// Suit is a suit, or the taroks.
type Suit uint8

// The suits in the order of the deck.
const (
	Taroks Suit = iota
	Hearts
	Diamonds
	Spades
	Clubs
)

// Suits returns the four suits, without the taroks.
func Suits() [4]Suit { return [4]Suit{Hearts, Diamonds, Spades, Clubs} }

// String returns the name of the suit.
func (s Suit) String() string {
	return [5]string{"taroks", "hearts", "diamonds", "spades", "clubs"}[s%5]
}

// Of returns the card of a suit with a rank from 0, the lowest, to 7, the king.
func Of(s Suit, rank int) Card { return Card(16 + 8*int(s) + rank) }

// Suit returns the suit of the card.
func (c Card) Suit() Suit {
	if c < 24 {
		return Taroks
	}
	return Suit(c/8 - 2)
}

// Rank returns the rank of a card of a suit, from 0 to 7, the king, and of a tarok from 0 to 21. A higher card beats a lower one.
func (c Card) Rank() int {
	if c < 24 {
		return int(c)
	}
	return int(c & 7)
}

// King reports whether c is a king.
func (c Card) King() bool { return Kings.Has(c) }

// thirds are the values of the cards: three times the points of a card less two, so that three cards together count as in play.
var thirds = func() (out [Cards]uint8) {
	for c := range Deck.All() {
		out[c] = 1
	}
	for _, s := range Suits() {
		for i, n := range [4]uint8{4, 7, 10, 13} { // jack, cavalier, queen, king
			out[Of(s, 4+i)] = n
		}
	}
	for c := range Trula.All() {
		out[c] = 13
	}
	return out
}()

// Total is the value of all cards in thirds of a point.
const Total = 210

// Thirds returns the value of the card in thirds of a point: 13 for a king and taroks 1, 21 and 22, 10, 7 and 4 for queen, cavalier and
// jack, and 1 for any other.
func (c Card) Thirds() int { return int(thirds[c]) }

// Points returns thirds of a point rounded to the nearest point.
func Points(thirds int) int { return (thirds + 1) / 3 }

// Set is a set of cards: bit c is card c.
type Set uint64

// The sets that rules name.
const (
	Trula Set = 1<<Pagat | 1<<Mond | 1<<Skis
	Kings Set = 0x80808080 << 24
	Deck  Set = 0xFFFFFFFF<<24 | 1<<22 - 1
)

// SetOf returns the set of the cards.
func SetOf(list ...Card) (s Set) {
	for _, c := range list {
		s = s.With(c)
	}
	return s
}

// OfSuit returns all cards of a suit.
func OfSuit(s Suit) Set {
	if s == Taroks {
		return 1<<22 - 1
	}
	return 0xFF << (16 + 8*s)
}

// Has reports whether c is in the set.
func (s Set) Has(c Card) bool { return s>>c&1 != 0 }

// With returns the set with c.
func (s Set) With(c Card) Set { return s | 1<<c }

// Without returns the set without c.
func (s Set) Without(c Card) Set { return s &^ (1 << c) }

// InSuit returns the cards of a suit.
func (s Set) InSuit(suit Suit) Set { return s & OfSuit(suit) }

// Len returns the number of cards.
func (s Set) Len() int { return bits.OnesCount64(uint64(s)) }

// Empty reports whether there are no cards.
func (s Set) Empty() bool { return s == 0 }

// First returns the first card. The set is not empty.
func (s Set) First() Card { return Card(bits.TrailingZeros64(uint64(s))) }

// All returns the cards in the order of the deck: taroks, hearts, diamonds, spades, clubs, each from the lowest.
func (s Set) All() iter.Seq[Card] {
	return func(yield func(Card) bool) {
		for ; s != 0; s &= s - 1 {
			if !yield(s.First()) {
				return
			}
		}
	}
}

// Slice returns the cards in the order of the deck.
func (s Set) Slice() []Card { return slices.AppendSeq(make([]Card, 0, s.Len()), s.All()) }

// Thirds returns the value of the cards in thirds of a point.
func (s Set) Thirds() (sum int) {
	for c := range s.All() {
		sum += c.Thirds()
	}
	return sum
}

// Names returns the names of the cards in the order of the deck.
func (s Set) Names() []string {
	names := make([]string, 0, s.Len())
	for c := range s.All() {
		names = append(names, c.String())
	}
	return names
}

// String lists the cards, such as "T1, HK".
func (s Set) String() string { return strings.Join(s.Names(), ", ") }

// The names of the ranks of a suit, from the lowest.
var (
	redRanks   = [8]string{"4", "3", "2", "1", "J", "C", "Q", "K"}
	blackRanks = [8]string{"7", "8", "9", "10", "J", "C", "Q", "K"}
)

func (s Suit) ranks() *[8]string {
	if s == Hearts || s == Diamonds {
		return &redRanks
	}
	return &blackRanks
}

// names are the names of the cards, and numbers the cards of the names.
var names, numbers = func() (names [Cards]string, numbers map[string]Card) {
	numbers = make(map[string]Card, 54)
	for c := range Deck.All() {
		if s := c.Suit(); s == Taroks {
			names[c] = fmt.Sprintf("T%d", c+1)
		} else {
			names[c] = "THDSC"[s:s+1] + s.ranks()[c.Rank()]
		}
		numbers[names[c]] = c
	}
	return names, numbers
}()

// String returns the name of the card, such as T21, HK, D1 or S10.
func (c Card) String() string {
	if c >= Cards || names[c] == "" {
		return "?"
	}
	return names[c]
}

// trulaNames are the names of taroks 1, 21 and 22 in upper case, as players write them in English and Slovenian.
var trulaNames = map[string]Card{"PAGAT": Pagat, "MOND": Mond, "SKIS": Skis, "ŠKIS": Skis}

// suitSymbols replaces the symbols of suits by their letters.
var suitSymbols = strings.NewReplacer("\ufe0e", "", "\ufe0f", "", "♣", "C", "♧", "C", "♥", "H", "♡", "H", "♠", "S", "♤", "S",
	"♦", "D", "♢", "D")

// longestCard is how many bytes the longest form of a card may have: a symbol, a rank and selectors of its picture.
const longestCard = 16

// notASCII reports whether a letter is none of ASCII.
func notASCII(r rune) bool { return r > 127 }

// ParseCard reads a card: T and 1 to 22, or H or D and one of 4 3 2 1 J C Q K, or S or C and one of 7 8 9 10 J C Q K, in either case. The
// suit may be a symbol, before or after the rank. Taroks 1, 21 and 22 have names: pagat, mond and škis.
func ParseCard(text string) (Card, error) {
	if c, ok := numbers[text]; ok {
		return c, nil
	}
	// The two letters are those that only ToUpper makes equal to S and K.
	if len(text) <= longestCard && utf8.ValidString(text) && !strings.ContainsAny(text, "\u017f\u212a") {
		if c, ok := trulaNames[strings.ToUpper(text)]; ok {
			return c, nil
		}
		if c, ok := parsePlain(text); ok {
			return c, nil
		}
	}
	return 0, notACard(text)
}

// parsePlain reads a card that has no name.
func parsePlain(text string) (Card, bool) {
	const symbols = "♣♧♥♡♠♤♦♢"
	plain := suitSymbols.Replace(text)
	symbol := strings.IndexAny(text, symbols)
	if strings.IndexFunc(plain, notASCII) >= 0 || plain == "" || symbol < 0 && plain != text || symbol != strings.LastIndexAny(text, symbols) {
		return 0, false
	}
	if symbol > 0 {
		plain = plain[len(plain)-1:] + plain[:len(plain)-1]
	}
	c, ok := numbers[strings.ToUpper(plain)]
	return c, ok
}

// notACard is the violation of a text that is no card. It says which card is probably meant.
func notACard(text string) violation.Violation {
	if n := len(text); n > 0 && n <= 3 {
		if c, ok := numbers[strings.ToUpper(text[n-1:]+text[:n-1])]; ok {
			return violation.New(violation.NotACard, "%.24q is not a card: the suit comes first, write %s", text, c).Of(text).OneOf(c.String())
		}
		if c, ok := numbers["T"+text]; ok {
			return violation.New(violation.NotACard, "%.24q is not a card: a tarok begins with T, write %s", text, c).Of(text).OneOf(c.String())
		}
	}
	if c, ok := meant(text); ok {
		return violation.New(violation.NotACard, "%.24q is not a card: did you mean %s?", text, c).Of(text).OneOf(c.String())
	}
	return violation.New(violation.NotACard,
		"%.24q is not a card: expected T1 to T22, H or D with 4 3 2 1 J C Q K, or S or C with 7 8 9 10 J C Q K", text).Of(text)
}

// romans are the taroks in Roman numerals, as they are printed on the cards.
var romans = func() map[string]Card {
	byText := map[string]Card{}
	units := [10]string{"", "I", "II", "III", "IV", "V", "VI", "VII", "VIII", "IX"}
	for n := 1; n <= int(Skis-Pagat)+1; n++ {
		byText[[3]string{"", "X", "XX"}[n/10]+units[n%10]] = numbers["T"+strconv.Itoa(n)]
	}
	return byText
}()

// tarokWords are the beginnings of the names of taroks in words.
var tarokWords = []string{"TAROK", "TAROCK", "TAROT", "T"}

// meant returns the card that a text is probably meant to be: in words, with a Roman numeral, or with something that is no part of it.
func meant(text string) (Card, bool) {
	if len(text) > 2*longestCard {
		return 0, false
	}
	upper := strings.ToUpper(strings.Map(func(r rune) rune {
		if strings.ContainsRune(" -_.", r) {
			return -1
		}
		return r
	}, text))
	for _, begin := range append(tarokWords, "") {
		rest, ok := strings.CutPrefix(upper, begin)
		if !ok {
			continue
		}
		if c, ok := romans[rest]; ok {
			return c, true
		}
		if c, ok := numbers["T"+strings.TrimLeft(rest, "0")]; ok {
			return c, true
		}
	}
	if rank, suit, ok := violation.CardWords(text); ok {
		if c, ok := numbers[suit+rank]; ok {
			return c, true
		}
	}
	var names []string
	for name := range trulaNames {
		names = append(names, name)
	}
	c, ok := trulaNames[violation.OnlyNear(text, names)]
	return c, ok
}
