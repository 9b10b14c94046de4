package piquet

import (
	"fmt"
	"slices"
	"strings"
	"unicode/utf8"

	"roem/internal/engine/violation"
)

// The written forms, by value. Output uses only these. The Parse functions accept more.
var (
	suitNames = [4]string{"C", "D", "H", "S"}
	faceNames = [8]string{"7", "8", "9", "10", "J", "Q", "K", "A"}
	seatNames = [4]string{"N", "E", "S", "W"}
	teamNames = [2]string{"NS", "EW"}
)

// variationSelectors removes the characters that select the picture or text form of a suit symbol ("♥️").
var variationSelectors = strings.NewReplacer("\ufe0e", "", "\ufe0f", "")

// String returns C, D, H or S.
func (s Suit) String() string { return suitNames[s&3] }

// String returns 7, 8, 9, 10, J, Q, K or A.
func (f Face) String() string { return faceNames[f&7] }

// cardNames are the written forms of the cards.
var cardNames = func() (names [32]string) {
	for c := range names {
		names[c] = faceNames[Card(c).Face()] + suitNames[Card(c).Suit()]
	}
	return names
}()

// String returns face then suit, such as 10H or JD.
func (c Card) String() string { return cardNames[c&31] }

// String returns N, E, S or W.
func (s Seat) String() string { return seatNames[s&3] }

// String returns NS or EW.
func (t Team) String() string { return teamNames[t&1] }

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

// Names returns the names of the cards in ascending order.
func (s Set) Names() []string {
	names := make([]string, 0, s.Len())
	for c := range s.All() {
		names = append(names, c.String())
	}
	return names
}

// suitWords are the suits by what ParseSuit reads, in lower case.
var suitWords = words([4][]string{
	{"c", "♣", "♧", "club", "clubs", "klaver", "klaveren", "trèfle", "trefle"},
	{"d", "♦", "♢", "diamond", "diamonds", "ruit", "ruiten", "carreau"},
	{"h", "♥", "♡", "heart", "hearts", "hart", "harten", "cœur", "coeur"},
	{"s", "♠", "♤", "spade", "spades", "schop", "schoppen", "pique"},
})

// seatWords are the seats by what ParseSeat reads, in lower case.
var seatWords = words([4][]string{{"n", "north", "noord"}, {"e", "east", "oost"}, {"s", "south", "zuid"}, {"w", "west"}})

func words(lists [4][]string) map[string]uint8 {
	byWord := map[string]uint8{}
	for value, list := range lists {
		for _, word := range list {
			byWord[word] = uint8(value)
		}
	}
	return byWord
}

// word returns the value of a word in any case.
func word(byWord map[string]uint8, text string) (value uint8, known bool) {
	if len(text) > 16 || strings.ContainsAny(text, "\u017f\u212a") { // the letters that only ToLower makes equal to s and k
		return 0, false
	}
	value, known = byWord[strings.ToLower(text)]
	return value, known
}

// foreignSuits are words for suits that ParseSuit does not read, but knows what they mean.
var foreignSuits = words([4][]string{{"kreuz", "križ", "kriz"}, {"karo"}, {"herz", "srce"}, {"pik"}})

// nearWord returns the value of the words that a text is nearly, if all of them have the same. Its length bounds the work.
func nearWord(byWord map[string]uint8, text string) (value uint8, ok bool) {
	for known, of := range byWord {
		if len(known) <= 3 || 3*violation.Distance(text, known) > len(text) {
			continue
		}
		if ok && of != value {
			return 0, false
		}
		value, ok = of, true
	}
	return value, ok
}

// ParseSuit reads a suit in any case: C, D, H or S, a suit symbol (♣ ♦ ♥ ♠, ♧ ♢ ♡ ♤), or its name in English, Dutch or French.
func ParseSuit(text string) (Suit, error) {
	plain := text
	if len(text) > 1 {
		plain = variationSelectors.Replace(text)
	}
	if s, ok := word(suitWords, plain); ok {
		return Suit(s), nil
	}
	hint := ""
	meant, ok := word(foreignSuits, plain)
	if !ok {
		meant, ok = nearWord(suitWords, plain)
	}
	if ok {
		hint = fmt.Sprintf("did you mean %s?; ", Suit(meant))
	}
	return 0, violation.New(violation.NotASuit, "%s is not a suit: %sexpected C, D, H or S", quote(text), hint).Of(text).OneOf(suitNames[:]...)
}

