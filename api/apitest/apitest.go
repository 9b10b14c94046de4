// Package apitest is for tests of the contract, and of answers against it.
package apitest

import (
	"fmt"
	"maps"
	"slices"
	"sync"

	"github.com/getkin/kin-openapi/openapi3"

	"roem/api"
	"roem/api/contract"
)

// Document returns the contract of the program, as kin-openapi reads it. It is shared and must not be changed.
//
// It reads the JSON, because reading the YAML takes 1.6 times as long, and with the race detector 2.8 times.
var Document = sync.OnceValues(func() (*openapi3.T, error) { return openapi3.NewLoader().LoadFromData(api.JSON) })

// Read returns the contract of a text in YAML.
func Read(yaml []byte) (*api.Contract, error) {
	doc, err := openapi3.NewLoader().LoadFromData(yaml)
	if err != nil {
		return nil, err
	}
	read, err := contract.Read(yaml)
	if err != nil {
		return nil, err
	}
	c := &api.Contract{YAML: yaml, Version: read.Version}
	for _, o := range read.Operations {
		c.Operations = append(c.Operations, api.Operation{
			ID: o.ID, Method: o.Method, Path: o.Path, Summary: o.Summary,
			Open: o.Open, Deprecated: o.Deprecated, Since: o.Since, Sunset: o.Sunset,
		})
	}
	c.JSON, err = doc.MarshalJSON()
	return c, err
}

// Roles are the schemas of a contract by what reaches them: a body or a parameter of a request, or an answer. The values say from where.
type Roles struct{ Requests, Answers map[*openapi3.Schema]string }

// ReadRoles follows the operations of a contract.
func ReadRoles(doc *openapi3.T) Roles {
	r := Roles{map[*openapi3.Schema]string{}, map[*openapi3.Schema]string{}}
	for path, item := range doc.Paths.Map() {
		r.parameters(path, item.Parameters)
		for method, operation := range item.Operations() {
			where := method + " " + path
			r.parameters(where, operation.Parameters)
			if operation.RequestBody != nil {
				for _, media := range operation.RequestBody.Value.Content {
					reach(r.Requests, where, media.Schema)
				}
			}
			for status, response := range operation.Responses.Map() {
				for name, header := range response.Value.Headers {
					reach(r.Answers, where+" "+status+" "+name, header.Value.Schema)
				}
				for _, media := range response.Value.Content {
					reach(r.Answers, where+" "+status, media.Schema)
				}
			}
		}
	}
	return r
}

func (r Roles) parameters(where string, list openapi3.Parameters) {
	for _, p := range list {
		reach(r.Requests, where+" ?"+p.Value.Name, p.Value.Schema)
	}
}

// reach adds a schema and those in it.
func reach(to map[*openapi3.Schema]string, where string, ref *openapi3.SchemaRef) {
	if ref == nil || ref.Value == nil || to[ref.Value] != "" {
		return
	}
	s := ref.Value
	to[s] = where
	for name, property := range s.Properties {
		reach(to, where+"."+name, property)
	}
	reach(to, where+"[]", s.Items)
	reach(to, where+".*", s.AdditionalProperties.Schema)
	for i, one := range slices.Concat(s.OneOf, s.AnyOf, s.AllOf, openapi3.SchemaRefs{s.Not}) {
		reach(to, fmt.Sprintf("%s(%d)", where, i), one)
	}
}

// Strict returns a contract in which no answer may have fields that it does not describe. The contract itself leaves answers open for the
// fields of later versions; a test must find a field that nobody has described.
func Strict(c *api.Contract) (*openapi3.T, error) {
	doc, err := openapi3.NewLoader().LoadFromData(c.JSON)
	if err != nil {
		return nil, err
	}
	for schema := range ReadRoles(doc).Answers {
		flatten(schema)
	}
	for schema := range ReadRoles(doc).Answers {
		if certain, ok := schema.Extensions["x-certain"].(map[string]any); ok {
			schema.OneOf = cases(schema, certain)
		}
	}
	closed := false
	for schema := range ReadRoles(doc).Answers {
		if len(schema.Properties) > 0 && schema.AdditionalProperties.Schema == nil && schema.AdditionalProperties.Has == nil {
			schema.AdditionalProperties.Has = &closed
		}
	}
	return doc, nil
}

// cases returns what an object is by the value of a field: x-certain has the fields that are certain with some of its values.
func cases(schema *openapi3.Schema, certain map[string]any) (all openapi3.SchemaRefs) {
	open := true
	for field, by := range certain {
		by, _ := by.(map[string]any)
		for _, value := range schema.Properties[field].Value.Enum {
			is := openapi3.NewStringSchema().WithEnum(value)
			one := &openapi3.Schema{Required: []string{field}, Properties: openapi3.Schemas{field: {Value: is}}}
			one.AdditionalProperties.Has = &open
			names, _ := by[fmt.Sprint(value)].([]any)
			for _, name := range names {
				one.Required = append(one.Required, fmt.Sprint(name))
			}
			all = append(all, &openapi3.SchemaRef{Value: one})
		}
	}
	return all
}

// flatten makes one object of a schema that says that several hold: closed, none of them would accept the fields of the others.
func flatten(schema *openapi3.Schema) {
	if len(schema.AllOf) < 2 {
		return
	}
	all := schema.AllOf
	schema.Type, schema.AllOf, schema.Properties = &openapi3.Types{openapi3.TypeObject}, nil, openapi3.Schemas{}
	for _, one := range all {
		maps.Copy(schema.Properties, one.Value.Properties)
		schema.Required = append(schema.Required, one.Value.Required...)
		if certain := one.Value.Extensions["x-certain"]; certain != nil {
			schema.Extensions = map[string]any{"x-certain": certain}
		}
	}
}

// StrictDocument is Strict for the contract of the program. It is shared and must not be changed.
var StrictDocument = sync.OnceValues(func() (*openapi3.T, error) { return Strict(api.Embedded) })
