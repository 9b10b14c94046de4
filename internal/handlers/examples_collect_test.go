package handlers_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"net/http"
	"net/url"
	"sort"
	"strings"
	"testing"

	"github.com/getkin/kin-openapi/openapi3"
)

// example is a request of the contract and the name of its answer.
type example struct {
	name    string // of the answer among components/examples
	request *http.Request
	body    []byte          // of the request
	server  string          // the kind of server: "" for a normal one, or a name in example.answer
	before  []*http.Request // requests that are sent first; {id} in the request is replaced by the job or session of the last of them
	until   string          // the state to which legal acts bring the session of the last of them; empty for no acts
	status  int
}

// runs is an entry of the extension x-runs of an operation: the kind of server of an example, and the requests before it.
type runs struct {
	Server string   `json:"server"`
	Before []string `json:"before"`    // operation.example
	Until  string   `json:"act_until"` // the state of a session
}

// collect returns every request example of the contract: bodies and parameters of operations, and the x-requests of problems. The test
// fails if an operation has a body or a JSON answer without examples.
func collect(t *testing.T, doc *openapi3.T) []example {
	t.Helper()
	var out []example
	paths := map[string]string{} // operation id -> method and path
	for path, item := range doc.Paths.Map() {
		for method, operation := range item.Operations() {
			paths[operation.OperationID] = method + " " + path
			names := map[string]int{} // of the answers -> status
			documents := operation.Responses.Status(http.StatusNoContent) != nil
			for _, code := range []int{http.StatusOK, http.StatusCreated, http.StatusAccepted} {
				response := operation.Responses.Status(code)
				if response == nil || response.Ref != "" {
					continue // shared responses have x-requests
				}
				answers := response.Value.Content["application/json"]
				if answers == nil || operation.OperationID == "openapiJSON" {
					documents = true
					continue
				}
				for name := range answers.Examples {
					names[name] = code
				}
			}
			if documents {
				continue // TestDocuments tests them
			}
			if len(names) == 0 {
				t.Errorf("%s has no example of its answer", operation.OperationID)
			}
			if operation.RequestBody != nil {
				bodies := operation.RequestBody.Value.Content["application/json"].Examples
				for name := range bodies {
					if names[name] == 0 {
						t.Errorf("%s: the request %s has no answer", operation.OperationID, name)
					}
				}
				if len(bodies) != len(names) {
					t.Errorf("%s: %d requests, %d answers", operation.OperationID, len(bodies), len(names))
				}
			}
			var special map[string]runs
			reread(t, operation.Extensions["x-runs"], &special)
			for name, code := range names {
				request, body := exampleRequest(t, method, path, operation, name)
				out = append(out, example{
					name: operation.OperationID + "." + name, status: code, request: request, body: []byte(body),
					server: special[name].Server, before: requestsBefore(t, doc, special[name].Before), until: special[name].Until,
				})
				delete(special, name)
			}
			for name := range special {
				t.Errorf("%s: x-runs has an unknown example %s", operation.OperationID, name)
			}
		}
	}
	for name, response := range doc.Components.Responses {
		requests, _ := response.Value.Extensions["x-requests"].(map[string]any)
		content, prefix := response.Value.Content["application/problem+json"], "problem."
		if content == nil {
			content, prefix = response.Value.Content["application/json"], strings.ToLower(name[:1])+name[1:]+"."
		}
		examples := content.Examples
		if len(requests) == 0 || len(requests) != len(examples) {
			t.Errorf("%s: %d requests, %d examples", name, len(requests), len(examples))
		}
		for example, spec := range requests {
			out = append(out, problemExample(t, doc, prefix+example, spec, paths))
		}
	}
	sort.Slice(out, func(i, j int) bool { return out[i].name < out[j].name })
	return out
}