// ParseFace reads a face: 7, 8, 9, 10, T, J, Q, K or A, letters in either case.
func ParseFace(text string) (Face, error) {
	switch text {
	case "7":
		return Seven, nil
	case "8":
		return Eight, nil
	case "9":
		return Nine, nil
	case "10", "T", "t":
		return Ten, nil
	case "J", "j":
		return Jack, nil
	case "Q", "q":
		return Queen, nil
	case "K", "k":
		return King, nil
	case "A", "a":
		return Ace, nil
	}
	return 0, violation.New(violation.NotACard, "%s is not a face: expected 7, 8, 9, 10, J, Q, K or A", quote(text)).Of(text).
		OneOf(faceNames[:]...)
}

// ParseCard reads a card, face then suit: 10H, TH, th and 10♥ are the same card. A suit symbol may also come first: ♥10.
func ParseCard(text string) (Card, error) {
	if c, ok := Named(text); ok {
		return c, nil
	}
	plain := variationSelectors.Replace(text)
	if !utf8.ValidString(text) { // the rest of invalid UTF-8 could form a new selector, which would then be removed
		plain = ""
	}
	_, last := utf8.DecodeLastRuneInString(plain)
	face, suit := plain[:len(plain)-last], plain[len(plain)-last:]
	if _, first := utf8.DecodeRuneInString(plain); first > 1 {
		face, suit = plain[first:], plain[:first]
	}
	if f, err := ParseFace(face); err == nil {
		if s, err := ParseSuit(suit); err == nil {
			return Of(s, f), nil
		}
	}
	return 0, notACard(text, plain, face, suit)
}

// notACard is the violation of a text that is no card. It says which card is probably meant.
func notACard(text, plain, face, suit string) violation.Violation {
	wrong := func(why string, meant ...string) violation.Violation {
		return violation.New(violation.NotACard, "%s is not a card: %s, write %s", quote(text), why, strings.Join(meant, " or ")).
			Of(text).OneOf(meant...)
	}
	named := func(before, face string, foreign []foreignFace, s Suit) violation.Violation {
		var names, meant []string
		for _, f := range foreign {
			names = append(names, "the "+f.name)
			meant = append(meant, Of(s, f.face).String())
		}
		return wrong(before+strings.ToUpper(face)+" is "+strings.Join(names, " or "), meant...)
	}
	s, err := ParseSuit(suit)
	switch foreign := foreignFaces[strings.ToUpper(face)]; {
	case err == nil && len(foreign) > 0:
		return named("", face, foreign, s)
	case len(plain) > 1:
		s, errSuit := ParseSuit(plain[:1])
		f, errFace := ParseFace(plain[1:])
		switch foreign := foreignFaces[strings.ToUpper(plain[1:])]; {
		case errSuit != nil:
		case errFace == nil:
			return wrong("the face comes first", Of(s, f).String())
		case len(foreign) > 0:
			return named("the face comes first, and ", plain[1:], foreign, s)
		}
	}
	face, suit, ok := violation.CardWords(text)
	if meant := face + suit; ok && slices.Contains(cardNames[:], meant) {
		return violation.New(violation.NotACard, "%s is not a card: did you mean %s?", quote(text), meant).Of(text).OneOf(meant)
	}
	if meant := violation.OnlyNear(text, cardNames[:]); meant != "" {
		return violation.New(violation.NotACard, "%s is not a card: did you mean %s?", quote(text), meant).Of(text).OneOf(meant)
	}
	return violation.New(violation.NotACard, "%s is not a card: expected a face (7 8 9 10 J Q K A) and a suit (C D H S), such as 10H",
		quote(text)).Of(text)
}

// foreignFaces are the faces by the letters of Dutch cards, boer, vrouw and heer, and of French cards, valet, dame and roi.
var foreignFaces = map[string][]foreignFace{
	"B": {{Jack, "Dutch jack"}}, "V": {{Queen, "Dutch queen"}, {Jack, "French jack"}}, "H": {{King, "Dutch king"}},
	"D": {{Queen, "French queen"}}, "R": {{King, "French king"}},
}

type foreignFace struct {
	face Face
	name string
}

