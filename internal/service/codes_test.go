package service

import (
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
	if want := component(t, "ErrorCode").Enum; !slices.Equal(codes, want) {
		t.Errorf("%q are explained, the contract has %q", codes, want)
	}
}