// reread decodes an extension into a value.
func reread(t *testing.T, extension, value any) {
	t.Helper()
	if extension == nil {
		return
	}
	text, err := json.Marshal(extension)
	if err != nil {
		t.Fatal(err)
	}
	dec := json.NewDecoder(bytes.NewReader(text))
	dec.DisallowUnknownFields()
	if err := dec.Decode(value); err != nil {
		t.Fatalf("%s: %v", text, err)
	}
}

// requestsBefore returns the requests of the given examples.
func requestsBefore(t *testing.T, doc *openapi3.T, examples []string) []*http.Request {
	t.Helper()
	var out []*http.Request
	for _, name := range examples {
		id, one, _ := strings.Cut(name, ".")
		found := len(out)
		for path, item := range doc.Paths.Map() {
			for method, operation := range item.Operations() {
				if operation.OperationID == id {
					r, _ := exampleRequest(t, method, path, operation, one)
					out = append(out, r)
				}
			}
		}
		if len(out) == found {
			t.Fatalf("no operation of the example %q", name)
		}
	}
	return out
}

// exampleRequest returns the request of an operation from the examples with the given name.
func exampleRequest(t *testing.T, method, path string, operation *openapi3.Operation, name string) (r *http.Request, body string) {
	t.Helper()
	if operation.RequestBody != nil {
		example := operation.RequestBody.Value.Content["application/json"].Examples[name]
		if example == nil {
			t.Fatalf("%s has no request %s", operation.OperationID, name)
		}
		text, err := json.Marshal(example.Value.Value)
		if err != nil {
			t.Fatal(err)
		}
		body = string(text)
	}
	query, header := url.Values{}, http.Header{}
	for _, parameter := range operation.Parameters {
		value := parameter.Value.Examples[name]
		if value == nil {
			continue
		}
		text := fmt.Sprint(value.Value.Value)
		switch parameter.Value.In {
		case openapi3.ParameterInPath:
			path = strings.ReplaceAll(path, "{"+parameter.Value.Name+"}", text)
		case openapi3.ParameterInQuery:
			query.Set(parameter.Value.Name, text)
		case openapi3.ParameterInHeader:
			header.Set(parameter.Value.Name, text)
		}
	}
	if len(query) > 0 {
		path += "?" + query.Encode()
	}
	r = request(method, path, body)
	for name := range header {
		r.Header.Set(name, header.Get(name))
	}
	return r, body
}

// problemExample returns the request of an x-requests entry. The entry has the operation, and a raw body or other errors of the
// request.
func problemExample(t *testing.T, doc *openapi3.T, name string, spec any, paths map[string]string) example {
	t.Helper()
	var s struct {
		Operation   string `json:"operation"`
		Method      string `json:"method"`
		Body        string `json:"body"`
		Fill        int    `json:"fill"`
		ContentType string `json:"content_type"`
		Prefer      string `json:"prefer"`
		Server      string `json:"server"`
		Key         string `json:"key"`
		Before      string `json:"before"`
		Idempotency string `json:"idempotency_key"` // of this request and of the request before
	}
	reread(t, spec, &s)
	method, path, ok := strings.Cut(paths[s.Operation], " ")
	if !ok {
		t.Fatalf("%s: no operation %q", name, s.Operation)
	}
	if s.Method != "" {
		method = s.Method
	}
	r := request(method, path, s.Body+strings.Repeat(" ", s.Fill))
	if s.ContentType != "" {
		r.Header.Set("Content-Type", s.ContentType)
	}
	if s.Prefer != "" {
		r.Header.Set("Prefer", s.Prefer)
	}
	if s.Key != "" {
		r.Header.Set("Authorization", "Bearer "+s.Key)
	}
	e := example{name: name, request: r, server: s.Server}
	if s.Before != "" {
		e.before = requestsBefore(t, doc, []string{s.Before})
	}
	if s.Idempotency != "" {
		for _, one := range append(e.before, r) {
			one.Header.Set("Idempotency-Key", s.Idempotency)
		}
	}
	return e
}
