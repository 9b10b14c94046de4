package contract_test

import (
	"slices"
	"strings"
	"testing"

	"roem/api"
	"roem/api/contract"
)

// A description of the contract has whole sentences about a field. The error of the field has its name only, or, where a text has the wrong
// form, the one sentence with the form.
func TestErrorsQuoteTheNameOfAFieldOnly(t *testing.T) {
	c, err := contract.Read(api.OpenAPI)
	if err != nil {
		t.Fatal(err)
	}
	explained := map[string]string{}
	for _, o := range c.Operations {
		if o.Body != nil {
			quoted(o.Body, o.ID, nil, explained)
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
func quoted(s *contract.Schema, at string, above []*contract.Schema, out map[string]string) {
	s = s.Is()
	if slices.Contains(above, s) {
		return
	}
	above = append(above, s)
	if s.Pattern != "" || s.IsNumber() || s.Type == "array" {
		out[at+" "+s.Description] = s.What()
	}
	if s.Pattern != "" && !s.Parsed {
		out[at+" form of "+s.Description] = s.Sentence()
	}
	for _, f := range s.Fields {
		quoted(f.Schema, at+"/"+f.Name, above, out)
	}
	if s.Items != nil {
		quoted(s.Items, at+"/0", above, out)
	}
	for _, one := range s.OneOf {
		quoted(one, at, above, out)
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
		if got := (&contract.Schema{Description: description}).What(); got != want {
			t.Errorf("%q is named %q, want %q", description, got, want)
		}
	}
}
