// Package belote implements the rules of Belote Découverte, as docs/reference/rules/belote.md defines them: two players with stacks of two
// cards, the upper one open. It has deals of one to four suits, positions, legal cards, points and scores (source: Bezirganyan, Ghazaryan
// and Atanyan, "Solving Fixed-Trump Belote Découverte", 2021, sections 1.1.1 and 1.1.2).
//
// A Position is immutable: playing a card returns a new Position and allocates nothing. Invalid input is an error with a JSON pointer
// that says what was expected.
package belote

import (
	"roem/internal/engine/piquet"
	"roem/internal/engine/violation"
)

// Player is one of the two players.
type Player uint8

// The players. The dealer's opponent leads to the first trick.
const (
	A Player = iota
	B
)

// Players returns the two players.
func Players() [2]Player { return [2]Player{A, B} }

// Other returns the opponent of p.
func (p Player) Other() Player { return p ^ 1 }

// String returns A or B.
func (p Player) String() string { return [2]string{"A", "B"}[p&1] }

// ParsePlayer reads a seat: A or B in either case. It has no other names: who deals differs from hand to hand.
func ParsePlayer(text string) (Player, error) {
	switch text {
	case "A", "a":
		return A, nil
	case "B", "b":
		return B, nil
	}
	return 0, violation.New(violation.NotASeat, "%.24q is not a seat: expected A or B", text).Of(text).OneOf("A", "B")
}

// MarshalText writes the seat as String does.
func (p Player) MarshalText() ([]byte, error) { return []byte(p.String()), nil }

// UnmarshalText reads a seat as ParsePlayer does.
func (p *Player) UnmarshalText(text []byte) (err error) {
	*p, err = ParsePlayer(string(text))
	return err
}

// Trump is the trump suit, or NoTrump.
type Trump uint8

// NoTrump is the trump of a hand without a trump suit.
const NoTrump Trump = 4

// TrumpOf returns the trump with the given suit.
func TrumpOf(s piquet.Suit) Trump { return Trump(s & 3) }

// Is reports whether s is the trump suit.
func (t Trump) Is(s piquet.Suit) bool { return Trump(s) == t }

// Suit returns the trump suit. There is none if ok is false.
func (t Trump) Suit() (s piquet.Suit, ok bool) { return piquet.Suit(t & 3), t < NoTrump }

// String returns C, D, H, S or none.
func (t Trump) String() string {
	if s, ok := t.Suit(); ok {
		return s.String()
	}
	return "none"
}

// LastTrick is the bonus in points for the last trick.
const LastTrick = 10

// The points of the faces 7 8 9 10 J Q K A, and their strength within their suit from 0, the weakest.
var (
	plainPoints    = [8]uint8{0, 0, 0, 10, 2, 3, 4, 11}
	trumpPoints    = [8]uint8{0, 0, 14, 10, 20, 3, 4, 11}
	noTrumpPoints  = [8]uint8{0, 0, 0, 10, 2, 3, 4, 19}
	plainStrength  = [8]uint8{0, 1, 2, 6, 3, 4, 5, 7}
	trumpStrengths = [8]uint8{0, 1, 6, 4, 7, 2, 3, 5}
)

// Points returns the points of a card.
func (t Trump) Points(c piquet.Card) int {
	switch {
	case t == NoTrump:
		return int(noTrumpPoints[c.Face()])
	case t.Is(c.Suit()):
		return int(trumpPoints[c.Face()])
	}
	return int(plainPoints[c.Face()])
}

// Strength returns the strength of a card among the cards of its suit, from 0 to 7.
func (t Trump) Strength(c piquet.Card) int {
	if t.Is(c.Suit()) {
		return int(trumpStrengths[c.Face()])
	}
	return int(plainStrength[c.Face()])
}

// Beats reports whether the card d of the follower beats the card c that was led.
func (t Trump) Beats(d, c piquet.Card) bool {
	if d.Suit() == c.Suit() {
		return t.Strength(d) > t.Strength(c)
	}
	return t.Is(d.Suit())
}

// Total returns the points of a whole hand of the suits of a deck, with the last trick: 72, 102, 132 and 162 for one to four suits,
// and 48, 86, 124 and 162 without trump.
func (t Trump) Total(deck piquet.Set) int {
	total := LastTrick
	for c := range deck.All() {
		total += t.Points(c)
	}
	return total
}

// DefaultThreshold returns the points with which the declarer makes the contract by default: half of the total, minus one. It is the
// formula of the paper (section 3.1); for three suits its text has 75 in place of 65.
func (t Trump) DefaultThreshold(deck piquet.Set) int { return t.Total(deck)/2 - 1 }

// Legal returns the cards of up that may follow the card that was led: of its suit if there are any, and then higher trumps if trump was
// led; else trumps if there are any; else all.
func (t Trump) Legal(led piquet.Card, up piquet.Set) piquet.Set {
	if same := up.InSuit(led.Suit()); !same.Empty() {
		if !t.Is(led.Suit()) {
			return same
		}
		var higher piquet.Set
		for c := range same.All() {
			if t.Strength(c) > t.Strength(led) {
				higher = higher.With(c)
			}
		}
		if !higher.Empty() {
			return higher
		}
		return same
	}
	if suit, ok := t.Suit(); ok {
		if trumps := up.InSuit(suit); !trumps.Empty() {
			return trumps
		}
	}
	return up
}
