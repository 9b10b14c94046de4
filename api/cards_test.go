package api_test

import (
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"roem/api/apitest"
	"roem/internal/engine/ginrummy"
	"roem/internal/engine/piquet"
	"roem/internal/engine/tarok"
)

// decks are the schemas of cards: in answers, in requests, and what the engine reads and writes.
var decks = []struct {
	answer, request string
	cards           int
	read            func(text string) (name string, err error)
}{
	{"Card", "CardInput", 32, func(text string) (string, error) {
		c, err := piquet.ParseCard(text)
		return c.String(), err
	}},
	{"GinCard", "GinCardInput", 52, func(text string) (string, error) {
		c, err := ginrummy.ParseCard(text)
		return c.String(), err
	}},
	{"TarokCard", "TarokCardInput", 54, func(text string) (string, error) {
		c, err := tarok.ParseCard(text)
		return c.String(), err
	}},
}

// A card in an answer is one of the deck. The pattern of a request accepts each way to write it that the engine accepts, in up to three
// characters and a variation selector.
func TestCards(t *testing.T) {
	t.Parallel()
	doc, err := apitest.Document()
	if err != nil {
		t.Fatal(err)
	}
	const selector = "\uFE0F"
	for _, deck := range decks {
		var want []string
		answers := doc.Components.Schemas[deck.answer].Value.Enum
		for _, one := range answers {
			text, _ := one.(string)
			want = append(want, text)
			if name, err := deck.read(text); err != nil || name != text {
				t.Errorf("%s has %s, which the engine reads as %s: %v", deck.answer, text, name, err)
			}
		}
		source := doc.Components.Schemas[deck.request].Value.Pattern
		// JSON has no names for characters in patterns; Go's regular expressions have others.
		pattern := regexp.MustCompile(regexp.MustCompile(`\\u([0-9A-F]{4})`).ReplaceAllString(source, `\x{$1}`))
		got, refused := map[string]bool{}, []string{}
		for text := range texts("0123456789ACDHJKQSTacdhjkqstBVX ♣♧♦♢♥♡♠♤") {
			for _, end := range []string{"", selector} {
				name, err := deck.read(text + end)
				if err != nil {
					continue
				}
				got[name] = true
				if !pattern.MatchString(text + end) {
					refused = append(refused, text+end)
				}
			}
		}
		if len(refused) > 0 {
			t.Errorf("%s refuses %d texts that the engine accepts, such as %+q", deck.request, len(refused), refused[0])
		}
		slices.Sort(want)
		if diff := cmp.Diff(want, sorted(got)); diff != "" || len(want) != deck.cards {
			t.Errorf("%s has %d cards (-contract +engine)\n%s", deck.answer, len(want), diff)
		}
		for _, no := range []string{"", "X", "1H", "11H", "BH", "H", "T0", "T23", "TT", "10", "7CC", " 7C", "A H"} {
			if pattern.MatchString(no) {
				t.Errorf("%s accepts %q, which is no card", deck.request, no)
			}
		}
	}
}

// texts yields the texts of one to three characters of an alphabet.
func texts(alphabet string) func(yield func(string) bool) {
	letters := strings.Split(alphabet, "")
	return func(yield func(string) bool) {
		for _, a := range letters {
			for _, b := range append([]string{""}, letters...) {
				for _, c := range append([]string{""}, letters...) {
					if !yield(a + b + c) {
						return
					}
				}
			}
		}
	}
}

func sorted(set map[string]bool) []string {
	var list []string
	for name := range set {
		list = append(list, name)
	}
	slices.Sort(list)
	return list
}
