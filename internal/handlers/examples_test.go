package handlers_test

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"net/http"
	"net/http/httptest"
	"net/url"
	"os"
	"regexp"
	"slices"
	"sort"
	"strings"
	"testing"
	"time"

	"roem/internal/computation"

	"github.com/getkin/kin-openapi/openapi3"
	"github.com/google/go-cmp/cmp"
	"go.yaml.in/yaml/v3"

	"roem/internal/api"
	"roem/internal/engine/klaverjas/search"
	"roem/internal/handlers"
	"roem/internal/service"
)

var update = flag.Bool("update", false, "write the answers into api/openapi.yaml")

const contractFile = "../../api/openapi.yaml"

// answersMark is the line of the contract below which the answers stand.
const answersMark = "  # ---- the true answers"

// example is a request of the contract and the name of the answer that belongs to it.
type example struct {
	name    string // of the answer among components/examples
	request *http.Request
	body    []byte          // of the request
	server  string          // what server answers: "" for a good one, or one of those of example.answer
	before  []*http.Request // what is asked of the server first; {id} in the request stands for the job that the last one made
	status  int
}

// runs is what the extension x-runs of an operation says of an example: where it is run, and what goes before.
type runs struct {
	Server string   `json:"server"`
	Before []string `json:"before"` // operation.example
}

