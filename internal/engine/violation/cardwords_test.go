package violation_test

import (
	"testing"

	"roem/internal/engine/violation"
)

func TestCardWords(t *testing.T) {
	for text, want := range map[string]string{
		"jack of hearts": "JH", "Hartenboer": "JH", "harten boer": "JH", "schoppen-10": "10S", "10 of spades": "10S", "klaveren aas": "AC",
		"dame de pique": "QS", "de heer van ruiten": "KD", "Q C": "QC", "10-h": "10H", "cavalier hearts": "CH",
		"": "", "hearts": "", "jack": "", "QC": "", "jack of jacks": "", "jack hearts clubs": "",
	} {
		face, suit, ok := violation.CardWords(text)
		if got := face + suit; ok != (want != "") || ok && got != want {
			t.Errorf("%q is %q %v, want %q", text, got, ok, want)
		}
	}
}
