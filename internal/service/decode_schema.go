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

// check compares the tree with the schema. Everything that is wrong is reported at once, in the order of the pointers.
// What is about the domain is impossible; everything else is malformed and goes first.
func (s *requestSchemas) check(tree any, schema *openapi3.Schema) error {
	err := schema.VisitJSON(tree, openapi3.MultiErrors())
	if err == nil {
		return nil
	}
	var bad, aboutDomain []Violation
	for _, found := range schemaErrors(err) {
		f := newFinding(found)
		f.detail = f.text()
		if s.domain != nil && s.domain(f) {
			aboutDomain = append(aboutDomain, f.violation())
		} else {
			bad = append(bad, f.violation())
		}
	}
	if len(bad) > 0 {
		return malformed(onePerPlace(append(bad, aboutDomain...))...)
	}
	return impossible(onePerPlace(aboutDomain)...)
}

// onePerPlace keeps the first violation of each pointer and puts them in the order of the pointers.
func onePerPlace(vs []Violation) []Violation {
	slices.SortStableFunc(vs, func(a, b Violation) int { return strings.Compare(a.Pointer, b.Pointer) })
	return slices.CompactFunc(vs, func(a, b Violation) bool { return a.Pointer == b.Pointer })
}

// schemaErrors flattens what the validator found: it nests errors in lists, and those of an allOf as their origin.
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

// finding is one thing that a schema does not allow.
type finding struct {
	path    []string         // of the value
	value   any              // as parse read it
	schema  *openapi3.Schema // that of the value
	field   string           // the keyword of the schema that the value does not meet
	unknown string           // the unknown name, where the keyword is properties
	detail  string           // the violation's
	reason  string           // the validator's own words
}

func newFinding(e *openapi3.SchemaError) *finding {
	f := &finding{path: e.JSONPointer(), value: e.Value, schema: e.Schema, field: e.SchemaField, reason: e.Reason}
	switch f.field {
	case "enum": // the validator looks at it before the type
		switch f.value.(type) {
		case string:
		case nil:
			f.field = "nullable"
		default:
			f.field = "type"
		}
	case "properties":
		// The validator names the unknown field in its text alone.
		f.unknown = strings.TrimSuffix(strings.TrimPrefix(e.Reason, "property "), " is unsupported")
		if plain, err := strconv.Unquote(f.unknown); err == nil {
			f.unknown = plain
		}
	}
	return f
}

// text says what is wrong and what was expected.
func (f *finding) text() string {
	switch f.field {
	case "properties":
		return "is no field here; the fields are " + strings.Join(fields(f.schema), ", ")
	case "required":
		return "is missing"
	case "nullable":
		return "must not be null: leave it out or give it a value"
	case "type":
		if f.schema.Pattern != "" {
			return fmt.Sprintf("must be %s: %s", typeName(f.schema), sentence(f.schema))
		}
		return "must be " + typeName(f.schema)
	case "pattern":
		return "is not what it should be: " + sentence(f.schema)
	case "enum":
		return fmt.Sprintf("%.40q is not one of %s", f.value, words(f.schema.Enum))
	case "minimum", "maximum", "multipleOf":
		return fmt.Sprintf("is %v: %s", f.value, sentence(f.schema))
	case "minItems", "maxItems":
		list, _ := f.value.([]any)
		return fmt.Sprintf("has %d: %s", len(list), sentence(f.schema))
	default: // maxLength
		return f.reason
	}
}

func (f *finding) violation() Violation {
	path := f.path
	if f.field == "properties" {
		path = append(slices.Clone(path), f.unknown)
	}
	return Violation{Pointer: pointer(path), Detail: f.detail}
}

func fields(schema *openapi3.Schema) []string {
	names := make([]string, 0, len(schema.Properties))
	for name := range schema.Properties {
		names = append(names, name)
	}
	sort.Strings(names)
	return names
}

// sentence is the description of a schema as the end of a longer sentence.
func sentence(schema *openapi3.Schema) string { return strings.TrimSuffix(schema.Description, ".") }

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
