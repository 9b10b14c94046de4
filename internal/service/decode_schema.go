package service

import (
	"errors"
	"fmt"
	"slices"
	"sort"
	"strconv"
	"strings"

	"github.com/getkin/kin-openapi/openapi3"
)

// Check compares the tree with the schema. Its error has all violations, in the order of their pointers. It is Malformed, or
// Impossible if all violations are about the domain.
func (s *Schemas) Check(tree any, schema *openapi3.Schema) error {
	err := schema.VisitJSON(tree, openapi3.MultiErrors())
	if err == nil {
		return nil
	}
	var bad, aboutDomain []Violation
	for _, found := range schemaErrors(err) {
		f := newFinding(found)
		f.Detail = f.text()
		if s.domain != nil && s.domain(f) {
			aboutDomain = append(aboutDomain, f.violation())
		} else {
			bad = append(bad, f.violation())
		}
	}
	if len(bad) > 0 {
		return NewMalformed(onePerPlace(append(bad, aboutDomain...))...)
	}
	return NewImpossible(onePerPlace(aboutDomain)...)
}

// onePerPlace keeps the first violation of each pointer and puts them in the order of the pointers.
func onePerPlace(vs []Violation) []Violation {
	slices.SortStableFunc(vs, func(a, b Violation) int { return strings.Compare(a.Pointer, b.Pointer) })
	return slices.CompactFunc(vs, func(a, b Violation) bool { return a.Pointer == b.Pointer })
}

// schemaErrors returns the errors of the validator as one list. The validator nests errors in lists, and those of an allOf as the
// origin of an error.
func schemaErrors(err error) []*openapi3.SchemaError {
	switch e := err.(type) { //nolint:errorlint // errors.As would look into the lists and find only the first
	case nil:
		return nil
	case openapi3.MultiError:
		var out []*openapi3.SchemaError
		for _, one := range e {
			out = append(out, schemaErrors(one)...)
		}
		return out
	case *openapi3.SchemaError:
		if e.SchemaField == "allOf" && e.Origin != nil {
			return schemaErrors(e.Origin)
		}
		return []*openapi3.SchemaError{e}
	default:
		return schemaErrors(errors.Unwrap(err))
	}
}

// Finding is one violation of a schema.
type Finding struct {
	Path   []string         // of the value
	Value  any              // as it was read
	Schema *openapi3.Schema // that of the value
	Field  string           // the keyword of the schema that the value does not meet
	Detail string           // the detail of the violation

	unknown string // the unknown name, where the keyword is properties
	reason  string // the message of the validator
}

func newFinding(e *openapi3.SchemaError) *Finding {
	f := &Finding{Path: e.JSONPointer(), Value: e.Value, Schema: e.Schema, Field: e.SchemaField, reason: e.Reason}
	switch f.Field {
	case "enum": // the validator checks it before the type
		switch f.Value.(type) {
		case string:
		case nil:
			f.Field = "nullable"
		default:
			f.Field = "type"
		}
	case "properties":
		// The validator names the unknown field only in its message.
		f.unknown = strings.TrimSuffix(strings.TrimPrefix(e.Reason, "property "), " is unsupported")
		if plain, err := strconv.Unquote(f.unknown); err == nil {
			f.unknown = plain
		}
	}
	return f
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
		return fmt.Sprintf("%.40q is not one of %s", f.Value, words(f.Schema.Enum))
	case "minimum", "maximum", "multipleOf":
		return explained(fmt.Sprintf("is %s, expected %s", number(f.Value), bounds(f.Schema)), f.Schema)
	case "minItems", "maxItems":
		list, _ := f.Value.([]any)
		return explained(fmt.Sprintf("has %d items, expected %s", len(list), lengths(f.Schema)), f.Schema)
	default: // maxLength
		return f.reason
	}
}

func (f *Finding) violation() Violation {
	path := f.Path
	if f.Field == "properties" {
		path = append(slices.Clone(path), f.unknown)
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

// pointer writes an RFC 6901 JSON pointer.
func pointer(path []string) string {
	var b strings.Builder
	for _, part := range path {
		b.WriteByte('/')
		b.WriteString(strings.NewReplacer("~", "~0", "/", "~1").Replace(part))
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
