package service

import (
	"errors"
	"io/fs"
	"os"
	"regexp"
	"slices"
	"strings"
	"testing"
)

// The page of errors explains each code of the contract, in the order of the contract, with sentences in two languages from the same parts.
func TestEachCodeIsExplained(t *testing.T) {
	var codes []string
	parts := regexp.MustCompile(`\{[a-z_]+\}`)
	known := []string{"{pointer}", "{value}", "{one_of}", "{least}", "{most}", "{multiple_of}"}
	for _, one := range Codes() {
		codes = append(codes, string(one.Code))
		english, dutch := parts.FindAllString(one.English, -1), parts.FindAllString(one.Dutch, -1)
		if one.Help == "" || one.English == "" || one.Dutch == "" || !slices.Equal(english, dutch) {
			t.Errorf("%s: %q and %q", one.Code, one.English, one.Dutch)
		}
		for _, part := range english {
			if !slices.Contains(known, part) {
				t.Errorf("%s: an error has no %s", one.Code, part)
			}
		}
		for _, sentence := range []string{one.English, one.Dutch} {
			if strings.Count(sentence, "[") != strings.Count(sentence, "]") || strings.Count(sentence, "“") != strings.Count(sentence, "”") {
				t.Errorf("%s: %q", one.Code, sentence)
			}
		}
	}
	if want := enumeration(t, "ErrorCode"); !slices.Equal(codes, want) {
		t.Errorf("%q are explained, the contract has %q", codes, want)
	}
}

// What the board says of a card is what the page of errors says of its code.
func TestSentencesHaveTheWordsOfTheBoard(t *testing.T) {
	for code, where := range map[string][2]string{
		"not_a_card": {"shared", "noCard"}, "must_follow_suit": {"shared", "follow"}, "must_ruff": {"shared", "ruff"},
		"must_overtrump": {"shared", "overtrump"}, "must_not_under_ruff": {"klaverjas", "underruff"}, "must_beat": {"tarok", "why_head"},
		"card_twice": {"shared", "enterSame"}, "not_on_turn": {"shared", "turnHere"},
	} {
		i := slices.IndexFunc(Codes(), func(one CodeInfo) bool { return string(one.Code) == code })
		for language, sentence := range map[string]string{"en": Codes()[i].English, "nl": Codes()[i].Dutch} {
			if language == "en" && code == "not_on_turn" {
				continue // the board says "to play", which is of cards alone
			}
			var text []byte
			for _, file := range []string{"words-", "laterwords-"} {
				part, err := os.ReadFile("../web/board/src/" + where[0] + "/" + file + language + ".ts")
				if err != nil && !errors.Is(err, fs.ErrNotExist) {
					t.Fatal(err)
				}
				text = append(text, part...)
			}
			found := regexp.MustCompile(`(?m)^  ` + where[1] + `:\s*'(.*)'`).FindSubmatch(text)
			if found == nil {
				t.Fatalf("%s has no text %s in %s", where[0], where[1], language)
			}
			// The first sentence, with the name of a part as the errors have it.
			said, _, _ := strings.Cut(string(found[1]), ". ")
			said = strings.TrimSuffix(strings.NewReplacer("{text}", "{value}", "{card}", "{value}").Replace(said), ".")
			if !strings.Contains(strings.NewReplacer("[", "", "]", "").Replace(sentence), said) { // brackets hold what may be left out
				t.Errorf("%s: %q, but the board says %q", code, sentence, said)
			}
		}
	}
}
