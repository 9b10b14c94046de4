package service

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math"
	"slices"
	"sort"
	"strconv"
	"strings"
	"sync"

	"github.com/getkin/kin-openapi/openapi3"
	"github.com/go-json-experiment/json/jsontext"

	contract "roem/api"
)

// maxDepth is how deep a request may nest. The deepest that the contract describes is 3.
const maxDepth = 16

// Decoder reads requests as the contract describes them and refuses everything else. It is safe for concurrent use.
type Decoder struct {
	// schemas returns the schemas of the contract that bodies must meet, by name. The first call reads the contract, which
	// takes longer than most searches: a body that is plain does without it; see readPlain.
	schemas func() (map[string]*openapi3.Schema, error)
}

// NewDecoder returns a decoder for the embedded contract.
func NewDecoder() *Decoder { return &Decoder{schemas: sync.OnceValues(readSchemas)} }

func readSchemas() (map[string]*openapi3.Schema, error) {
	doc, err := contract.Document()
	if err != nil {
		return nil, fmt.Errorf("reading the contract: %w", err)
	}
	schemas := map[string]*openapi3.Schema{}
	for name, change := range map[string]func(*openapi3.Schema) (*openapi3.Schema, error){
		"Position": asItIs, "SolveRequest": asItIs, "TableRequest": asItIs, "HybridRequest": asItIs,
		"SolveBatchRequest": anyItems, "PredictBatchRequest": anyItems, "HybridBatchRequest": anyItems, "JobRequest": anyRequest,
	} {
		ref := doc.Components.Schemas[name]
		if ref == nil || ref.Value == nil {
			return nil, fmt.Errorf("the contract has no schema %s", name)
		}
		if schemas[name], err = change(ref.Value); err != nil {
			return nil, err
		}
	}
	return schemas, nil
}

func asItIs(schema *openapi3.Schema) (*openapi3.Schema, error) { return schema, nil }

// Decode reads a body that must meet the schema of that name.
func Decode[T any](d *Decoder, body []byte, schema string) (T, error) {
	var out T
	schemas, err := d.schemas()
	if err != nil {
		return out, err
	}
	tree, err := parse(body)
	if err != nil {
		return out, err
	}
	if err := check(tree, schemas[schema]); err != nil {
		return out, err
	}
	// The tree is written again and not the body read: it has every name once and every number plain (1e2 is 100).
	plain, err := json.Marshal(tree)
	if err != nil {
		return out, NewMalformed(Violation{Detail: "cannot be read"})
	}
	if err := json.Unmarshal(plain, &out); err != nil {
		if wrong, ok := errors.AsType[*json.UnmarshalTypeError](err); ok {
			pointer := "/" + strings.ReplaceAll(wrong.Field, ".", "/")
			return out, NewMalformed(Violation{Pointer: pointer, Detail: "cannot be a " + wrong.Value})
		}
		return out, NewMalformed(Violation{Detail: "cannot be read"})
	}
	return out, nil
}

// parse reads exactly one JSON value in UTF-8, with no name twice in an object, that nests no deeper than maxDepth.
func parse(body []byte) (any, error) {
	if len(bytes.TrimSpace(body)) == 0 {
		return nil, NewMalformed(Violation{Detail: "is empty: expected a JSON object"})
	}
	dec := jsontext.NewDecoder(bytes.NewReader(body))
	tree, err := parseValue(dec)
	if err == nil {
		if _, more := dec.ReadToken(); more == nil {
			return nil, NewMalformed(Violation{Detail: fmt.Sprintf("has more after the JSON value, at byte %d", dec.InputOffset())})
		} else if !errors.Is(more, io.EOF) {
			err = more
		}
	}
	if err == nil {
		return tree, nil
	}
	if known, ok := errors.AsType[*Error](err); ok {
		return nil, known
	}
	var syntax *jsontext.SyntacticError
	switch {
	case errors.Is(err, jsontext.ErrDuplicateName) && errors.As(err, &syntax):
		return nil, NewMalformed(Violation{Pointer: Short(string(syntax.JSONPointer)), Detail: "is given twice"})
	case errors.As(err, &syntax):
		return nil, NewMalformed(Violation{
			Pointer: Short(string(syntax.JSONPointer)),
			Detail:  fmt.Sprintf("is not JSON, at byte %d: %v", syntax.ByteOffset, syntax.Err),
		})
	case errors.Is(err, io.EOF), errors.Is(err, io.ErrUnexpectedEOF):
		return nil, NewMalformed(Violation{Detail: "is not JSON: it ends too early"})
	default:
		return nil, NewMalformed(Violation{Detail: "is not JSON"})
	}
}

