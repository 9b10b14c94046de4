// Package violation says what is wrong with a request or with the description of a position, of any game: where, as a code and as a
// sentence, what was given, and what was expected.
package violation

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"unicode/utf8"
)

// Violation is one error. A function that reads a single value returns it without a place, and its caller adds that.
type Violation struct {
	Pointer   string // RFC 6901 JSON pointer, such as /hands/N/3; "" for the whole
	Parameter string // the parameter of the path, query or header, if it is not in the body
	NoPlace   bool   // it is about the method, the path or the whole query: it has neither pointer nor parameter
	Code      Code
	Detail    string // what is wrong and what was expected
	Value     string // what was given, at most maxValue characters of it; "" where there is nothing to repeat
	Expected  Expected
	Also      string // another pointer, with which the detail ends; "" for none
}

// Expected is what was expected instead. It is empty if that cannot be listed.
type Expected struct {
	OneOf       []string // the values that are possible: words, cards, names of fields, types
	Least, Most *float64 // the range of a number, or of a number of items
	MultipleOf  *float64
}

// Given reports whether anything is known of what was expected.
func (e Expected) Given() bool {
	return len(e.OneOf) > 0 || e.Least != nil || e.Most != nil || e.MultipleOf != nil
}

// New returns a violation without a place.
func New(code Code, format string, args ...any) Violation {
	return Violation{Code: code, Detail: fmt.Sprintf(format, args...)}
}

// Word is the violation of a text that is none of the words that are possible.
func Word[T ~string](text string, words ...T) Violation {
	list := make([]string, len(words))
	for i, word := range words {
		list[i] = string(word)
	}
	wrong := "is not one of"
	if near := Nearest(text, list); near != "" { // before the list, which may be long
		wrong = fmt.Sprintf("is not known: did you mean %s?; it must be one of", near)
	}
	return New(NotOneOf, "%.40q %s %s", text, wrong, strings.Join(list, ", ")).Of(text).OneOf(list...)
}

// ParseWord returns the value that a word stands for: its place among the words. Its error is Word.
func ParseWord[T ~uint8 | ~int](text string, words ...string) (T, error) {
	if i := slices.Index(words, text); i >= 0 {
		return T(i), nil
	}
	return 0, Word(text, words...)
}

// Number is the violation of a number outside its range.
func Number(n, least, most int) Violation {
	code := TooSmall
	if n > most {
		code = TooLarge
	}
	return New(code, "is %d, expected %d to %d", n, least, most).Of(n).Between(least, most)
}

// Beyond is the violation of a number outside the range that the rest of the request leaves it.
func Beyond(n, least, most int) Violation {
	return New(TooMuch, "is %d, expected %d to %d", n, least, most).Of(n).Between(least, most)
}

// Count is the violation of a number of cards that is not the one expected.
func Count(n, want int) Violation {
	cards := "cards"
	if n == 1 {
		cards = "card"
	}
	return New(WrongCount, "has %d %s, expected %d", n, cards, want).Of(n).Between(want, want)
}

// At returns the violation with its place.
func (v Violation) At(pointer string) Violation {
	v.Pointer = pointer
	return v
}

// In returns the violation of a parameter.
func (v Violation) In(parameter string) Violation {
	v.Parameter = parameter
	return v
}

// WithoutPlace returns the violation of the method, the path or the whole query.
func (v Violation) WithoutPlace() Violation {
	v.NoPlace = true
	return v
}

// Of returns the violation with what was given.
func (v Violation) Of(value any) Violation {
	text, ok := value.(string)
	if !ok {
		text = fmt.Sprint(value)
	}
	v.Value = cut(text)
	return v
}

// OneOf returns the violation with the values that were expected.
func (v Violation) OneOf(values ...string) Violation {
	v.Expected.OneOf = values
	return v
}

// Between returns the violation with the range that was expected.
func (v Violation) Between(least, most int) Violation {
	v.Expected.Least, v.Expected.Most = new(float64(least)), new(float64(most))
	return v
}

// AlsoAt returns the violation of a card or another thing that is also at another place: the detail ends with its pointer.
func (v Violation) AlsoAt(pointer string) Violation {
	v.Detail, v.Also = v.Detail+" "+pointer, pointer
	return v
}

// Error returns the place and the detail.
func (v Violation) Error() string {
	if where := v.Pointer + v.Parameter; where != "" {
		return where + ": " + v.Detail
	}
	return v.Detail
}

// maxValue is how many characters of a value are repeated. Longer values end with an ellipsis.
const maxValue = 64

func cut(text string) string {
	if len(text) <= maxValue {
		return text
	}
	for i, n := 0, 0; i < len(text); n++ {
		if n == maxValue {
			return text[:i] + "…"
		}
		_, size := utf8.DecodeRuneInString(text[i:])
		i += size
	}
	return text
}

// List is the error for an invalid position: all violations, in the order of the input.
type List []Violation

// Error lists the violations.
func (l List) Error() string {
	texts := make([]string, len(l))
	for i, v := range l {
		texts[i] = v.Error()
	}
	return strings.Join(texts, "; ")
}

// OrNil returns the list as an error, or nil if it is empty.
func (l List) OrNil() error {
	if len(l) == 0 {
		return nil
	}
	return l
}

// Violator is an error that can be told as a violation.
type Violator interface {
	error
	Violation() Violation
}

// Of returns the violations in an error: a List as it is, and a Violation or Violator with the pointer before its own. It returns nil for
// nil, and for any other error, which is a fault of the program.
func Of(pointer string, err error) List {
	if list, ok := errors.AsType[List](err); ok {
		return list
	}
	v, ok := errors.AsType[Violation](err)
	if !ok {
		of, some := errors.AsType[Violator](err)
		if !some {
			return nil
		}
		v = of.Violation()
	}
	v.Pointer = pointer + v.Pointer
	return List{v}
}
