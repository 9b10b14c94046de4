package handlers_test

import (
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"net/http"
	"net/http/httptest"
	"regexp"
	"testing"

	"github.com/google/go-cmp/cmp"

	"roem/internal/api"
)

// friendly is a game whose acts can be taken back: how a session is created, and a legal act in the session of an answer.
type friendly struct {
	path, body string
	act        func(t *testing.T, w *httptest.ResponseRecorder) sessionAct
}

// friendlyGames returns every game.
func friendlyGames(rng *rand.Rand) map[string]friendly {
	return map[string]friendly{
		"klaverjas": {
			sessionsPath, `"bidding": "free", "hands": 16, "players": {"partner": "simple", "opponents": "simple"}`,
			func(t *testing.T, w *httptest.ResponseRecorder) sessionAct {
				t.Helper()
				now := decodeAs[api.KlaverjasSession](t, w)
				return legalAct(rng, &now)
			},
		},
		"belote": {
			beloteSessionsPath, `"players": {"opponent": "simple"}, "hands": 2, "suits": ["H", "S"]`,
			func(t *testing.T, w *httptest.ResponseRecorder) sessionAct {
				t.Helper()
				now := decodeAs[api.BeloteSession](t, w)
				return legalBeloteAct(rng, &now)
			},
		},
		"gin rummy": {ginSessionsPath, `"players": {"opponent": "simple"}`, func(t *testing.T, w *httptest.ResponseRecorder) sessionAct {
			t.Helper()
			now := decodeAs[api.GinSession](t, w)
			return legalGinAct(rng, &now)
		}},
		"tarok": {
			tarokSessionsPath, `"hands": 2, "players": {"left": "heuristic", "right": "heuristic"}`,
			func(t *testing.T, w *httptest.ResponseRecorder) sessionAct {
				t.Helper()
				now := decodeAs[api.TarokSession](t, w)
				return legalTarokAct(t, rng, &now)
			},
		},
	}
}

// numbered is an answer without the number of its next act.
func numbered(t *testing.T, w *httptest.ResponseRecorder) (rest string, acts int) {
	t.Helper()
	var s struct {
		Acts int `json:"acts"`
	}
	if err := json.Unmarshal(w.Body.Bytes(), &s); err != nil {
		t.Fatal(err)
	}
	return regexp.MustCompile(`"acts":\d+`).ReplaceAllString(unexpiring(t, w), ""), s.Acts
}

// In every game the last act is taken back with all that followed, over the ends of hands too: the session is as it was, only its next act
// has a number that no act has had. A request repeated changes nothing, and an act of a line that was left is refused.
func TestTakeback(t *testing.T) {
	for name, game := range friendlyGames(rand.New(rand.NewPCG(3, 4))) {
		t.Run(name, func(t *testing.T) {
			s := newServer(t)
			w := s.post(t, game.path, `{"takeback": true, "seed": "5", `+game.body+`}`)
			status(t, w, http.StatusCreated)
			self := anySessionOf(t, w).Links.Self
			back := func(acts int) *httptest.ResponseRecorder {
				return s.post(t, self+"/takeback", fmt.Sprintf(`{"acts": %d}`, acts))
			}
			refused := func(w *httptest.ResponseRecorder, code api.ErrorCode) {
				t.Helper()
				status(t, w, http.StatusConflict)
				if got := decodeAs[api.Problem](t, w).Code; got != code {
					t.Errorf("refused with %s, want %s", got, code)
				}
			}
			refused(back(0), "nothing_to_take_back")
			for range 24 {
				if regexp.MustCompile(`"state":"over"`).Match(w.Body.Bytes()) {
					break
				}
				before, n := numbered(t, w)
				act := game.act(t, w)
				after := s.post(t, self+act.path, act.body)
				status(t, after, http.StatusOK)
				for range 2 { // the second is a repetition
					taken := back(n + 1)
					status(t, taken, http.StatusOK)
					got, next := numbered(t, taken)
					if diff := cmp.Diff(before, got); diff != "" || next != n+2 {
						t.Fatalf("after %s %s was taken back, act %d is next (-before +after)\n%s", act.path, act.body, next, diff)
					}
				}
				refused(s.post(t, self+act.path, act.body), "act_taken")
				w = s.get(t, self)
				act = game.act(t, w)
				w = s.post(t, self+act.path, act.body)
				status(t, w, http.StatusOK)
			}
		})
	}
}

// In a session that was created without takeback no act can be taken back, and hands that can be taken back are not compared.
func TestNoTakeback(t *testing.T) {
	s := newServer(t)
	for name, game := range friendlyGames(rand.New(rand.NewPCG(3, 4))) {
		w := s.post(t, game.path, `{"seed": "5", `+game.body+`}`)
		status(t, w, http.StatusCreated)
		act := game.act(t, w)
		self := anySessionOf(t, w).Links.Self
		status(t, s.post(t, self+act.path, act.body), http.StatusOK)
		w = s.post(t, self+"/takeback", `{"acts": 1}`)
		status(t, w, http.StatusConflict)
		if got := decodeAs[api.Problem](t, w); got.Code != "no_takeback" || got.Acts == nil || *got.Acts != 1 {
			t.Errorf("%s: refused with %s", name, w.Body)
		}
	}
	w := s.post(t, sessionsPath, `{"takeback": true, "compare": "master"}`)
	status(t, w, http.StatusUnprocessableEntity)
	if got := decodeAs[api.Problem](t, w); got.Errors == nil || *(*got.Errors)[0].Pointer != "/compare" {
		t.Errorf("refused with %s", w.Body)
	}
}
