package service

import (
	"errors"
	"fmt"
	"regexp"
	"slices"

	"github.com/getkin/kin-openapi/openapi3"
)

// shape is a schema of the contract, prepared for walks through bodies.
type shape struct {
	schema  *openapi3.Schema
	kinds   string // the kinds of JSON tokens with which a value may begin, as jsontext names them
	null    bool
	whole   bool // a number must be an integer
	fields  map[string]*shape
	words   map[string]string // the names of fields by other words for them, in lower case; nil for none
	closed  bool              // an object has no fields but these
	items   *shape
	most    int // the maximum number of items; -1 for any
	pattern *regexp.Regexp
}

// kindsOf are the kinds of JSON tokens with which a value of a type may begin.
var kindsOf = map[string]string{
	openapi3.TypeObject: "{", openapi3.TypeArray: "[", openapi3.TypeString: `"`, openapi3.TypeNumber: "0", openapi3.TypeInteger: "0",
	openapi3.TypeBoolean: "tf",
}

// newShape prepares a schema. Its error names a keyword that walks do not know, so that none is ignored.
func newShape(schema *openapi3.Schema) (*shape, error) {
	if err := onlyKnown(schema); err != nil {
		return nil, err
	}
	if len(schema.AllOf) == 1 { // the contract writes a reference with a description of its own in this way
		return newShape(schema.AllOf[0].Value)
	}
	s := &shape{schema: schema, null: schema.Nullable, most: -1}
	for _, name := range schema.Type.Slice() {
		s.kinds += kindsOf[name]
	}
	s.whole = schema.Type.Is(openapi3.TypeInteger)
	if may := schema.AdditionalProperties.Has; may != nil {
		s.closed = !*may
	}
	if schema.MaxItems != nil {
		s.most = int(*schema.MaxItems)
	}
	var err error
	// The parser of the game checks a text with x-parsed, and says what is wrong with it.
	if schema.Pattern != "" && schema.Extensions["x-parsed"] == nil {
		if s.pattern, err = regexp.Compile(schema.Pattern); err != nil {
			return nil, err
		}
	}
	if schema.Items != nil {
		if s.items, err = newShape(schema.Items.Value); err != nil {
			return nil, fmt.Errorf("items: %w", err)
		}
	}
	s.fields = make(map[string]*shape, len(schema.Properties))
	for name, property := range schema.Properties {
		if s.fields[name], err = newShape(property.Value); err != nil {
			return nil, fmt.Errorf("%s: %w", name, err)
		}
	}
	s.words = wordsOf(schema)
	return s, nil
}

// onlyKnown returns an error for a schema with a keyword that walks do not know.
func onlyKnown(s *openapi3.Schema) error {
	switch {
	case len(s.AllOf) > 1, len(s.AllOf) == 1 && (s.Type != nil || s.Nullable || len(s.Enum) > 0 || len(s.Properties) > 0):
		return errors.New("allOf with more than one schema")
	case len(s.AllOf) == 0 && s.Type == nil:
		return errors.New("a schema without a type")
	case len(s.OneOf)+len(s.AnyOf) > 0 || s.Not != nil:
		return errors.New("oneOf, anyOf or not")
	case s.AdditionalProperties.Schema != nil, s.MinProps > 0, s.MaxProps != nil:
		return errors.New("a schema for additional properties, or a number of them")
	case (s.Type.Is(openapi3.TypeNumber) || s.Type.Is(openapi3.TypeInteger)) && len(s.Enum) == 0 && (s.Min == nil || s.Max == nil):
		return errors.New("a number without minimum or maximum")
	case s.Type.Is(openapi3.TypeArray) && s.MaxItems == nil:
		return errors.New("a list without maxItems")
	case s.MinLength > 0, s.ExclusiveMin.IsSet(), s.ExclusiveMax.IsSet():
		return errors.New("minLength, exclusiveMinimum or exclusiveMaximum")
	case s.UniqueItems && (s.MaxItems == nil || !s.Items.Value.Type.Is(openapi3.TypeString)):
		return errors.New("uniqueItems of other values than a few strings")
	case s.Format != "" && !slices.Contains([]string{"double", "float"}, s.Format):
		return fmt.Errorf("the format %s", s.Format)
	}
	return nil
}
