package servicetest

import (
	"bytes"
	"encoding/json"
	"errors"
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/getkin/kin-openapi/openapi3"
	"github.com/go-json-experiment/json/jsontext"

	"roem/internal/service"
)

// ParseTree reads one JSON value as a tree, with the errors of the service. A number is a float64, or a
// json.Number if that could be rounded.
func ParseTree(body []byte) (any, error) {
	if len(bytes.TrimSpace(body)) == 0 {
		return nil, service.Empty()
	}
	dec := jsontext.NewDecoder(bytes.NewBuffer(body)) // the whole body, or an error can quote half a character
	tree, err := parseValue(dec)
	if err == nil {
		err = service.AtEnd(dec)
	}
	return tree, err
}

func parseValue(dec *jsontext.Decoder) (any, error) {
	token, err := dec.ReadToken()
	if err != nil {
		return nil, service.NotJSON(err)
	}
	if dec.StackDepth() > service.MaxDepth {
		return nil, service.TooDeep()
	}
	switch token.Kind() {
	case '{':
		object := map[string]any{}
		for dec.PeekKind() != '}' {
			name, err := dec.ReadToken()
			if err != nil {
				return nil, service.NotJSON(err)
			}
			key := name.String()
			if object[key], err = parseValue(dec); err != nil {
				return nil, err
			}
		}
		_, err = dec.ReadToken()
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
		_, err = dec.ReadToken()
		return array, err
	case '"':
		return token.String(), nil
	case '0':
		n := service.Numeral(token.String())
		if !n.Exact() {
			return json.Number(n), nil
		}
		x, _ := n.Float()
		return x, nil
	case 't', 'f':
		return token.Bool(), nil
	default:
		return nil, nil
	}
}

// Check compares a tree with a schema of the contract by the validator of kin-openapi, which the service itself does not use: it is the
// reference for the service's own walks. The error has all violations, but of a list that is too long only that.
func Check(tree any, schema *openapi3.Schema) error {
	err := schema.VisitJSON(withoutNulls(tree, schema), openapi3.MultiErrors())
	if err == nil {
		return nil
	}
	var found []*service.Finding
	var long []string
	for _, one := range schemaErrors(err) {
		if one.SchemaField == "pattern" && parsed(one.Schema) {
			continue // the parser of the game checks it
		}
		f := newFinding(one)
		if n, ok := at(tree, f.Path).(json.Number); ok {
			f.Value = service.Numeral(n)
		}
		found = append(found, f)
		if f.Field == "maxItems" {
			long = append(long, strings.Join(f.Path, "\x00")+"\x00")
		}
	}
	kept := found[:0]
	for _, f := range found {
		below := false
		for _, list := range long {
			below = below || strings.HasPrefix(strings.Join(f.Path, "\x00"), list)
		}
		if !below {
			kept = append(kept, f)
		}
	}
	if len(kept) == 0 {
		return nil
	}
	return service.Refusal(kept, false)
}

// Rounded returns a tree in which each number is a float64.
func Rounded(tree any) any {
	switch tree := tree.(type) {
	case map[string]any:
		out := map[string]any{}
		for name, value := range tree {
			out[name] = Rounded(value)
		}
		return out
	case []any:
		out := make([]any, len(tree))
		for i, value := range tree {
			out[i] = Rounded(value)
		}
		return out
	case json.Number:
		x, _ := service.Numeral(tree).Float()
		return x
	default:
		return tree
	}
}

// withoutNulls returns a tree without the optional fields of objects that are null: they are as if they were absent.
func withoutNulls(tree any, schema *openapi3.Schema) any {
	for len(schema.AllOf) == 1 {
		schema = schema.AllOf[0].Value
	}
	switch tree := tree.(type) {
	case map[string]any:
		out := map[string]any{}
		for name, value := range tree {
			property := schema.Properties[name]
			switch {
			case property == nil:
				out[name] = value
			case value != nil || slices.Contains(schema.Required, name):
				out[name] = withoutNulls(value, property.Value)
			}
		}
		return out
	case []any:
		if schema.Items == nil {
			return tree
		}
		out := make([]any, len(tree))
		for i, value := range tree {
			out[i] = withoutNulls(value, schema.Items.Value)
		}
		return out
	default:
		return tree
	}
}

// at returns the value at a path in a tree, and nil for one that is not there.
func at(tree any, path []string) any {
	for _, part := range path {
		switch inner := tree.(type) {
		case map[string]any:
			tree = inner[part]
		case []any:
			i, err := strconv.Atoi(part)
			if err != nil || i < 0 || i >= len(inner) {
				return nil
			}
			tree = inner[i]
		default:
			return nil
		}
	}
	return tree
}

// schemaErrors returns the errors of the validator as one list. The validator nests errors in lists, and the errors of an allOf as the
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

// fieldOf returns the schema of a field of an object.
func fieldOf(object *openapi3.Schema, name string) *openapi3.Schema {
	schema := object.Properties[name].Value
	for len(schema.AllOf) == 1 {
		schema = schema.AllOf[0].Value
	}
	return schema
}

func newFinding(e *openapi3.SchemaError) *service.Finding {
	f := &service.Finding{Path: e.JSONPointer(), Value: e.Value, Field: e.SchemaField}
	schema := e.Schema
	if list, ok := e.Value.([]any); ok {
		f.Value = nil
		if strings.HasSuffix(f.Field, "Items") {
			f.Value = len(list)
		}
	}
	if x, ok := e.Value.(float64); ok {
		f.Value = service.Numeral(strconv.FormatFloat(x, 'g', -1, 64))
	}
	switch f.Field {
	case "type": // the validator has no float64 for the number
		if n, ok := e.Value.(json.Number); ok && e.Schema.Max != nil {
			if f.Field = "maximum"; n[0] == '-' {
				f.Field = "minimum"
			}
		}
	case "required":
		schema, f.Value = fieldOf(e.Schema, f.Path[len(f.Path)-1]), nil
	case "enum": // the validator checks it before the type
		switch value := e.Value.(type) {
		case string:
			if !e.Schema.Type.Is(openapi3.TypeString) {
				f.Field = "type"
			}
		case float64:
			if e.Schema.Type.Is(openapi3.TypeString) || e.Schema.Type.Is(openapi3.TypeInteger) && value != math.Trunc(value) {
				f.Field = "type"
			}
		case json.Number:
			if e.Schema.Type.Is(openapi3.TypeString) {
				f.Field = "type"
			}
		case nil:
			f.Field = "nullable"
		default:
			f.Field = "type"
		}
	case "properties":
		// The validator names the unknown field only in its message.
		f.Unknown = strings.TrimSuffix(strings.TrimPrefix(e.Reason, "property "), " is unsupported")
		if plain, err := strconv.Unquote(f.Unknown); err == nil {
			f.Unknown = plain
		}
	}
	f.Shape = ShapeOf(schema)
	return f
}