func parseValue(dec *jsontext.Decoder) (any, error) {
	token, err := dec.ReadToken()
	if err != nil {
		return nil, err
	}
	if dec.StackDepth() > maxDepth {
		return nil, NewMalformed(Violation{Detail: fmt.Sprintf("nests deeper than %d", maxDepth)})
	}
	switch token.Kind() {
	case '{':
		object := map[string]any{}
		for dec.PeekKind() != '}' {
			name, err := dec.ReadToken()
			if err != nil {
				return nil, err
			}
			key := name.String()
			if object[key], err = parseValue(dec); err != nil {
				return nil, err
			}
		}
		_, err := dec.ReadToken()
		return object, err
	case '[':
		array := []any{}
		for dec.PeekKind() != ']' {
			value, err := parseValue(dec)
			if err != nil {
				return nil, err
			}
			array = append(array, value)
		}
		_, err := dec.ReadToken()
		return array, err
	case '"':
		return token.String(), nil
	case '0':
		number, err := strconv.ParseFloat(token.String(), 64)
		if err != nil || math.Abs(number) > 1<<53 {
			return nil, NewMalformed(Violation{Pointer: Short(string(dec.StackPointer())), Detail: "is a number out of range"})
		}
		return number, nil
	case 't', 'f':
		return token.Bool(), nil
	default:
		return nil, nil
	}
}

// check compares the tree with the schema. Everything that is wrong is reported at once, in the order of the pointers.
// What is wrong with the value of a rule switch, or with its name, is impossible; everything else is malformed and goes
// first.
func check(tree any, schema *openapi3.Schema) error {
	err := schema.VisitJSON(tree, openapi3.MultiErrors())
	if err == nil {
		return nil
	}
	var bad, aboutRules []Violation
	for _, f := range findings(err) {
		if v, rules := f.violation(); rules {
			aboutRules = append(aboutRules, v)
		} else {
			bad = append(bad, v)
		}
	}
	if len(bad) > 0 {
		return NewMalformed(onePerPlace(append(bad, aboutRules...))...)
	}
	return NewImpossible(onePerPlace(aboutRules)...)
}

// onePerPlace keeps the first violation of each pointer and puts them in the order of the pointers.
func onePerPlace(vs []Violation) []Violation {
	slices.SortStableFunc(vs, func(a, b Violation) int { return strings.Compare(a.Pointer, b.Pointer) })
	return slices.CompactFunc(vs, func(a, b Violation) bool { return a.Pointer == b.Pointer })
}

// finding is one thing that the schema does not allow.
type finding struct{ *openapi3.SchemaError }

// findings flattens what the validator found: it nests errors in lists, and those of an allOf as their origin.
func findings(err error) []finding {
	switch e := err.(type) { //nolint:errorlint // errors.As would look into the lists and find only the first
	case nil:
		return nil
	case openapi3.MultiError:
		var out []finding
		for _, one := range e {
			out = append(out, findings(one)...)
		}
		return out
	case *openapi3.SchemaError:
		if e.SchemaField == "allOf" && e.Origin != nil {
			return findings(e.Origin)
		}
		return []finding{{e}}
	default:
		return findings(errors.Unwrap(err))
	}
}

// field is the field of the schema that the value does not meet. The validator looks at enum before the type.
func (f finding) field() string {
	if f.SchemaField != "enum" {
		return f.SchemaField
	}
	switch f.Value.(type) {
	case string:
		return "enum"
	case nil:
		return "nullable"
	default:
		return "type"
	}
}

// violation puts the finding into words, and says whether it is about what a rule switch may be.
func (f finding) violation() (v Violation, aboutRules bool) {
	path, schema := f.JSONPointer(), f.Schema
	inRules := len(path) > 0 && path[0] == "rules"
	switch f.field() {
	case "properties":
		// The validator names the unknown field in its text alone.
		name := strings.TrimSuffix(strings.TrimPrefix(f.Reason, "property "), " is unsupported")
		if plain, err := strconv.Unquote(name); err == nil {
			name = plain
		}
		v.Detail = "is no field here; the fields are " + strings.Join(fields(schema), ", ")
		if inRules {
			v.Detail = "is no rule switch; there are " + strings.Join(fields(schema), ", ")
		}
		path, aboutRules = append(slices.Clone(path), name), inRules
	case "required":
		v.Detail = "is missing"
	case "nullable":
		v.Detail = "must not be null: leave it out or give it a value"
	case "type":
		v.Detail = fmt.Sprintf("must be %s", typeName(schema))
		if schema.Pattern != "" {
			v.Detail += ": " + sentence(schema)
		}
	case "pattern":
		v.Detail = "is not what it should be: " + sentence(schema)
	case "enum":
		v.Detail = fmt.Sprintf("%.40q is not one of %s", f.Value, words(schema.Enum))
		aboutRules = inRules
	case "minimum", "maximum", "multipleOf":
		v.Detail = fmt.Sprintf("is %v: %s", f.Value, sentence(schema))
		if aboutRules = inRules; aboutRules { // a bonus: no other number is asked for there
			v.Detail = fmt.Sprintf("is %v: expected a multiple of 10 from 0 to %v", f.Value, *schema.Max)
		}
	case "minItems", "maxItems":
		list, _ := f.Value.([]any)
		v.Detail = fmt.Sprintf("has %d: %s", len(list), sentence(schema))
	default: // maxLength
		v.Detail = f.Reason
		aboutRules = inRules
	}
	v.Pointer = pointer(path)
	return v, aboutRules
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
	return Short(b.String())
}

// maxPointer is how much of a pointer an answer repeats, in bytes: names come from the client.
const maxPointer = 200

// Short cuts what a client wrote to what an answer repeats of it.
func Short(pointer string) string {
	if len(pointer) <= maxPointer {
		return pointer
	}
	return strings.ToValidUTF8(pointer[:maxPointer], "") + "…"
}
