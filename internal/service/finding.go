package service

import (
	"fmt"
	"regexp"
	"slices"
	"sort"
	"strconv"
	"strings"

	"github.com/getkin/kin-openapi/openapi3"

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
	Path   []string         // of the value
	Value  any              // the text, Numeral or truth value; of a list how many items it has
	Schema *openapi3.Schema // the type of the value
	Field  string           // the keyword of the schema that the value does not meet

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
	switch f.Field {
	case "properties":
		fields := Fields(f.Schema)
		return violation.New(violation.UnknownField, "is not a field here%s; the fields are %s",
			meant(f.Unknown, fields), strings.Join(fields, ", ")).
			Of(f.Unknown).OneOf(fields...)
	case "required":
		return missing(f.Schema)
	case "nullable":
		return violation.New(violation.WrongType, "must not be null: expected %s", typeName(f.Schema)).OneOf(f.Schema.Type.Slice()...)
	case "type":
		what := ""
		if f.Schema.Pattern != "" {
			what = name(f.Schema)
		}
		return f.explained(violation.WrongType, "must be "+typeName(f.Schema), what).OneOf(f.Schema.Type.Slice()...)
	case "pattern":
		return f.explained(violation.WrongForm, "does not have the expected form", sentence(f.Schema))
	case "enum":
		if text, ok := f.Value.(string); ok {
			return violation.Word(text, wordList(f.Schema.Enum)...)
		}
		return violation.New(violation.NotOneOf, "%v is not one of %s", f.Value, words(f.Schema.Enum)).
			Of(f.Value).OneOf(wordList(f.Schema.Enum)...)
	case "minimum", "maximum", "multipleOf":
		v := f.explained(codesOf[f.Field], fmt.Sprintf("is %v, expected %s", f.Value, bounds(f.Schema)), withoutNumbers(name(f.Schema)))
		v.Expected = violation.Expected{Least: f.Schema.Min, Most: f.Schema.Max, MultipleOf: f.Schema.MultipleOf}
		return v
	case "minItems", "maxItems":
		code, items := codesOf[f.Field], "items"
		if ofCards(f.Schema) {
			code, items = violation.WrongCount, "cards"
		}
		if f.Value == 1 {
			items = strings.TrimSuffix(items, "s")
		}
		least, most := lengths(f.Schema)
		v := f.explained(code, fmt.Sprintf("has %d %s, expected %s", f.Value, items, between(least, most)), "")
		v.Expected.Least, v.Expected.Most = float(least), float(most)
		return v
	case "maxLength":
		v := f.explained(violation.TooLong, fmt.Sprintf("is longer than %d characters", *f.Schema.MaxLength), "")
		v.Expected.Most = float(*f.Schema.MaxLength)
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

// missing is the violation of a value that is missing: it says what the schema expects there.
func missing(schema *openapi3.Schema) Violation {
	if len(schema.Enum) == 0 {
		return violation.New(violation.Missing, "is missing")
	}
	return violation.New(violation.Missing, "is missing: expected one of %s", words(schema.Enum)).OneOf(wordList(schema.Enum)...)
}

// meant asks whether the nearest one of some words was meant, and is empty if none is near.
func meant(text string, words []string) string {
	if near := violation.Nearest(text, words); near != "" {
		return ": did you mean " + near + "?"
	}
	return ""
}

func float(n uint64) *float64 {
	x := float64(n)
	return &x
}

// name returns what a schema is for in a few words: its description up to the first point, comma, colon, semicolon or bracket.
func name(schema *openapi3.Schema) string { return upTo(schema.Description, ".,:;(") }

// sentence returns the first sentence of the description of a schema, without its point.
func sentence(schema *openapi3.Schema) string { return upTo(schema.Description, ".") }

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

// Fields returns the names of the fields of an object, sorted.
func Fields(schema *openapi3.Schema) []string {
	names := make([]string, 0, len(schema.Properties))
	for name := range schema.Properties {
		names = append(names, name)
	}
	sort.Strings(names)
	return names
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

// bounds says which numbers a schema accepts.
func bounds(schema *openapi3.Schema) string {
	least, most := schema.Min, schema.Max
	text := ""
	switch {
	case least != nil && most != nil:
		text = number(*least) + " to " + number(*most)
	case least != nil:
		text = "at least " + number(*least)
	case most != nil:
		text = "at most " + number(*most)
	}
	if schema.MultipleOf == nil {
		return text
	}
	return strings.TrimSuffix("a multiple of "+number(*schema.MultipleOf)+", "+text, ", ")
}

// numerals are words and digits by which a name could contradict the numbers that are expected.
var numerals = regexp.MustCompile(`(?i)[0-9]|\b(one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|sixteen)\b`)

// withoutNumbers returns what a field is for, and nothing if that has a number in it: another one than is expected would be confusing.
func withoutNumbers(what string) string {
	if numerals.MatchString(what) {
		return ""
	}
	return what
}

// ofCards reports whether a schema is of a list of cards.
func ofCards(schema *openapi3.Schema) bool {
	if schema.Items == nil {
		return false
	}
	form, ok := schema.Items.Value.Extensions["x-canonical"].(string)
	return ok && strings.HasSuffix(form, "Card")
}

// lengths returns how many items a list must have. The contract leaves the number of cards of some hands to the game, which finds more
// that is wrong with a hand. It then has the number as x-cards.
func lengths(schema *openapi3.Schema) (least, most uint64) {
	if n, ok := schema.Extensions["x-cards"].(float64); ok {
		return uint64(n), uint64(n)
	}
	return schema.MinItems, *schema.MaxItems
}

// between says how many items are expected.
func between(least, most uint64) string {
	switch most {
	case least:
		return strconv.FormatUint(most, 10)
	case least + 1:
		return fmt.Sprintf("%d or %d", least, most)
	}
	if least == 0 {
		return fmt.Sprintf("at most %d", most)
	}
	return fmt.Sprintf("%d to %d", least, most)
}

// words lists the values of an enum.
func words(enum []any) string { return strings.Join(wordList(enum), ", ") }

func wordList(enum []any) []string {
	list := make([]string, len(enum))
	for i, word := range enum {
		list[i] = fmt.Sprint(word)
	}
	return list
}

func typeName(schema *openapi3.Schema) string {
	name := strings.Join(schema.Type.Slice(), " or ")
	if strings.ContainsAny(name[:min(1, len(name))], "aeiou") {
		return "an " + name
	}
	return "a " + name
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
