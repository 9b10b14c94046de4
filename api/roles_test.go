package api_test

import (
	"encoding/json"
	"strings"
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

// What the status of a job or the goal of a solution makes certain is in every answer.
func TestCertain(t *testing.T) {
	t.Parallel()
	strict, err := apitest.StrictDocument()
	if err != nil {
		t.Fatal(err)
	}
	text, err := json.Marshal(strict.Components.Examples["klaverjasSolve.value"].Value.Value)
	if err != nil {
		t.Fatal(err)
	}
	job := func(status, more string) string {
		return `{"kind": "klaverjas.solve", "id": "a", "status": "` + status + `", "created_at": "2026-01-01T00:00:00Z", "started_at": null, ` +
			`"finished_at": null, "attempts": 1, "position_in_queue": 0, "estimated_wait_ms": null, ` +
			`"links": {"self": "/v1/jobs/a", "events": "/v1/jobs/a/events"}` + more + `}`
	}
	for _, tt := range []struct {
		schema, body string
		good         bool
	}{
		{"KlaverjasSolution", string(text), true},
		{"KlaverjasSolution", strings.Replace(string(text), `"outcome":`, `"outcom":`, 1), false},
		{"KlaverjasSolution", strings.Replace(string(text), `"goal":"value"`, `"goal":"moves"`, 1), false},
		{"KlaverjasSolveJob", job("succeeded", `, "result": `+string(text)), true},
		{"KlaverjasSolveJob", job("succeeded", ""), false},
		{"KlaverjasSolveJob", job("running", ""), true},
		{"KlaverjasSolveJob", job("failed", ""), false},
		{"JobSummary", job("succeeded", ""), true},
	} {
		var value any
		if err := json.Unmarshal([]byte(tt.body), &value); err != nil {
			t.Fatal(err)
		}
		if err := strict.Components.Schemas[tt.schema].Value.VisitJSON(value); (err == nil) != tt.good {
			t.Errorf("%s: %v, for %s", tt.schema, err, tt.body)
		}
	}
}