// Named returns the card of which String returns the text. Most input has this form, and Named is faster than ParseCard.
func Named(text string) (Card, bool) {
	n := len(text)
	if n != 2 && (n != 3 || text[:2] != "10") {
		return 0, false
	}
	var suit Suit
	switch text[n-1] {
	case 'C':
		suit = Clubs
	case 'D':
		suit = Diamonds
	case 'H':
		suit = Hearts
	case 'S':
		suit = Spades
	default:
		return 0, false
	}
	var face Face
	switch text[0] {
	case '7':
		face = Seven
	case '8':
		face = Eight
	case '9':
		face = Nine
	case '1':
		face = Ten
	case 'J':
		face = Jack
	case 'Q':
		face = Queen
	case 'K':
		face = King
	case 'A':
		face = Ace
	default:
		return 0, false
	}
	if face == Ten && n != 3 {
		return 0, false
	}
	return Of(suit, face), true
}

// ParseSeat reads a seat in any case: N, E, S or W, or its name in English or Dutch.
func ParseSeat(text string) (Seat, error) {
	if s, ok := word(seatWords, text); ok {
		return Seat(s), nil
	}
	if meant, ok := dutchSeats[text]; ok {
		return 0, violation.New(violation.NotASeat, "%s is not a seat: expected N, E, S or W; it is the Dutch letter of %s", quote(text), meant).
			Of(text).OneOf(meant.String())
	}
	hint := ""
	if meant, ok := nearWord(seatWords, text); ok {
		hint = fmt.Sprintf("did you mean %s?; ", Seat(meant))
	}
	return 0, violation.New(violation.NotASeat, "%s is not a seat: %sexpected N, E, S or W", quote(text), hint).Of(text).OneOf(seatNames[:]...)
}

// dutchSeats are the seats by their Dutch letters, where these are not the English ones.
var dutchSeats = map[string]Seat{"o": East, "O": East, "z": South, "Z": South}

// ParseTeam reads a team: NS or EW in either case.
func ParseTeam(text string) (Team, error) {
	for i, name := range teamNames {
		if text == name || text == strings.ToLower(name) {
			return Team(i), nil
		}
	}
	return 0, violation.New(violation.NotASeat, "%s is not a team: expected NS or EW", quote(text)).Of(text).OneOf(teamNames[:]...)
}

// quote quotes a caller's text for an error message. Long text is truncated.
func quote(text string) string {
	const most = 24
	if runes := []rune(text[:min(len(text), 4*most)]); len(runes) > most {
		return fmt.Sprintf("%q...", string(runes[:most]))
	}
	return fmt.Sprintf("%q", text)
}

// MarshalText writes the suit as String does, and UnmarshalText reads it as ParseSuit does. The other types of this package are the same.
func (s Suit) MarshalText() ([]byte, error) { return []byte(s.String()), nil }

// UnmarshalText reads a suit.
func (s *Suit) UnmarshalText(text []byte) error { return read(s, text, ParseSuit) }

// MarshalText writes the card.
func (c Card) MarshalText() ([]byte, error) { return []byte(c.String()), nil }

// UnmarshalText reads a card.
func (c *Card) UnmarshalText(text []byte) error { return read(c, text, ParseCard) }

// MarshalText writes the seat.
func (s Seat) MarshalText() ([]byte, error) { return []byte(s.String()), nil }

// UnmarshalText reads a seat.
func (s *Seat) UnmarshalText(text []byte) error { return read(s, text, ParseSeat) }

// MarshalText writes the team.
func (t Team) MarshalText() ([]byte, error) { return []byte(t.String()), nil }

// UnmarshalText reads a team.
func (t *Team) UnmarshalText(text []byte) error { return read(t, text, ParseTeam) }

// MarshalText writes the cards, with spaces between them.
func (s Set) MarshalText() ([]byte, error) { return []byte(s.String()), nil }

// UnmarshalText reads cards with spaces between them.
func (s *Set) UnmarshalText(text []byte) error {
	*s = 0
	for name := range strings.FieldsSeq(string(text)) {
		c, err := ParseCard(name)
		if err != nil {
			return err
		}
		*s = s.With(c)
	}
	return nil
}

func read[T any](to *T, text []byte, parse func(string) (T, error)) (err error) {
	*to, err = parse(string(text))
	return err
}
