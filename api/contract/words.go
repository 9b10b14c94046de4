package contract

import (
	"regexp"
	"strings"
)

// What returns what a schema is for in a few words: its description up to the first point, comma, colon, semicolon or bracket.
func (s *Schema) What() string { return upTo(s.Description, ".,:;(") }

// Sentence returns the first sentence of the description of a schema, without its point.
func (s *Schema) Sentence() string { return upTo(s.Description, ".") }

// upTo returns a text up to the first of some marks that ends a word or begins a bracket. It begins in lower case, because it continues a
// sentence.
func upTo(text, marks string) string {
	for i, r := range text {
		if strings.ContainsRune(marks, r) && (r == '(' || strings.HasPrefix(text[i+1:]+" ", " ")) {
			text = text[:i]
			break
		}
	}
	if len(text) > 1 && (text[1] == ' ' || 'a' <= text[1] && text[1] <= 'z') {
		text = strings.ToLower(text[:1]) + text[1:]
	}
	return strings.Join(strings.Fields(text), " ")
}

// numerals are words and digits by which a name could contradict the numbers that are expected.
var numerals = regexp.MustCompile(`(?i)[0-9]|\b(one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|sixteen)\b`)

// WhatNumber is What for a number: it is empty for a name with a number in it, which could be another one than is expected.
func (s *Schema) WhatNumber() string {
	if what := s.What(); !numerals.MatchString(what) {
		return what
	}
	return ""
}
