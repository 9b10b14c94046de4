package handlers_test

import (
	"context"
	"fmt"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"testing"
	"time"

	"roem/internal/api"
	"roem/internal/computation"
	"roem/internal/service"
)

// Requests without a search are answered while every slot is busy and the queue is full.
func TestCheapRequestsWhileBusy(t *testing.T) {
	waiting := newWaiting()
	s := newServer(t, withSearcher(waiting.solve), func(c *config) { c.searchers, c.queue = 1, 1 })
	ctx, cancel := context.WithCancel(context.Background())
	var all sync.WaitGroup
	for i := range 2 { // one request is searched, one waits
		all.Go(func() {
			body := fmt.Sprintf(`{"trump": "C", "leader": "N", "deal": "%d"}`, i)
			s.ServeHTTP(httptest.NewRecorder(), request(http.MethodPost, "/v1/klaverjas/solve", body).WithContext(ctx))
		})
	}
	within(t, waiting.started, "the search")
	defer all.Wait()
	defer cancel()
	until(t, "the other to wait", func() bool { return s.service.Load().Waiting == 1 })
	busy := s.do(t, preferring(request(http.MethodPost, "/v1/klaverjas/solve", someDeal), "wait=1"))
	if got := decodeAs[api.Problem](t, busy).Type; busy.Code != 503 || got != "/docs/errors#busy" {
		t.Errorf("%d %s", busy.Code, got)
	}
	status(t, s.post(t, "/v1/klaverjas/legal-moves", someDeal), 200)
	status(t, s.post(t, "/v1/klaverjas/deals/index", someDeal), 200)
	status(t, s.get(t, "/v1/klaverjas/deals/random"), 200)
	status(t, s.get(t, "/healthz"), 200)
	status(t, s.get(t, "/readyz"), 200)
	if l := s.service.Load(); l.Busy != 1 || l.Waiting != 1 {
		t.Errorf("the cheap requests were answered when the server was not busy: %+v", l)
	}
}

// ofTarokHand returns a request body with a hand of tarok before the bidding and the given fields.
func ofTarokHand(fields string) string {
	return `{"seat": "A", "hand": ["T1","T4","T6","T11","T14","T15","T21","HK","SK","D4","D3","D1","DJ","DK","C8","CJ"], ` + fields + `}`
}

// worldsLeft returns a request body with a formula and a position in which 560 worlds are possible to all.
func worldsLeft(formula string) string {
	return `{"trump": "C", "leader": "N", "hands": {"N": ["8D","10H","QH","AH","9S","10S","QS","AS"],
		"E": ["9C","QC","KC","9D","7H","8H","KH","KS"], "S": ["7C","8C","10C","JC","7D","JD","KD","AD"],
		"W": ["AC","10D","QD","9H","JH","7S","8S","JS"]}, "played": ["10S","KS","7C","8S","KD","QD","8D","9D","10C","AC","10H","9C",
		"7H","JC","9H","QH","8C","10D","QS","QC","KC"], "formula": "` + formula + `"}`
}

// allOfThem names the owners of nine of the cards of worldsLeft, so that no two worlds are alike to a formula.
const allOfThem = "own(N,AH) and own(N,9S) and " +
	"own(E,8H) and own(E,KH) and own(S,7D) and own(S,JD) and own(W,7S) and own(W,JS) and own(W,JH)"

// Requests that compute for milliseconds take a slot too, so that any number of them leaves the slots to others.
func TestSlottedOnABusyServer(t *testing.T) {
	s, _ := occupied(t, service.NoQueue, computation.Limits{}, nil)
	// free is a request of the same path that needs no slot.
	for name, one := range map[string]struct{ path, body, free string }{
		"advice of Gin Rummy": {"/v1/gin-rummy/advise", ginSituation(``), ginSituation(`, "player": "simple"`)},
		"clusters of tarok": {
			"/v1/tarok/worlds", ofTarokHand(`"method": "clustered", "seed": "1"`), ofTarokHand(`"method": "plain", "seed": "1"`),
		},
		"a formula in some hundred worlds": {checkPath, worldsLeft("E C E not (" + allOfThem + ")"), view(`"formula": "K_S own(N,AC)"`)},
		"complexity of tarok":              {"/v1/tarok/complexity", `{"playouts": 10, "seed": "1"}`, ``},
	} {
		t.Run(name, func(t *testing.T) {
			w := s.post(t, one.path, one.body)
			status(t, w, http.StatusServiceUnavailable)
			if w.Header().Get("Retry-After") == "" {
				t.Error("there is no Retry-After")
			}
			if one.free != "" {
				status(t, s.post(t, one.path, one.free), http.StatusOK)
			}
		})
	}
}

func preferring(r *http.Request, preferences ...string) *http.Request {
	for _, p := range preferences {
		r.Header.Add("Prefer", p)
	}
	return r
}

func TestPrefer(t *testing.T) {
	s := newServer(t, func(c *config) { c.maxWait = 30 * time.Second })
	tests := []struct {
		prefer  []string
		applied string
	}{
		{nil, ""},
		{[]string{"wait=10"}, "wait=10"},
		{[]string{"WAIT = 10"}, "wait=10"},
		{[]string{`wait="10"`}, "wait=10"},
		{[]string{"wait=100000"}, "wait=30"},
		{[]string{"respond-async, wait=7; foo=bar"}, "wait=7"},
		{[]string{"respond-async", "wait=8"}, "wait=8"},
		{[]string{"wait=5, wait=6"}, "wait=5"},
		{[]string{"respond-async"}, ""},
		{[]string{"wait"}, ""},
		{[]string{"wait=soon"}, ""},
		{[]string{"wait=-1"}, ""},
		{[]string{"wait=99999999999999999999"}, ""},
		{[]string{",,;=,"}, ""},
	}
	for _, tt := range tests {
		t.Run(strings.Join(tt.prefer, "|"), func(t *testing.T) {
			w := s.do(t, preferring(request(http.MethodPost, "/v1/klaverjas/solve", someDeal), tt.prefer...))
			status(t, w, 200)
			if got := w.Header().Get("Preference-Applied"); got != tt.applied {
				t.Errorf("applied %q, want %q", got, tt.applied)
			}
		})
	}
}