// collect finds every request example of the contract: bodies and parameters of operations, and the x-requests of
// problems. It fails the test where an operation has a body, or an answer in JSON, without examples.
func collect(t *testing.T, doc *openapi3.T) []example {
	t.Helper()
	var out []example
	paths := map[string]string{} // operation id -> method and path
	for path, item := range doc.Paths.Map() {
		for method, operation := range item.Operations() {
			paths[operation.OperationID] = method + " " + path
			names := map[string]int{} // of the answers -> status
			documents := false
			for _, code := range []int{http.StatusOK, http.StatusAccepted} {
				response := operation.Responses.Status(code)
				if response == nil || response.Ref != "" {
					continue // those that operations share have their requests beside them
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
				continue // they are tested for themselves
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
					server: special[name].Server, before: requestsBefore(t, doc, special[name].Before),
				})
				delete(special, name)
			}
			for name := range special {
				t.Errorf("%s: x-runs has an example %s that is not there", operation.OperationID, name)
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

// reread turns what stands in an extension into a value.
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

// requestsBefore makes the requests of the examples.
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

// exampleRequest makes the request of an operation out of its examples of the name.
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

// problemExample makes the request of an x-requests entry: the operation that it goes to, and its raw body, or what
// else is wrong with it.
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
		Idempotency string `json:"idempotency_key"` // of the request and of the one before
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

// ask sends the request of the example, after those before it. Jobs of a good server finish first.
func (e example) ask(t *testing.T, s *server) *httptest.ResponseRecorder {
	t.Helper()
	id := "0000000000000000000000000g"
	for _, r := range e.before {
		w := s.do(t, r)
		job := decodeAs[api.Job](t, w)
		id = job.Id
		if e.server == "" {
			status(t, s.get(t, job.Links.Self+"?wait=20"), http.StatusOK)
		}
	}
	e.request.URL.Path, e.request.URL.RawPath = strings.ReplaceAll(e.request.URL.Path, "{id}", id), ""
	return s.do(t, e.request)
}

// answer runs the example on the server that it wants.
func (e example) answer(t *testing.T, normal, idle *server) *httptest.ResponseRecorder {
	t.Helper()
	switch e.server {
	case "":
		return e.ask(t, normal)
	case "broken":
		broken := newServer(t, withSearcher(panics))
		return broken.do(t, e.request)
	case "stopping":
		stopping := newServer(t)
		stopping.Stop()
		return stopping.do(t, e.request)
	case "unhealthy":
		unhealthy := newServer(t)
		unhealthy.SetHealth(errors.New("no slot could be taken within 30s"))
		return unhealthy.do(t, e.request)
	case "keys":
		keys := newServer(t, func(c *config) { c.clients.Keys = []handlers.Key{keyFor("ann", "the-key-of-ann")} })
		return keys.do(t, e.request)
	case "private":
		private := newServer(t, func(c *config) { c.noMetrics = true })
		return private.do(t, e.request)
	case "idle": // nobody works its jobs; there are none before and after
		w := e.ask(t, idle)
		for _, job := range decodeAs[api.JobList](t, idle.get(t, "/v1/jobs?status=queued")).Jobs {
			status(t, idle.do(t, request(http.MethodDelete, job.Links.Self, "")), http.StatusOK)
		}
		return w
	case "full": // one job may wait, and does
		full := newServer(t, func(c *config) { c.workers, c.maxQueued = noWorkers, 1 })
		status(t, full.post(t, "/v1/jobs", `{"kind": "klaverjas.solve", "request": {"trump": "D", "leader": "N", "deal": "1"}}`), http.StatusAccepted)
		return e.ask(t, full)
	case "greedy": // a client may have one unfinished job, and has
		greedy := newServer(t, func(c *config) { c.workers, c.maxOwned = noWorkers, 1 })
		status(t, greedy.post(t, "/v1/jobs", `{"kind": "klaverjas.solve", "request": {"trump": "D", "leader": "N", "deal": "1"}}`), http.StatusAccepted)
		return e.ask(t, greedy)
	case "unreachable": // the place where its jobs are kept
		return e.ask(t, newServer(t, func(c *config) { c.noQueue = true }))
	case "halfway": // it has found out something, and no more
		found := make(chan struct{})
		halfway := newServer(t, withSearcher(func(ctx context.Context, q searchQuery) (searchResult, error) {
			q.Progress(search.Progress{Lower: 2, Upper: 66, Nodes: 51234})
			close(found)
			<-ctx.Done()
			return searchResult{}, ctx.Err()
		}))
		job := decodeAs[api.Job](t, halfway.do(t, e.before[0]))
		within(t, found, "the search")
		for { // until the report has come through
			e.request.URL.Path, e.request.URL.RawPath = job.Links.Self, ""
			w := halfway.do(t, e.request)
			if p := decodeAs[api.Job](t, w).Progress; p != nil && p.Upper != nil {
				return w
			}
			time.Sleep(time.Millisecond)
		}
	case "busy", "limited":
		waiting := newWaiting()
		busy := newServer(t, withSearcher(waiting.solve), func(c *config) {
			c.searchers, c.queue = 1, service.NoQueue
			if e.server == "limited" {
				c.queue, c.limits = 10, computation.Limits{Searches: 1}
			}
		})
		ctx, cancel := context.WithCancel(context.Background())
		done := make(chan struct{})
		go func() {
			defer close(done)
			other := request(http.MethodPost, "/v1/klaverjas/solve", `{"trump": "D", "leader": "N", "deal": "1"}`)
			busy.ServeHTTP(httptest.NewRecorder(), other.WithContext(ctx))
		}()
		within(t, waiting.started, "the search that keeps the server busy")
		w := busy.do(t, e.request)
		cancel()
		within(t, done, "the other request")
		return w
	default:
		t.Fatalf("%s: no server %q", e.name, e.server)
		return nil
	}
}

// Every example of the contract is executed: the answer must be the one that stands in the contract, but for what
// differs from one run to the next. With -update the answers are written there.
func TestExamples(t *testing.T) {
	normal, idle := newServer(t), newServer(t, func(c *config) { c.workers = noWorkers })
	examples := collect(t, normal.doc)
	if len(examples) < 25 {
		t.Fatalf("only %d examples", len(examples))
	}
	got := map[string][]byte{}
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
			stored := normal.doc.Components.Examples[e.name]
			got[e.name] = w.Body.Bytes()
			if *update {
				if stored != nil && cmp.Equal(steady(plain(t, stored.Value.Value)), steady(value)) {
					got[e.name] = nil // it stays as it is, so that a change of the contract changes nothing else
				}
				return
			}
			if stored == nil {
				t.Fatal("the contract has no such answer; run with -update")
			}
			shown := plain(t, stored.Value.Value)
			checkLine(t, normal, e, shown)
			if diff := cmp.Diff(steady(shown), steady(value)); diff != "" {
				t.Errorf("the contract shows another answer; if this one is right, run with -update (-contract +server)\n%s", diff)
			}
		})
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

// plain is the value after a round through JSON, in which all numbers are of one kind.
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

// checkLine checks the line that an example shows for itself: it must be played out to the score and the outcome beside
// it. There can be many best lines, and another version of the solver may find another.
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
	w := s.post(t, "/v1/klaverjas/solve", string(text))
	status(t, w, http.StatusOK)
	var end map[string]any
	if err := json.Unmarshal(w.Body.Bytes(), &end); err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{"outcome", "won", "score", "pit"} {
		if diff := cmp.Diff(answer[name], end[name]); diff != "" {
			t.Errorf("the line ends elsewhere: %s (-contract +replayed)\n%s", name, diff)
		}
	}
}

// steady takes out what differs from one run, or one version of the solver, to the next: what the answer took, and
// which of several best lines it shows; and what another version of the model would say.
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
			if object["exact"] == false || !slices.Contains([]string{"won", "win_probability", "confidence"}, name) {
				v = "(differs with the model)"
			}
		case "models", "measured":
			v = "(differs with the model)"
		case "route": // what was solved before, by another example, need not be searched
			if v == "cache" {
				v = "search"
			}
		case "id", "created_at", "started_at", "finished_at", "links":
			if job && v != nil {
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
		case "moves": // of equals, the one that the line plays comes first
			moves, _ := v.([]any)
			moves = slices.Clone(moves)
			sort.Slice(moves, func(i, j int) bool { return fmt.Sprint(moves[i]) < fmt.Sprint(moves[j]) })
			v = moves
		}
		out[name] = steady(v)
	}
	return out
}

