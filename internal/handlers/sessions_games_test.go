package handlers_test

import (
	"encoding/json"
	"net/http"
	"net/http/httptest"
	"testing"

	"github.com/google/go-cmp/cmp"

	"roem/internal/sessions"
)

// anySession is what the sessions of all games have.
type anySession struct {
	ID    string `json:"id"`
	Links struct {
		Self string `json:"self"`
	} `json:"links"`
}

func anySessionOf(t *testing.T, w *httptest.ResponseRecorder) (s anySession) {
	t.Helper()
	if err := json.Unmarshal(w.Body.Bytes(), &s); err != nil || s.ID == "" {
		t.Fatalf("no session: %v\n%s", err, w.Body)
	}
	return s
}

// createSessionOf creates a session of a game and checks its address.
func createSessionOf[T any](t *testing.T, s *server, path, body string) (T, *httptest.ResponseRecorder) {
	t.Helper()
	w := s.post(t, path, body)
	status(t, w, http.StatusCreated)
	one := anySessionOf(t, w)
	if got := w.Header().Get("Location"); got != one.Links.Self || got != path+"/"+one.ID {
		t.Errorf("Location %q, links %q", got, one.Links.Self)
	}
	return decodeAs[T](t, w), w
}

// In every game a request repeated with the same key has the same session, and another request with that key is refused. A session of one
// game is not one of another, and one that has ended is not found.
func TestSessionsOfEachGame(t *testing.T) {
	games := map[string]struct {
		path, body, other string
		acts              []sessionAct
	}{
		"klaverjas": {
			sessionsPath, `{"players": {"partner": "simple", "opponents": "simple"}}`, `{"leader": "N"}`,
			[]sessionAct{playAct(0, "7C"), {"/next", `{"acts": 0}`}},
		},
		"belote": {
			beloteSessionsPath, `{"players": {"opponent": "simple"}, "suits": ["H"]}`, `{"players": {"opponent": "random"}, "suits": ["H"]}`,
			[]sessionAct{{"/call", `{"acts": 0, "call": "pass"}`}, playAct(0, "7H"), {"/next", `{"acts": 0}`}},
		},
		"gin rummy": {
			ginSessionsPath, `{"players": {"opponent": "simple"}}`, `{"players": {"opponent": "random"}}`,
			[]sessionAct{{"/play", `{"acts": 0, "action": {"kind": "pass"}}`}, {"/next", `{"acts": 0}`}},
		},
		"tarok": {
			tarokSessionsPath, `{"players": {"left": "heuristic", "right": "random"}}`, `{"seat": "B"}`,
			[]sessionAct{{"/call", `{"acts": 0, "call": "pass"}`}, {"/next", `{"acts": 0}`}},
		},
	}
	for name, game := range games {
		t.Run(name, func(t *testing.T) {
			onEachSessionStore(t, func(t *testing.T, store func(*config)) {
				t.Helper()
				s := newServer(t, store, keyed)
				create := func(body string) *httptest.ResponseRecorder {
					r := request(http.MethodPost, game.path, body)
					r.Header.Set("Idempotency-Key", "one")
					return s.do(t, r)
				}
				w := create(game.body)
				status(t, w, http.StatusCreated)
				first, again := anySessionOf(t, w), create(game.body)
				status(t, again, http.StatusCreated)
				if diff := cmp.Diff(unexpiring(t, w), unexpiring(t, again)); diff != "" {
					t.Errorf("the request repeated has another session (-first +again)\n%s", diff)
				}
				status(t, create(game.other), http.StatusUnprocessableEntity)
				for _, other := range games {
					if other.path != game.path {
						status(t, s.get(t, other.path+"/"+first.ID), http.StatusNotFound)
					}
				}
				status(t, s.do(t, request(http.MethodDelete, first.Links.Self, "")), http.StatusNoContent)
				for _, id := range []string{first.ID, sessions.NewID(), "x"} {
					status(t, s.get(t, game.path+"/"+id), http.StatusNotFound)
					status(t, s.do(t, request(http.MethodDelete, game.path+"/"+id, "")), http.StatusNotFound)
					for _, act := range game.acts {
						status(t, s.post(t, game.path+"/"+id+act.path, act.body), http.StatusNotFound)
					}
				}
			})
		})
	}
}
