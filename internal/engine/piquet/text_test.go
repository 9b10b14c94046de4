package piquet

import (
	"errors"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/google/go-cmp/cmp"

	"roem/internal/engine/violation"
)

// Every written form of each of the 32 cards is parsed as that card, and each card is printed in one form.
func TestAllCardsInAllSpellings(t *testing.T) {
	suits := [4][]string{
		{"C", "c", "♣", "♧", "♣\ufe0f", "♣\ufe0e", "clubs", "Klaveren", "KLAVER", "Trèfle", "trefle"},
		{"D", "d", "♦", "♢", "♦\ufe0f", "♦\ufe0e", "diamonds", "Ruiten", "RUIT", "Carreau"},
		{"H", "h", "♥", "♡", "♥\ufe0f", "♥\ufe0e", "hearts", "Harten", "HART", "Cœur", "COEUR"},
		{"S", "s", "♠", "♤", "♠\ufe0f", "♠\ufe0e", "spades", "Schoppen", "SCHOP", "pique"},
	}
	faces := [8][]string{{"7"}, {"8"}, {"9"}, {"10", "T", "t"}, {"J", "j"}, {"Q", "q"}, {"K", "k"}, {"A", "a"}}
	canonical := map[string]bool{}
	for s, suitForms := range suits {
		for f, faceForms := range faces {
			want := Card(8*s + f)
			if got := want.String(); got != faceForms[0]+suitForms[0] {
				t.Errorf("card %d is printed as %q, want %q", want, got, faceForms[0]+suitForms[0])
			}
			canonical[want.String()] = true
			for _, face := range faceForms {
				if got, err := ParseFace(face); err != nil || got != Face(f) {
					t.Errorf("ParseFace(%q) = %v, %v", face, got, err)
				}
				for i, suit := range suitForms {
					if i >= 6 { // words
						if got, err := ParseCard(face + suit); err == nil {
							t.Errorf("ParseCard(%q) = %v", face+suit, got)
						}
					} else if got, err := ParseCard(face + suit); err != nil || got != want {
						t.Errorf("ParseCard(%q) = %v, %v, want %v", face+suit, got, err, want)
					}
					if got, err := ParseCard(suit + face); i >= 2 && i < 6 && (err != nil || got != want) {
						t.Errorf("ParseCard(%q) = %v, %v, want %v", suit+face, got, err, want)
					}
					if got, err := ParseSuit(suit); err != nil || got != Suit(s) {
						t.Errorf("ParseSuit(%q) = %v, %v", suit, got, err)
					}
				}
			}
		}
	}
	if len(canonical) != 32 {
		t.Errorf("%d different names", len(canonical))
	}
}

func TestParseCardRefuses(t *testing.T) {
	for _, text := range []string{
		"", " ", "7", "10", "C", "♥", "6C", "1C", "11C", "0C", "100C", "2S", "TTH", "10", "1OH", "10HH", "10 H",
		" 10H", "10H ", "10H\n", "Jd ", "JX", "XD", "joker", "７C", "JⅮ", "Aſ", "KС", "Тh", "🂡", "\ufe0f", "7\ufe0f",
		"\xff", "7\xff", "\xff7C", "7C\x00", strings.Repeat("7C", 100_000),
	} {
		got, err := ParseCard(text)
		if err == nil {
			t.Errorf("ParseCard(%.20q) = %v", text, got)
			continue
		}
		if !strings.Contains(err.Error(), "is not a card: ") {
			t.Errorf("ParseCard(%.20q) error = %q, which does not contain what was expected", text, err)
		}
		if len(err.Error()) > 400 || !utf8.ValidString(err.Error()) {
			t.Errorf("ParseCard(%.20q): an error of %d bytes, valid text: %v", text, len(err.Error()), utf8.ValidString(err.Error()))
		}
	}
}

// Dutch and French cards have other letters than the cards of this program, and a letter of a suit does not come first. The error says
// which card is meant.
func TestCardsThatAreMeant(t *testing.T) {
	for text, want := range map[string]string{
		"BH": `"BH" is not a card: B is the Dutch jack, write JH`, "♠B": `"♠B" is not a card: B is the Dutch jack, write JS`,
		"HD": `"HD" is not a card: H is the Dutch king, write KD`, "RS": `"RS" is not a card: R is the French king, write KS`,
		"dh": `"dh" is not a card: D is the French queen, write QH`, "HJ": `"HJ" is not a card: the face comes first, write JH`,
		"h10": `"h10" is not a card: the face comes first, write 10H`, "CT": `"CT" is not a card: the face comes first, write 10C`,
		"vc": `"vc" is not a card: V is the Dutch queen or the French jack, write QC or JC`,
	} {
		_, err := ParseCard(text)
		var wrong violation.Violation
		_, meant, _ := strings.Cut(want, "write ")
		if !errors.As(err, &wrong) || err.Error() != want || strings.Join(wrong.Expected.OneOf, " or ") != meant {
			t.Errorf("ParseCard(%q): %v, expected %v, want %s", text, err, wrong.Expected, want)
		}
	}
}

