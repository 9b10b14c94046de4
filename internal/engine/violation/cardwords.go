package violation

import "strings"

// The words for suits and faces in English, Dutch and French, with what stands for them in the names of cards.
var (
	wordsOfSuits = byWord("C club clubs klaver klaveren trèfle trefle", "D diamond diamonds ruit ruiten carreau",
		"H heart hearts hart harten cœur coeur", "S spade spades schop schoppen pique")
	wordsOfFaces = byWord("A ace aas as een one 1", "2 two twee deux", "3 three drie trois", "4 four vier quatre", "5 five vijf cinq",
		"6 six zes", "7 seven zeven sept", "8 eight acht huit", "9 nine negen neuf", "10 ten tien dix t", "J jack boer valet knave b",
		"C cavalier ruiter knight kaval", "Q queen vrouw dame v", "K king heer koning roi")
)

func byWord(lists ...string) map[string]string {
	out := map[string]string{}
	for _, list := range lists {
		name, words, _ := strings.Cut(list, " ")
		out[strings.ToLower(name)] = name
		for word := range strings.FieldsSeq(words) {
			out[word] = name
		}
	}
	return out
}

// longestCardWords is how many bytes the words for a card may have.
const longestCardWords = 32

// CardWords returns the face and the suit of a card that is written in words, such as jack of hearts and hartenboer, or as Q C and 10-H.
// The letters are as in the names of cards: A, 2 to 10, J, C for the cavalier of tarok, Q and K, and C, D, H and S.
func CardWords(text string) (face, suit string, ok bool) {
	if len(text) > longestCardWords {
		return "", "", false
	}
	var parts []string
	for _, part := range strings.FieldsFunc(strings.ToLower(text), func(r rune) bool { return strings.ContainsRune(" -_./,", r) }) {
		if part != "of" && part != "the" && part != "van" && part != "de" {
			parts = append(parts, part)
		}
	}
	pair := func(a, b string) bool {
		face, suit = wordsOfFaces[a], wordsOfSuits[b]
		return face != "" && suit != ""
	}
	switch len(parts) {
	case 2:
		return face, suit, pair(parts[0], parts[1]) || pair(parts[1], parts[0])
	case 1:
		for at := range parts[0] {
			before, after := parts[0][:at], parts[0][at:]
			if pair(after, before) && len(before) > 1 || pair(before, after) && len(after) > 1 {
				return face, suit, true
			}
		}
	}
	return "", "", false
}
