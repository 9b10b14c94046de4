package handlers_test

import (
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"slices"
	"sort"
	"strings"
	"testing"

	"github.com/getkin/kin-openapi/openapi3"
	"github.com/google/go-cmp/cmp"
)

// Every example of the contract is sent to a server. The answer must equal the one in the contract, except for values that differ
// between runs, and its fields must be in the order of the contract's properties. With -update the answers are written to the contract.
func TestExamples(t *testing.T) {
	normal, idle := newServer(t), newServer(t, keyed, func(c *config) { c.workers = noWorkers })
	examples := collect(t, normal.doc)
	if len(examples) < 25 {
		t.Fatalf("only %d examples", len(examples))
	}
	got, orders := map[string][]byte{}, newOrders(t)
	for _, e := range examples {
		t.Run(e.name, func(t *testing.T) {
			w := e.answer(t, normal, idle)
			if e.status != 0 {
				status(t, w, e.status)
			}
			var value any
			if err := json.Unmarshal(w.Body.Bytes(), &value); err != nil {
				t.Fatal(err)
			}
			if err := orders.check(e.name, w.Body.Bytes()); err != nil {
				t.Errorf("the answer%v", err)
			}
			stored := normal.doc.Components.Examples[e.name]
			got[e.name] = w.Body.Bytes()
			if *update {
				same := stored != nil && cmp.Equal(steady(plain(t, stored.Value.Value)), steady(value)) && orders.checkExample(e.name) == nil
				if same {
					got[e.name] = nil // unchanged, so that an update writes only differences
				}
				return
			}
			if stored == nil {
				t.Fatal("the contract has no such answer; run with -update")
			}
			if err := orders.checkExample(e.name); err != nil {
				t.Errorf("the contract's example%v; run with -update", err)
			}
			shown := plain(t, stored.Value.Value)
			checkLine(t, normal, e, shown)
			if diff := cmp.Diff(steady(shown), steady(value)); diff != "" {
				t.Errorf("the contract has another answer; if this one is correct, run with -update (-contract +server)\n%s", diff)
			}
		})
	}
	if orders.objects < 1000 {
		t.Errorf("the order of fields was compared in %d objects only", orders.objects)
	}
	if *update && !t.Failed() {
		writeAnswers(t, got)
		return
	}
	for name := range normal.doc.Components.Examples {
		if _, ok := got[name]; !ok {
			t.Errorf("no request has the answer %s", name)
		}
	}
}

// plain returns the value after encoding and decoding as JSON, so that all numbers have one type.
func plain(t *testing.T, value any) any {
	t.Helper()
	text, err := json.Marshal(value)
	if err != nil {
		t.Fatal(err)
	}
	var out any
	if err := json.Unmarshal(text, &out); err != nil {
		t.Fatal(err)
	}
	return out
}

// checkLine checks that the line of an example ends with the score and the outcome of the example. Several lines can be best, so it is
// not compared with the line of the server.
func checkLine(t *testing.T, s *server, e example, shown any) {
	t.Helper()
	answer, _ := shown.(map[string]any)
	line, ok := answer["line"].([]any)
	if !ok {
		return
	}
	var body map[string]any
	if err := json.Unmarshal(e.body, &body); err != nil {
		t.Fatal(err)
	}
	played, _ := body["played"].([]any)
	body["played"] = append(played, line...)
	delete(body, "goal")
	text, err := json.Marshal(body)
	if err != nil {
		t.Fatal(err)
	}
	solve := "/v1/klaverjas/solve"
	if strings.HasPrefix(e.request.URL.Path, "/v1/belote/") {
		solve = "/v1/belote/solve"
	}
	if strings.HasPrefix(e.request.URL.Path, "/v1/tarok/") {
		solve = "/v1/tarok/solve"
	}
	w := s.post(t, solve, string(text))
	status(t, w, http.StatusOK)
	var end map[string]any
	if err := json.Unmarshal(w.Body.Bytes(), &end); err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{"outcome", "won", "score", "pit", "points", "thirds"} {
		if diff := cmp.Diff(answer[name], end[name]); diff != "" {
			t.Errorf("the line has a different end: %s (-contract +replayed)\n%s", name, diff)
		}
	}
}

// steady replaces values that differ between runs or between versions of the solver or model: the effort, the choice among several best
// lines, and predictions.
func steady(value any) any {
	if list, ok := value.([]any); ok {
		out := make([]any, len(list))
		for i, v := range list {
			out[i] = steady(v)
		}
		return out
	}
	object, ok := value.(map[string]any)
	if !ok {
		return value
	}
	_, job := object["links"]
	_, part := object["of"]
	out := map[string]any{}
	for name, v := range object {
		switch name {
		case "stats", "routes", "request_id", "version", "go", "revision", "source":
			if _, nested := v.(map[string]any); !nested || name == "stats" || name == "routes" {
				v = "(differs)"
			}
		case "won", "win_probability", "confidence", "expected_outcome", "hardness", "reason", "model":
			if _, mistake := v.(map[string]any); name == "reason" && mistake { // not the reason of a route
				break
			}
			if object["exact"] == false || !slices.Contains([]string{"won", "win_probability", "confidence"}, name) {
				v = "(differs with the model)"
			}
		case "models", "measured":
			v = "(differs with the model)"
		case "route": // another example may have solved the position before
			if v == "cache" {
				v = "search"
			}
		case "id", "created_at", "started_at", "finished_at", "links":
			if job && v != nil {
				v = "(differs)"
			}
		case "mean_us", "p99_us", "expires_at":
			v = "(differs)"
		case "token", "events":
			if _, token := object["token"]; token {
				v = "(differs)"
			}
		case "nodes", "elapsed_us":
			if part {
				v = "(differs)"
			}
		case "next_page_token":
			v = "(differs)"
		case "line", "pit":
			if _, solution := object["line"]; solution {
				v = "(one of many)"
			}
		case "score":
			if _, solution := object["line"]; solution {
				v = "(of one line of many)"
			}
		case "moves": // among moves with the same outcome, the first card of the line comes first
			moves, _ := v.([]any)
			moves = slices.Clone(moves)
			sort.Slice(moves, func(i, j int) bool { return fmt.Sprint(moves[i]) < fmt.Sprint(moves[j]) })
			v = moves
		}
		out[name] = steady(v)
	}
	return out
}

// The contract, including its examples, is valid OpenAPI.
func TestContractIsValid(t *testing.T) {
	doc := loadContract(t)
	if err := doc.Validate(context.Background(), openapi3.EnableExamplesValidation()); err != nil {
		t.Error(err)
	}
}
