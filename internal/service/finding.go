package service

import (
	"fmt"
	"slices"
	"sort"
	"strconv"
	"strings"

	"github.com/getkin/kin-openapi/openapi3"
)

// Refusal is the error for a body that differs from its schema in these findings, which are not empty. It is Malformed, or Impossible if
// all findings are about the domain. more says that there may be others.
func (s *Schemas) Refusal(found []*Finding, more bool) *Error {
	var bad, aboutDomain []Violation
	for _, f := range found {
		f.Detail = f.text()
		if s.domain != nil && s.domain(f) {
			aboutDomain = append(aboutDomain, f.violation())
		} else {
			bad = append(bad, f.violation())
		}
	}
	if len(bad) > 0 {
		return refusal(Malformed, onePerPlace(append(bad, aboutDomain...)), more)
	}
	return refusal(Impossible, onePerPlace(aboutDomain), more)
}

// onePerPlace keeps the first violation of each pointer and puts them in the order of the pointers.
func onePerPlace(vs []Violation) []Violation {
	slices.SortStableFunc(vs, func(a, b Violation) int { return strings.Compare(a.Pointer, b.Pointer) })
	return slices.CompactFunc(vs, func(a, b Violation) bool { return a.Pointer == b.Pointer })
}

// Finding is one violation of a schema.
type Finding struct {
	Path   []string         // of the value
	Value  any              // where the detail needs it: the string or number, and of a list how many items it has
	Schema *openapi3.Schema // that of the value
	Field  string           // the keyword of the schema that the value does not meet
	Detail string           // the detail of the violation

	Unknown string // the unknown name, where the keyword is properties
	Reason  string // the detail of the keywords that no request of the contract needs explained
}

// text returns a sentence on what is wrong and what was expected.
func (f *Finding) text() string {
	switch f.Field {
	case "properties":
		return "is no field here; the fields are " + strings.Join(Fields(f.Schema), ", ")
	case "required":
		return "is missing"
	case "nullable":
		return "must not be null: leave it out or give it a value"
	case "type":
		if f.Schema.Pattern != "" {
			return explained("must be "+typeName(f.Schema), f.Schema)
		}
		return "must be " + typeName(f.Schema)
	case "pattern":
		return explained("does not have the expected form", f.Schema)
	case "enum":
		if text, ok := f.Value.(string); ok {
			return fmt.Sprintf("%.40q is not one of %s", text, words(f.Schema.Enum))
		}
		return fmt.Sprintf("%s is not one of %s", number(f.Value), words(f.Schema.Enum))
	case "minimum", "maximum", "multipleOf":
		return explained(fmt.Sprintf("is %s, expected %s", number(f.Value), bounds(f.Schema)), f.Schema)
	case "minItems", "maxItems":
		return explained(fmt.Sprintf("has %d items, expected %s", f.Value, lengths(f.Schema)), f.Schema)
	default: // maxLength, uniqueItems
		return f.Reason
	}
}

func (f *Finding) violation() Violation {
	path := f.Path
	if f.Field == "properties" {
		path = append(slices.Clone(path), f.Unknown)
	}
	return Violation{Pointer: pointer(path), Detail: f.Detail}
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

// explained adds the description of a schema, if it has one, as the end of a longer sentence.
func explained(text string, schema *openapi3.Schema) string {
	if schema.Description == "" {
		return text
	}
	return text + ": " + strings.TrimSuffix(schema.Description, ".")
}

// longestNumber is how long a number may be to be written without an exponent.
const longestNumber = 20

// number writes a number of a request without an exponent, unless that is very long.
func number(value any) string {
	x, ok := value.(float64)
	if !ok {
		return fmt.Sprint(value)
	}
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

// lengths says how many items a list may have.
func lengths(schema *openapi3.Schema) string {
	switch most := schema.MaxItems; {
	case most == nil:
		return fmt.Sprintf("at least %d", schema.MinItems)
	case *most == schema.MinItems:
		return strconv.FormatUint(*most, 10)
	default:
		return fmt.Sprintf("%d to %d", schema.MinItems, *most)
	}
}

// words lists the values of an enum.
func words(enum []any) string {
	list := make([]string, len(enum))
	for i, word := range enum {
		list[i] = fmt.Sprint(word)
	}
	return strings.Join(list, ", ")
}

func typeName(schema *openapi3.Schema) string {
	name := strings.Join(schema.Type.Slice(), " or ")
	if strings.ContainsAny(name[:min(1, len(name))], "aeiou") {
		return "an " + name
	}
	return "a " + name
}

// escapes are those of an RFC 6901 JSON pointer.
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
