package service

import (
	"slices"
	"strings"
	"testing"

	"github.com/getkin/kin-openapi/openapi3"

	contract "roem/api"
)

// A description of the contract has whole sentences about a field. The error of the field has its name only, or, where a text has the wrong
// form, the one sentence with the form.
func TestErrorsQuoteTheNameOfAFieldOnly(t *testing.T) {
	doc, err := contract.Document()
	if err != nil {
		t.Fatal(err)
	}
	explained := map[string]string{}
	for path, item := range doc.Paths.Map() {
		for method, operation := range item.Operations() {
			if operation.RequestBody != nil {
				quoted(operation.RequestBody.Value.Content["application/json"].Schema.Value, method+" "+path, nil, explained)
			}
		}
	}
	if len(explained) < 50 {
		t.Fatalf("%d fields are quoted, which is not all of them", len(explained))
	}
	for at, what := range explained {
		if first, _, _ := strings.Cut(what, " "); len(what) > 100 || strings.Count(what, "`")%2 == 1 || strings.ContainsAny(what, "\n(:") ||
			slices.Contains([]string{"in", "with", "for", "if", "search"}, first) {
			t.Errorf("%s is quoted as %q", at, what)
		}
	}
}

// quoted collects what errors quote of the fields of a schema.
func quoted(schema *openapi3.Schema, at string, above []*openapi3.Schema, out map[string]string) {
	if len(schema.AllOf) == 1 {
		schema = schema.AllOf[0].Value
	}
	if slices.Contains(above, schema) {
		return
	}
	above = append(above, schema)
	numeric := schema.Type.Is(openapi3.TypeNumber) || schema.Type.Is(openapi3.TypeInteger) || schema.Type.Is(openapi3.TypeArray)
	if schema.Pattern != "" || numeric {
		out[at+" "+schema.Description] = name(schema)
	}
	if schema.Pattern != "" && schema.Extensions["x-parsed"] == nil {
		out[at+" form of "+schema.Description] = sentence(schema)
	}
	for field, property := range schema.Properties {
		quoted(property.Value, at+"/"+field, above, out)
	}
	if schema.Items != nil {
		quoted(schema.Items.Value, at+"/0", above, out)
	}
	for _, one := range slices.Concat(schema.OneOf, schema.AnyOf) {
		quoted(one.Value, at, above, out)
	}
}

func TestNameOfAField(t *testing.T) {
	for description, want := range map[string]string{
		"A card: its face, then its suit. Upper and lower case are equal.": "a card",
		"The index of a deal, a decimal number.":                           "the index of a deal",
		"Points of the melds (roem) that count.":                           "points of the melds",
		"`acts` of the session: its number.":                               "`acts` of the session",
		"The share of 1.5 and more":                                        "the share of 1.5 and more",
		"The stacks of\n  a player.":                                       "the stacks of a player",
		"RFC 6901":                                                         "RFC 6901",
		"":                                                                 "",
	} {
		if got := name(&openapi3.Schema{Description: description}); got != want {
			t.Errorf("%q is named %q, want %q", description, got, want)
		}
	}
}
