package api_test

import (
	"encoding/json"
	"testing"

	"github.com/getkin/kin-openapi/openapi3"

	"roem/api/apitest"
)

// A default makes a field required in generated clients of TypeScript. Requests have x-default instead, which api/gen reads.
func TestNoRequestHasADefault(t *testing.T) {
	t.Parallel()
	for schema, where := range readRoles(t).Requests {
		if schema.Default != nil {
			t.Errorf("%s has the default %v: write x-default", where, schema.Default)
		}
	}
}

// A request has no field that the contract does not describe: a misspelt name would be ignored. An answer may have more in a later version.
func TestRequestsAreClosedAndAnswersOpen(t *testing.T) {
	t.Parallel()
	r := readRoles(t)
	for schema, where := range r.Requests {
		if schema.Type.Is(openapi3.TypeObject) && (schema.AdditionalProperties.Has == nil || *schema.AdditionalProperties.Has) {
			t.Errorf("the request %s accepts fields that the contract does not describe: it needs additionalProperties: false", where)
		}
	}
	for schema, where := range r.Answers {
		if schema.AdditionalProperties.Has != nil {
			t.Errorf("the answer %s has additionalProperties: a client that checks it would refuse the fields of later versions", where)
		}
	}
}

// The contract accepts an answer with a new field, and the contract of the tests refuses it.
func TestStrict(t *testing.T) {
	t.Parallel()
	open, err := apitest.Document()
	if err != nil {
		t.Fatal(err)
	}
	strict, err := apitest.StrictDocument()
	if err != nil {
		t.Fatal(err)
	}
	var answer any
	if err := json.Unmarshal([]byte(`{"self": "/v1/klaverjas/sessions/a", "new": 1}`), &answer); err != nil {
		t.Fatal(err)
	}
	if err := open.Components.Schemas["SessionLinks"].Value.VisitJSON(answer); err != nil {
		t.Errorf("the contract refuses an answer with a new field: %v", err)
	}
	if err := strict.Components.Schemas["SessionLinks"].Value.VisitJSON(answer); err == nil {
		t.Error("the contract of the tests accepts a field that nobody has described")
	}
}

func readRoles(t *testing.T) apitest.Roles {
	t.Helper()
	doc, err := apitest.Document()
	if err != nil {
		t.Fatal(err)
	}
	r := apitest.ReadRoles(doc)
	if len(r.Requests) < 400 || len(r.Answers) < 700 {
		t.Errorf("only %d schemas of requests and %d of answers", len(r.Requests), len(r.Answers))
	}
	return r
}
