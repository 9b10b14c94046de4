package api

import (
	"encoding/json"
	"slices"
	"testing"

	contract "roem/api"
)

// A Go client that sets only the fields that must be given sends only these.
func TestLeastRequestsHaveOnlyRequiredFields(t *testing.T) {
	doc, err := contract.Document()
	if err != nil {
		t.Fatal(err)
	}
	if len(least) < 60 {
		t.Fatalf("%d objects, which are not all", len(least))
	}
	for name, value := range least {
		text, err := json.Marshal(value)
		if err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		var sent map[string]any
		if err := json.Unmarshal(text, &sent); err != nil {
			t.Fatal(err)
		}
		var got []string
		for field := range sent {
			got = append(got, field)
		}
		want := slices.Clone(doc.Components.Schemas[name].Value.Required)
		slices.Sort(got)
		slices.Sort(want)
		if !slices.Equal(got, want) {
			t.Errorf("the least %s has %q, but %q must be given", name, got, want)
		}
	}
}