// writeAnswers puts the answers below the mark in the contract, in the order of their names. An answer that is nil stays
// what it is there.
func writeAnswers(t *testing.T, answers map[string][]byte) {
	t.Helper()
	text, err := os.ReadFile(contractFile)
	if err != nil {
		t.Fatal(err)
	}
	head, there, ok := strings.Cut(string(text), answersMark)
	if !ok {
		t.Fatal("the contract has no mark for the answers")
	}
	mark := text[len(head):][:bytes.IndexByte(text[len(head):], '\n')+1]
	var out bytes.Buffer
	out.WriteString(head)
	out.Write(mark)
	out.WriteString("  examples:\n")
	names := make([]string, 0, len(answers))
	for name := range answers {
		names = append(names, name)
	}
	sort.Strings(names)
	for _, name := range names {
		if answers[name] == nil {
			block := regexp.MustCompile(`(?m)^    ` + regexp.QuoteMeta(name) + `:\n(?:      .*\n)+`).FindString(there)
			if block == "" {
				t.Fatalf("%s is not where it was", name)
			}
			out.WriteString(block)
			continue
		}
		var node yaml.Node // JSON is YAML: read so, fields keep their order, and numbers and strings stay what they are
		if err := yaml.Unmarshal(answers[name], &node); err != nil {
			t.Fatal(err)
		}
		layOut(node.Content[0])
		var block bytes.Buffer
		enc := yaml.NewEncoder(&block)
		enc.SetIndent(2)
		if err := enc.Encode(&node); err != nil {
			t.Fatal(err)
		}
		if err := enc.Close(); err != nil {
			t.Fatal(err)
		}
		fmt.Fprintf(&out, "    %s:\n      value:\n", name)
		for line := range strings.Lines(block.String()) {
			out.WriteString("        " + line)
		}
	}
	if err := os.WriteFile(contractFile, out.Bytes(), 0o644); err != nil {
		t.Fatal(err)
	}
}

// layOut writes an object or list that holds no objects on one line if it fits, and everything else one field a line.
// It returns how many columns one line takes, and whether there are objects in it.
func layOut(node *yaml.Node) (columns int, objects bool) {
	if node.Kind == yaml.ScalarNode {
		if node.Style&yaml.DoubleQuotedStyle != 0 {
			node.Style = 0 // the encoder quotes where it must
		}
		return len(node.Value), false
	}
	for _, child := range node.Content {
		n, deep := layOut(child)
		columns += n + len(", ")
		objects = objects || deep || child.Kind == yaml.MappingNode
	}
	node.Style = yaml.FlowStyle
	if objects || columns > 110 && node.Kind == yaml.MappingNode {
		node.Style = 0
	}
	return columns, objects
}

// The contract is valid OpenAPI, its examples included.
func TestContractIsValid(t *testing.T) {
	doc := loadContract(t)
	if err := doc.Validate(context.Background(), openapi3.EnableExamplesValidation()); err != nil {
		t.Error(err)
	}
}

func panics(context.Context, searchQuery) (searchResult, error) {
	panic("the inside of the server")
}
