package servicetest

import (
	"cmp"
	"fmt"
	"maps"
	"strings"
	"testing"

	"github.com/getkin/kin-openapi/openapi3"
	gocmp "github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"roem/api/apitest"
	"roem/api/contract"
	"roem/internal/service"
)

// Schema returns a schema of the contract, as kin-openapi reads it, with a list of any objects in a field; empty for none.
func Schema(name, list string) (*openapi3.Schema, error) {
	doc, err := apitest.Document()
	if err != nil {
		return nil, err
	}
	ref := doc.Components.Schemas[name]
	if ref == nil {
		return nil, fmt.Errorf("the contract has no schema %s", name)
	}
	if list == "" {
		return ref.Value, nil
	}
	out := *ref.Value
	out.Properties = maps.Clone(out.Properties)
	field := *out.Properties[list].Value
	field.Items = &openapi3.SchemaRef{Value: openapi3.NewObjectSchema()}
	out.Properties[list] = &openapi3.SchemaRef{Value: &field}
	return &out, nil
}

// CheckShapes compares the shapes of all requests below a path with what kin-openapi reads in the contract.
func CheckShapes(t *testing.T, of *service.Schemas, path string) {
	t.Helper()
	doc, err := apitest.Document()
	if err != nil {
		t.Fatal(err)
	}
	some := false
	for at, item := range doc.Paths.Map() {
		if !strings.HasPrefix(at, path) || item.Post == nil || item.Post.RequestBody == nil {
			continue
		}
		some = true
		schema := item.Post.RequestBody.Value.Content["application/json"].Schema
		shape, err := of.Shape(schema.Ref[strings.LastIndex(schema.Ref, "/")+1:])
		if err != nil {
			t.Fatal(err)
		}
		byName := cmpopts.SortSlices(func(a, b service.ShapeField) int { return cmp.Compare(a.Name, b.Name) })
		if diff := gocmp.Diff(ShapeOf(schema.Value), shape, byName); diff != "" {
			t.Errorf("%s (-contract +shape)\n%s", at, diff)
		}
	}
	if !some {
		t.Errorf("no operation below %s has a request", path)
	}
}

// ShapeOf returns the shape of a schema that kin-openapi has read.
func ShapeOf(schema *openapi3.Schema) *service.Shape {
	if len(schema.AllOf) == 1 { // the contract writes a reference with a description of its own in this way
		return ShapeOf(schema.AllOf[0].Value)
	}
	s := &service.Shape{
		Type: strings.Join(schema.Type.Slice(), ""), Null: schema.Nullable, Required: schema.Required, Unique: schema.UniqueItems,
		MinItems: int(schema.MinItems), MaxItems: int(value(schema.MaxItems)), MaxLength: int(value(schema.MaxLength)),
	}
	for _, one := range schema.Enum {
		s.Enum = append(s.Enum, fmt.Sprint(one))
	}
	named := contract.Schema{Description: schema.Description}
	switch s.Type {
	case "object":
		s.Open = schema.AdditionalProperties.Has == nil || *schema.AdditionalProperties.Has
		words, some := schema.Extensions["x-key-words"].(map[string]any)
		s.Words = some
		for name, property := range schema.Properties {
			field := service.ShapeField{Name: name, Shape: ShapeOf(property.Value)}
			list, _ := words[name].([]any)
			for _, word := range list {
				field.Words = append(field.Words, fmt.Sprint(word))
			}
			s.Fields = append(s.Fields, field)
		}
	case "array":
		s.Items = ShapeOf(schema.Items.Value)
		card, _ := schema.Items.Value.Extensions["x-canonical"].(string)
		s.Cards = strings.HasSuffix(card, "Card")
		count, _ := schema.Extensions["x-cards"].(float64)
		s.Count = int(count)
	case "string":
		if schema.Pattern != "" {
			s.What = named.What()
		}
		if s.Decimal = schema.Pattern != "" && !parsed(schema); s.Decimal {
			s.Form = named.Sentence()
		}
	case "integer", "number":
		s.What = named.WhatNumber()
		s.Least, s.Most, s.Multiple = value(schema.Min), value(schema.Max), value(schema.MultipleOf)
	}
	return s
}

// parsed reports whether the parser of the game checks a text, and says what is wrong with it.
func parsed(schema *openapi3.Schema) bool { return schema.Extensions["x-parsed"] != nil }

// value returns what a pointer points to, 0 for nil.
func value[N uint64 | float64](of *N) N {
	if of == nil {
		return 0
	}
	return *of
}
