package tarok

import (
	"errors"
	"strings"
	"testing"

	"roem/internal/engine/violation"
)

func TestAllCardsInAllSpellings(t *testing.T) {
	symbols := map[Suit][]string{Hearts: {"♥", "♡"}, Diamonds: {"♦", "♢"}, Spades: {"♠", "♤"}, Clubs: {"♣", "♧"}}
	extra := map[Card][]string{Pagat: {"pagat", "Pagat"}, Mond: {"mond", "MOND"}, Skis: {"škis", "Škis", "ŠKIS", "skis", "Skis"}}
	for c := range Deck.All() {
		forms := append([]string{c.String(), strings.ToLower(c.String())}, extra[c]...)
		for _, symbol := range symbols[c.Suit()] {
			rank := c.String()[1:]
			for _, selector := range []string{"", "\ufe0e", "\ufe0f"} {
				forms = append(forms, symbol+selector+rank, rank+symbol+selector, strings.ToLower(symbol+selector+rank))
			}
		}
		for _, text := range forms {
			if got, err := ParseCard(text); err != nil || got != c {
				t.Errorf("ParseCard(%q) = %s, %v, want %s", text, got, err, c)
			}
		}
	}
	for _, text := range []string{
		"", "T", "T0", "T23", "T01", "H7", "S1", "H10", "♥7", "7♥", "♠1", "♥", "♥♥", "♥K♥", "♣♣", "♥♣", "D♣",
		"HK\ufe0f", "T♥", "♥T1", "K K", " HK", "HK ", "ſ7", "ſkis",
		"K\u212a", "kralj", "Mondo", "\xff", "♥\xff", "H\xff", "\ufe0f", "xxi", strings.Repeat("T1", 100_000),
	} {
		if got, err := ParseCard(text); err == nil || !strings.Contains(err.Error(), "is not a card: ") || len(err.Error()) > 400 {
			t.Errorf("ParseCard(%.20q) = %s, %v", text, got, err)
		}
	}
}

// The error for a card that is probably another one names that.
func TestCardsThatAreMeant(t *testing.T) {
	for text, want := range map[string]string{
		"KH": `"KH" is not a card: the suit comes first, write HK`, "10s": `"10s" is not a card: the suit comes first, write S10`,
		"21": `"21" is not a card: a tarok begins with T, write T21`, "1": `"1" is not a card: a tarok begins with T, write T1`,
		"21T": `"21T" is not a card: the suit comes first, write T21`,
	} {
		_, err := ParseCard(text)
		var wrong violation.Violation
		_, meant, _ := strings.Cut(want, "write ")
		if !errors.As(err, &wrong) || err.Error() != want || strings.Join(wrong.Expected.OneOf, " or ") != meant {
			t.Errorf("ParseCard(%q): %v, expected %v, want %s", text, err, wrong.Expected, want)
		}
	}
}

func TestAllSeatsInAllSpellings(t *testing.T) {
	for text, want := range map[string]Player{
		"A": A, "a": A, "B": B, "b": B, "C": C, "c": C, "forehand": A, "Forehand": A, "middlehand": B, "MIDDLEHAND": B, "dealer": C, "Dealer": C,
		"delivec": C, "Delivec": C,
	} {
		if got, err := ParsePlayer(text); err != nil || got != want {
			t.Errorf("ParsePlayer(%q) = %s, %v, want %s", text, got, err, want)
		}
	}
	for _, text := range []string{"", "D", "AB", "left", "fore", "dealer ", "middlehands", "\xff", strings.Repeat("A", 100_000)} {
		if got, err := ParsePlayer(text); err == nil || len(err.Error()) > 200 ||
			!strings.Contains(err.Error(), "is not a seat: expected A, B or C") {
			t.Errorf("ParsePlayer(%.20q) = %s, %v", text, got, err)
		}
	}
}
