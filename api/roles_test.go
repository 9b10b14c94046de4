package api

import (
	"fmt"
	"slices"
	"testing"

	"github.com/getkin/kin-openapi/openapi3"
)

// roles are the schemas of the contract by what reaches them: a body or a parameter of a request, or an answer. The values say from where.
type roles struct{ requests, answers map[*openapi3.Schema]string }

// readRoles follows the operations of a contract.
func readRoles(doc *openapi3.T) roles {
	r := roles{map[*openapi3.Schema]string{}, map[*openapi3.Schema]string{}}
	parameters := func(where string, list openapi3.Parameters) {
		for _, p := range list {
			reach(r.requests, where+" ?"+p.Value.Name, p.Value.Schema)
		}
	}
	for path, item := range doc.Paths.Map() {
		parameters(path, item.Parameters)
		for method, operation := range item.Operations() {
			where := method + " " + path
			parameters(where, operation.Parameters)
			if operation.RequestBody != nil {
				for _, media := range operation.RequestBody.Value.Content {
					reach(r.requests, where, media.Schema)
				}
			}
			for status, response := range operation.Responses.Map() {
				for name, header := range response.Value.Headers {
					reach(r.answers, where+" "+status+" "+name, header.Value.Schema)
				}
				for _, media := range response.Value.Content {
					reach(r.answers, where+" "+status, media.Schema)
				}
			}
		}
	}
	return r
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

// A default makes a field required in generated clients of TypeScript. Requests have x-default instead, which api/requests reads.
func TestNoRequestHasADefault(t *testing.T) {
	r := readRoles(contract(t))
	for schema, where := range r.requests {
		if schema.Default != nil {
			t.Errorf("%s has the default %v: write x-default", where, schema.Default)
		}
	}
	if len(r.requests) < 400 {
		t.Errorf("only %d schemas of requests", len(r.requests))
	}
}
