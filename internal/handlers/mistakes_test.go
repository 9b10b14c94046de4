package handlers_test

import (
	"encoding/json"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"roem/internal/api"
	"roem/internal/handlers"
)

// mistake is a request in which an integrator has made one mistake.
type mistake struct {
	name string
	// of is OPERATION.EXAMPLE, the good request of the contract in which old is replaced by the mistake; or METHOD PATH.
	of      string
	old, by string      // with METHOD PATH, by is the body
	header  [][2]string // header fields that are set; a name without a value is removed
}

// The mistakes in headers need a server with keys.
const (
	goodKey  = "a-key-of-a-test"
	pagesKey = "a-publishable-key"
)

// makeMistakes sends the mistakes and adds the answers. It returns how many there are.
func (s *server) makeMistakes(t *testing.T, to *answers) int {
	t.Helper()
	keyed := newServer(t, func(c *config) {
		c.clients = handlers.Clients{Keys: []handlers.Key{
			keyFor("one", goodKey), publishableFor("page", pagesKey, "https://cards.example"),
		}}
	})
	ids := strings.NewReplacer(
		"{session}", s.created(t, "klaverjasCreateSession.hand"), "{bidding}", s.created(t, "klaverjasCreateSession.match"),
		"{tarok}", s.created(t, "tarokCreateSession.hand"), "{gin}", s.created(t, "ginRummyCreateSession.hand"),
		"{job}", s.created(t, "createJob.solve"),
	)
	all := append(append(append(cardMistakes, ruleMistakes...), otherMistakes...), httpMistakes...)
	for _, m := range all {
		t.Run(m.name, func(t *testing.T) {
			method, target, body := s.requestOf(t, m)
			r := httptest.NewRequestWithContext(t.Context(), method, ids.Replace(target), strings.NewReader(body))
			r.Header.Set("Content-Type", "application/json")
			on := s
			for _, field := range m.header {
				r.Header.Del(field[0])
				if field[1] != "" {
					r.Header.Set(field[0], field[1])
				}
				if field[0] == "Authorization" {
					on = keyed
				}
			}
			w := on.do(t, r)
			if w.Code < 400 || w.Code >= 500 {
				t.Fatalf("status %d: %s", w.Code, w.Body)
			}
			p := decodeAs[api.Problem](t, w)
			places(t, p)
			to.add(m.name, p)
		})
	}
	return len(all)
}

// requestOf returns the request with the mistake.
func (s *server) requestOf(t *testing.T, m mistake) (method, target, body string) {
	t.Helper()
	if method, target, ok := strings.Cut(m.of, " "); ok {
		return method, target, m.by
	}
	method, target, body = s.exampleOf(t, m.of)
	wrong := strings.Replace(body, m.old, m.by, 1)
	if wrong == body {
		t.Fatalf("nothing replaced in %s", body)
	}
	return method, target, wrong
}

// exampleOf returns a request of the contract. Its body has no spaces and its fields are in alphabetical order.
func (s *server) exampleOf(t *testing.T, name string) (method, target, body string) {
	t.Helper()
	id, example, _ := strings.Cut(name, ".")
	for path, item := range s.doc.Paths.Map() {
		for method, operation := range item.Operations() {
			if operation.OperationID != id {
				continue
			}
			text, err := json.Marshal(operation.RequestBody.Value.Content["application/json"].Examples[example].Value.Value)
			if err != nil {
				t.Fatal(err)
			}
			for _, session := range [][2]string{{"klaverjas", "session"}, {"tarok", "tarok"}, {"gin-rummy", "gin"}} {
				path = strings.Replace(path, session[0]+"/sessions/{id}", session[0]+"/sessions/{"+session[1]+"}", 1)
			}
			return method, path, string(text)
		}
	}
	t.Fatalf("the contract has no operation %s", id)
	return "", "", ""
}

// created sends a request of the contract, and returns the id of what it has created.
func (s *server) created(t *testing.T, example string) string {
	t.Helper()
	method, target, body := s.exampleOf(t, example)
	w := s.do(t, request(method, target, body))
	if w.Code >= http.StatusBadRequest {
		t.Fatalf("%s: %s", example, w.Body)
	}
	location := w.Header().Get("Location")
	return location[strings.LastIndex(location, "/")+1:]
}
