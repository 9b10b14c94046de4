package service

import (
	"slices"
	"strings"
	"unicode/utf8"
)

// The checks of generated bodies: see api/gen.

// Short reports whether a text has at most the given number of characters.
func Short(text string, most int) bool {
	return len(text) <= most || utf8.RuneCountInString(text) <= most
}

// Decimal reports whether a text is a number as the contract writes seeds and the indices of deals: 1 to 20 digits.
func Decimal(text string) bool {
	return text != "" && len(text) <= 20 && strings.Trim(text, "0123456789") == ""
}

// Distinct reports whether no two items of a short list are equal.
func Distinct[T comparable](list []T) bool {
	for i, item := range list {
		if slices.Contains(list[:i], item) {
			return false
		}
	}
	return true
}