func TestSeatAndTeamNames(t *testing.T) {
	seats := map[string]Seat{
		"N": North, "E": East, "S": South, "W": West, "n": North, "e": East, "s": South, "w": West,
		"North": North, "east": East, "SOUTH": South, "West": West, "noord": North, "Oost": East, "zuid": South,
	}
	for text, want := range seats {
		if got, err := ParseSeat(text); err != nil || got != want {
			t.Errorf("ParseSeat(%q) = %v, %v", text, got, err)
		}
	}
	teams := map[string]Team{"NS": NorthSouth, "EW": EastWest, "ns": NorthSouth, "ew": EastWest}
	for text, want := range teams {
		if got, err := ParseTeam(text); err != nil || got != want {
			t.Errorf("ParseTeam(%q) = %v, %v", text, got, err)
		}
	}
	for _, s := range Seats() {
		if got, err := ParseSeat(s.String()); err != nil || got != s {
			t.Errorf("ParseSeat(%q) = %v, %v", s, got, err)
		}
	}
	for _, team := range Teams() {
		if got, err := ParseTeam(team.String()); err != nil || got != team {
			t.Errorf("ParseTeam(%q) = %v, %v", team, got, err)
		}
	}
}

func TestOtherParsersRefuse(t *testing.T) {
	parsers := []struct {
		name  string
		parse func(string) error
		want  string
		bad   []string
	}{
		{
			"suit", func(s string) error { _, err := ParseSuit(s); return err }, "expected C, D, H or S",
			[]string{"", "X", "CC", "clubss", "clubs ", " C", "♣♣", "ſ", "\ufe0f"},
		},
		{
			"face", func(s string) error { _, err := ParseFace(s); return err }, "expected 7, 8, 9, 10, J, Q, K or A",
			[]string{"", "6", "1", "11", "010", "X", "jack", "J ", "10 "},
		},
		{
			"seat", func(s string) error { _, err := ParseSeat(s); return err }, "expected N, E, S or W",
			[]string{"", "X", "NE", "northern", "o", "z", "n ", "ſ", "NS"},
		},
		{
			"team", func(s string) error { _, err := ParseTeam(s); return err }, "expected NS or EW",
			[]string{"", "N", "SN", "WE", "NSEW", "nſ", "n s"},
		},
	}
	for _, p := range parsers {
		for _, text := range p.bad {
			err := p.parse(text)
			if err == nil {
				t.Errorf("%q is accepted as a %s", text, p.name)
			} else if !strings.Contains(err.Error(), "is not a "+p.name) || !strings.Contains(err.Error(), p.want) {
				t.Errorf("%s %q: error %q does not contain what was expected", p.name, text, err)
			}
		}
	}
}

func TestSetString(t *testing.T) {
	for want, s := range map[string]Set{
		"": 0, "10H": SetOf(Of(Hearts, Ten)), "7C AC 9D KS": SetOf(Of(Spades, King), Of(Clubs, Ace), Of(Diamonds, Nine), Of(Clubs, Seven)),
	} {
		if diff := cmp.Diff(want, s.String()); diff != "" {
			t.Errorf("(-want +got):\n%s", diff)
		}
	}
}

// Invalid values can be printed, so that an error message about one does not panic.
func TestOutOfRangePrints(t *testing.T) {
	for v := range 256 {
		for _, text := range []string{Suit(v).String(), Face(v).String(), Card(v).String(), Seat(v).String(), Team(v).String()} {
			if text == "" {
				t.Fatalf("%d is printed as an empty string", v)
			}
		}
	}
}

func FuzzParseCard(f *testing.F) {
	for _, text := range []string{"10H", "TH", "th", "10♥", "10♡", "10♥️", "7c", "AS", "", "1H", "H10", "\xff", "♥", "7\ufe0fC", "JſS"} {
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text string) {
		c, err := ParseCard(text)
		if err != nil {
			if !utf8.ValidString(err.Error()) || len(err.Error()) > 400 {
				t.Errorf("ParseCard(%q): error %q", text, err)
			}
			return
		}
		if c >= 32 {
			t.Fatalf("ParseCard(%q) = card %d", text, c)
		}
		name := c.String()
		if back, err := ParseCard(name); err != nil || back != c {
			t.Errorf("%q is parsed as %v, and its text as %v, %v", text, c, back, err)
		}
		if back, err := ParseCard(strings.ToLower(name)); err != nil || back != c {
			t.Errorf("%q in lower case is parsed as %v, %v", name, back, err)
		}
		// A card has at most a face of two letters, a suit symbol of three bytes and some variation selectors.
		if plain := strings.NewReplacer("\ufe0e", "", "\ufe0f", "").Replace(text); len(plain) > 5 {
			t.Errorf("%q is parsed as %v", text, c)
		}
	})
}

// The error of a text that is nearly a card, a suit or a seat says which is meant.
func TestErrorsSayWhatIsMeant(t *testing.T) {
	card := func(text string) error { _, err := ParseCard(text); return err }
	suit := func(text string) error { _, err := ParseSuit(text); return err }
	seat := func(text string) error { _, err := ParseSeat(text); return err }
	for _, tt := range []struct {
		parse       func(string) error
		text, meant string // "" for nothing near
	}{
		{card, "JHH", "JH"},
		{card, "1OH", "10H"},
		{card, "Q C", "QC"},
		{card, "jack of hearts", "JH"},
		{card, "hartenboer", "JH"},
		{card, "2 of hearts", ""},
		{card, "10X", ""},
		{suit, "hrten", "H"},
		{suit, "Schopen", "S"},
		{suit, "pik", "S"},
		{suit, "notrump", ""},
		{seat, "nroth", "N"},
		{seat, "zuidd", "S"},
		{seat, "est", ""},
	} {
		err := tt.parse(tt.text)
		if hint := "did you mean " + tt.meant + "?"; err == nil || strings.Contains(err.Error(), "did you mean") != (tt.meant != "") ||
			tt.meant != "" && !strings.Contains(err.Error(), hint) {
			t.Errorf("%q: %v, want a hint of %q", tt.text, err, tt.meant)
		}
	}
}
