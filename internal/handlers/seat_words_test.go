package handlers_test

import (
	"encoding/json"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/getkin/kin-openapi/openapi3"
	"github.com/google/go-cmp/cmp"
)

// worded returns a value of a request with other words for the names of seats, in capitals, and whether it has such names.
func worded(schema *openapi3.Schema, value any) (out any, has bool) {
	if len(schema.AllOf) == 1 {
		schema = schema.AllOf[0].Value
	}
	switch value := value.(type) {
	case map[string]any:
		words, seats := schema.Extensions["x-key-words"].(map[string]any)
		object := map[string]any{}
		for name, one := range value {
			property := schema.Properties[name]
			if property == nil {
				return value, false
			}
			below, too := worded(property.Value, one)
			has = has || too || seats
			if seats {
				name = strings.ToLower(name)
				if list, _ := words[strings.ToUpper(name)].([]any); len(list) > 0 {
					name = strings.ToUpper(list[len(list)-1].(string))
				}
			}
			object[name] = below
		}
		return object, has
	case []any:
		if schema.Items == nil {
			return value, false
		}
		list := make([]any, len(value))
		for i, one := range value {
			var too bool
			list[i], too = worded(schema.Items.Value, one)
			has = has || too
		}
		return list, has
	}
	return value, false
}

// answerTo returns the lasting parts of the answer to a request.
func (s *server) answerTo(t *testing.T, path string, body any) (status int, answer map[string]any) {
	t.Helper()
	text, err := json.Marshal(body)
	if err != nil {
		t.Fatal(err)
	}
	r := httptest.NewRequestWithContext(t.Context(), http.MethodPost, path, strings.NewReader(string(text)))
	r.Header.Set("Content-Type", "application/json")
	w := httptest.NewRecorder()
	s.Handlers.ServeHTTP(w, r)
	if err := json.Unmarshal(w.Body.Bytes(), &answer); err != nil {
		t.Fatal(err)
	}
	lasting(answer)
	return w.Code, answer
}

// lasting removes from an answer what differs between two searches.
func lasting(answer any) {
	switch answer := answer.(type) {
	case map[string]any:
		for _, field := range []string{"stats", "source", "request_id"} {
			delete(answer, field)
		}
		for _, value := range answer {
			lasting(value)
		}
	case []any:
		for _, value := range answer {
			lasting(value)
		}
	}
}

// TestSeatsAsWords sends the examples of the contract with words for the seats that are names of fields. The answers are the same.
func TestSeatsAsWords(t *testing.T) {
	t.Parallel()
	s, sent := newServer(t), map[string]int{}
	for path, item := range s.doc.Paths.Map() {
		if item.Post == nil || item.Post.RequestBody == nil || strings.Contains(path, "{") || strings.HasSuffix(path, "/sessions") ||
			strings.Contains(path, "/hybrid") { // which says whether it has asked the cache
			continue
		}
		content := item.Post.RequestBody.Value.Content["application/json"]
		for name, example := range content.Examples {
			if name == "later" || content.Schema.Value.Type == nil { // as a job
				continue
			}
			body, has := worded(content.Schema.Value, example.Value.Value)
			if !has {
				continue
			}
			sent[strings.Split(path, "/")[2]]++
			status, want := s.answerTo(t, path, example.Value.Value)
			if got, answer := s.answerTo(t, path, body); got != status || !cmp.Equal(answer, want) {
				t.Errorf("%s %s: %d, want %d: %s", path, name, got, status, cmp.Diff(want, answer))
			}
		}
	}
	for _, game := range []string{"belote", "klaverjas", "tarok"} {
		if sent[game] < 3 {
			t.Errorf("%d examples of %s have seats as names of fields", sent[game], game)
		}
	}
	hand := []any{"7C"}
	for _, twice := range []map[string]any{{"N": hand, "noord": hand}, {"north": hand, "Noord": hand}} {
		status, problem := s.answerTo(t, "/v1/klaverjas/solve", map[string]any{"trump": "H", "leader": "N", "hands": twice})
		if text, _ := json.Marshal(problem); status != http.StatusBadRequest || !strings.Contains(string(text), "given_twice") {
			t.Errorf("%v: %d %s", twice, status, text)
		}
	}
}
