package service

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"roem/internal/engine/violation"
)

// Refusal is the error for a body that differs from its schema in these findings, which are not empty. more says that there may be others.
func Refusal(found []*Finding, more bool) *Error {
	vs := make([]Violation, len(found))
	for i, f := range found {
		vs[i] = f.violation()
	}
	return refusal(onePerPlace(vs), more)
}

// onePerPlace keeps the first violation of each pointer and puts them in the order of the pointers.
func onePerPlace(vs []Violation) []Violation {
	slices.SortStableFunc(vs, func(a, b Violation) int { return comparePointers(a.Pointer, b.Pointer) })
	return slices.CompactFunc(vs, func(a, b Violation) bool { return a.Pointer == b.Pointer })
}

// comparePointers compares pointers part by part: places in a list as numbers, and all else as texts.
func comparePointers(a, b string) int {
	return slices.CompareFunc(strings.Split(a, "/"), strings.Split(b, "/"), func(a, b string) int {
		if isPlace(a) && isPlace(b) && len(a) != len(b) {
			return len(a) - len(b)
		}
		return strings.Compare(a, b)
	})
}

// isPlace reports whether a part of a pointer can be a place in a list.
func isPlace(part string) bool {
	return part == "0" || part != "" && part[0] != '0' && strings.Trim(part, "0123456789") == ""
}

// Finding is one violation of a schema.
type Finding struct {
	Path  []string // of the value
	Value any      // the text, Numeral or truth value; of a list how many items it has
	Shape *Shape   // of the value
	Field string   // the keyword of the schema that the value does not meet

	Unknown string // the unknown name, where the keyword is properties
}

func (f *Finding) violation() Violation {
	path := f.Path
	if f.Field == "properties" {
		path = append(slices.Clone(path), f.Unknown)
	}
	return f.said().At(pointer(path))
}

// said returns what is wrong and what was expected.
func (f *Finding) said() Violation {
	s := f.Shape
	switch f.Field {
	case "properties":
		fields := s.FieldNames()
		return violation.New(violation.UnknownField, "is not a field here%s; the fields are %s",
			meant(f.Unknown, fields), strings.Join(fields, ", ")).
			Of(f.Unknown).OneOf(fields...)
	case "required":
		return missing(s)
	case "nullable":
		return violation.New(violation.WrongType, "must not be null: expected %s", s.typeName()).OneOf(s.Type)
	case "type":
		what := ""
		if s.Type == "string" {
			what = s.What
		}
		return f.explained(violation.WrongType, "must be "+s.typeName(), what).OneOf(s.Type)
	case "pattern":
		return f.explained(violation.WrongForm, "does not have the expected form", s.Form)
	case "enum":
		if text, ok := f.Value.(string); ok {
			return violation.Word(text, s.Enum...)
		}
		return violation.New(violation.NotOneOf, "%v is not one of %s", f.Value, strings.Join(s.Enum, ", ")).Of(f.Value).OneOf(s.Enum...)
	case "minimum", "maximum", "multipleOf":
		v := f.explained(codesOf[f.Field], fmt.Sprintf("is %v, expected %s", f.Value, s.bounds()), s.What)
		v.Expected.Least, v.Expected.Most = &s.Least, &s.Most
		if s.Multiple != 0 {
			v.Expected.MultipleOf = &s.Multiple
		}
		return v
	case "minItems", "maxItems":
		code, items := codesOf[f.Field], "items"
		if s.Cards {
			code, items = violation.WrongCount, "cards"
		}
		if f.Value == 1 {
			items = strings.TrimSuffix(items, "s")
		}
		least, most := s.lengths()
		v := f.explained(code, fmt.Sprintf("has %d %s, expected %s", f.Value, items, between(least, most)), "")
		v.Expected.Least, v.Expected.Most = new(float64(least)), new(float64(most))
		return v
	case "maxLength":
		v := f.explained(violation.TooLong, fmt.Sprintf("is longer than %d characters", s.MaxLength), "")
		v.Expected.Most = new(float64(s.MaxLength))
		return v
	default: // uniqueItems
		return violation.New(violation.ListedTwice, "has an item twice")
	}
}

// codesOf are the codes of the keywords of schemas that are about numbers.
var codesOf = map[string]violation.Code{
	"minimum": violation.TooSmall, "maximum": violation.TooLarge, "multipleOf": violation.NotAMultiple,
	"minItems": violation.TooFew, "maxItems": violation.TooMany,
}

// missing is the violation of a value that is missing: it says what is expected there.
func missing(s *Shape) Violation {
	if len(s.Enum) == 0 {
		return violation.New(violation.Missing, "is missing")
	}
	return violation.New(violation.Missing, "is missing: expected one of %s", strings.Join(s.Enum, ", ")).OneOf(s.Enum...)
}

// meant asks whether the nearest one of some words was meant, and is empty if none is near.
func meant(text string, words []string) string {
	if near := violation.Nearest(text, words); near != "" {
		return ": did you mean " + near + "?"
	}
	return ""
}

// explained returns a violation with the value and, as the end of the sentence, what the field is; empty to leave that out.
func (f *Finding) explained(code violation.Code, detail, what string) Violation {
	if what != "" {
		detail += ": " + what
	}
	v := Violation{Code: code, Detail: detail}
	switch value := f.Value.(type) {
	case string:
		return v.Of(value)
	case Numeral, int, bool:
		return v.Of(value)
	default:
		return v
	}
}

// longestNumber is how long a number may be to be written without an exponent.
const longestNumber = 20

// number writes a number without an exponent, unless that is very long.
func number(x float64) string {
	if text := strconv.FormatFloat(x, 'f', -1, 64); len(text) <= longestNumber {
		return text
	}
	return strconv.FormatFloat(x, 'g', -1, 64)
}

// bounds says which numbers are accepted.
func (s *Shape) bounds() string {
	text := number(s.Least) + " to " + number(s.Most)
	if s.Multiple != 0 {
		text = "a multiple of " + number(s.Multiple) + ", " + text
	}
	return text
}

// lengths returns how many items a list must have. The contract leaves the number of cards of some hands to the game, which finds more
// that is wrong with a hand.
func (s *Shape) lengths() (least, most int) {
	if s.Count > 0 {
		return s.Count, s.Count
	}
	return s.MinItems, s.MaxItems
}

// between says how many items are expected.
func between(least, most int) string {
	switch most {
	case least:
		return strconv.Itoa(most)
	case least + 1:
		return fmt.Sprintf("%d or %d", least, most)
	}
	if least == 0 {
		return fmt.Sprintf("at most %d", most)
	}
	return fmt.Sprintf("%d to %d", least, most)
}

// escapes are the escapes of an RFC 6901 JSON pointer.
var escapes = strings.NewReplacer("~", "~0", "/", "~1")

// pointer writes an RFC 6901 JSON pointer.
func pointer(path []string) string {
	var b strings.Builder
	for _, part := range path {
		b.WriteByte('/')
		b.WriteString(escapes.Replace(part))
	}
	return short(b.String())
}

// maxPointer is how much of a pointer an answer repeats, in bytes: names come from the client.
const maxPointer = 200

func short(pointer string) string {
	if len(pointer) <= maxPointer {
		return pointer
	}
	return strings.ToValidUTF8(pointer[:maxPointer], "") + "…"
}
