package handlers_test

import (
	"context"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"roem/internal/api"
	"roem/internal/engine/klaverjas/search"
	"roem/internal/service"
	"roem/internal/testkit"
)

func TestHybridRoutes(t *testing.T) {
	var searches atomic.Int64
	finished := with(`"played": ["KH", "8S", "7H", "8H", "JS", "10S", "KD", "7S", "QS", "AS", "JD", "9S", "KS", "8D", "9C", "8C", "AC", ` +
		`"9D", "10C", "QC", "7C", "10D", "7D", "KC", "QH", "JH", "QD", "10H", "9H", "AH", "JC", "AD"]`)
	for _, tt := range []struct {
		name     string
		model    fixed
		body     string
		route    api.KlaverjasRoute
		won      bool
		searches int64
	}{
		{"in doubt", doubtful, someDeal, api.KlaverjasRouteSearch, true, 1},
		{"low confidence, with time", doubtful, with(`"budget_ms": 10000`), api.KlaverjasRouteSearch, true, 1},
		{"sure", certain, someDeal, api.KlaverjasRouteModel, false, 0},
		{"sure, but proof is wanted", certain, with(`"min_confidence": 1`), api.KlaverjasRouteSearch, true, 1},
		{"sure enough", doubtful, with(`"min_confidence": 0.55`), api.KlaverjasRouteModel, true, 0},
		{"not confident enough", doubtful, with(`"min_confidence": 0.65`), api.KlaverjasRouteSearch, true, 1},
		{"no time", doubtful, with(`"budget_ms": 0`), api.KlaverjasRouteModel, true, 0},
		{"no time for a search", doubtful, with(`"budget_ms": 0, "min_confidence": 1`), api.KlaverjasRouteModel, true, 0},
		{"hand over", doubtful, finished, api.KlaverjasRouteSearch, true, 0},
		{
			"finished hand, no time", doubtful, strings.Replace(finished, `"trump"`, `"budget_ms": 0, "trump"`, 1),
			api.KlaverjasRouteSearch, true, 0,
		},
	} {
		t.Run(tt.name, func(t *testing.T) {
			searches.Store(0)
			s := newServer(t, counting(&searches, open()), withPredictor(tt.model))
			w := s.post(t, "/v1/klaverjas/hybrid", tt.body)
			status(t, w, http.StatusOK)
			got := decodeAs[api.KlaverjasHybridAnswer](t, w)
			if got.Route != tt.route || got.Won != tt.won || got.Exact != (tt.route != api.KlaverjasRouteModel) || got.Reason == "" {
				t.Errorf("%s", w.Body)
			}
			switch {
			case got.Exact && (got.Confidence != 1 || got.WinProbability != map[bool]float64{true: 1}[got.Won]):
				t.Errorf("an exact answer with confidence %v, %v", got.Confidence, got.WinProbability)
			case !got.Exact && (got.Confidence != max(tt.model.win, 1-tt.model.win) || got.WinProbability != tt.model.win):
				t.Errorf("a prediction with confidence %v, %v", got.Confidence, got.WinProbability)
			}
			if n := searches.Load(); n != tt.searches {
				t.Errorf("%d searches, want %d", n, tt.searches)
			}
		})
	}
}

// The hybrid uses a cached result of solve, also for a twin, and vice versa.
func TestHybridSharesTheCache(t *testing.T) {
	s := newServer(t, withPredictor(doubtful))
	status(t, s.post(t, "/v1/klaverjas/solve", someDeal), http.StatusOK)
	swapped := strings.NewReplacer(`C"`, `D"`, `D"`, `C"`).Replace(someDeal)
	w := s.post(t, "/v1/klaverjas/hybrid", swapped)
	status(t, w, http.StatusOK)
	if got := decodeAs[api.KlaverjasHybridAnswer](t, w); got.Route != api.KlaverjasRouteCache || !got.Won || !got.Exact ||
		got.Stats.Nodes != 0 {
		t.Errorf("%s", w.Body)
	}
}

// If the search does not finish within the budget, the model answers. Without a model the answer is an error.
func TestHybridKeepsItsBudget(t *testing.T) {
	waiting := newWaiting()
	s := newServer(t, withSearcher(waiting.solve), withPredictor(doubtful))
	began := time.Now()
	w := s.post(t, "/v1/klaverjas/hybrid", with(`"budget_ms": 300`))
	took := time.Since(began)
	status(t, w, http.StatusOK)
	if got := decodeAs[api.KlaverjasHybridAnswer](t, w); got.Route != api.KlaverjasRouteModel ||
		!strings.Contains(got.Reason, "budget of 300 ms") {
		t.Errorf("%s", w.Body)
	}
	if took < 300*time.Millisecond || took > testkit.Patience {
		t.Errorf("took %v for a budget of 300 ms", took)
	}
	within(t, waiting.stopped, "the end of the search")

	w = s.post(t, "/v1/klaverjas/hybrid", with(`"budget_ms": 50, "played": ["JH"]`))
	status(t, w, http.StatusServiceUnavailable)
	if p := decodeAs[api.Problem](t, w); p.Type != "/docs/errors#too-slow" || !strings.Contains(p.Detail, "there is no prediction") {
		t.Errorf("%s", w.Body)
	}
}

// A list without time is answered by the model too.
func TestHybridBatchWithoutTime(t *testing.T) {
	var searches atomic.Int64
	s := newServer(t, counting(&searches, open()), withPredictor(doubtful))
	for range 5 {
		w := s.post(t, "/v1/klaverjas/hybrid/batch", list(`"budget_ms": 0, "min_confidence": 1, `, someDeal, someDeal))
		status(t, w, http.StatusOK)
		if got := decodeAs[api.KlaverjasHybridBatch](t, w); got.Routes.Model != 2 || searches.Load() != 0 {
			t.Errorf("%d searches: %s", searches.Load(), w.Body)
		}
	}
}

// The budget includes the wait for a slot. If the queue is full, the model answers immediately.
func TestHybridOnABusyServer(t *testing.T) {
	for name, tt := range map[string]struct {
		queue  int
		budget string
		says   string
	}{
		"in the queue": {10, "300", "the wait for a searcher"},
		"queue full":   {service.NoQueue, "60000", "Every searcher is busy"},
	} {
		t.Run(name, func(t *testing.T) {
			waiting := newWaiting()
			s := newServer(t, withSearcher(waiting.solve), withPredictor(doubtful), func(c *config) { c.searchers, c.queue = 1, tt.queue })
			ctx, leave := context.WithCancel(t.Context())
			done := make(chan struct{})
			go func() {
				defer close(done)
				other := request(http.MethodPost, "/v1/klaverjas/solve", `{"trump": "D", "leader": "N", "deal": "1"}`)
				s.ServeHTTP(httptest.NewRecorder(), other.WithContext(ctx))
			}()
			within(t, waiting.started, "the search that keeps the server busy")
			w := s.post(t, "/v1/klaverjas/hybrid", with(`"budget_ms": `+tt.budget))
			leave()
			within(t, done, "the other request")
			status(t, w, http.StatusOK)
			if got := decodeAs[api.KlaverjasHybridAnswer](t, w); got.Route != api.KlaverjasRouteModel || !strings.Contains(got.Reason, tt.says) {
				t.Errorf("%s", w.Body)
			}
		})
	}
}

// When a client disconnects, the searches of its list stop.
func TestHybridClientLeaves(t *testing.T) {
	for path, body := range map[string]string{"/v1/klaverjas/hybrid": someDeal, "/v1/klaverjas/hybrid/batch": list("", someDeal)} {
		t.Run(path, func(t *testing.T) {
			waiting := newWaiting()
			s := newServer(t, withSearcher(waiting.solve), withPredictor(doubtful))
			ctx, leave := context.WithCancel(t.Context())
			done := make(chan struct{})
			go func() {
				defer close(done)
				s.ServeHTTP(httptest.NewRecorder(), request(http.MethodPost, path, body).WithContext(ctx))
			}()
			within(t, waiting.started, "the search")
			leave()
			within(t, waiting.stopped, "the end of the search")
			within(t, done, "the request")
		})
	}
}

// A search that fails is an internal error, even if a model could answer.
func TestHybridDoesNotHideFaults(t *testing.T) {
	s := newServer(t, withSearcher(func(context.Context, search.Query) (search.Result, error) { panic("inside") }), withPredictor(doubtful))
	status(t, s.post(t, "/v1/klaverjas/hybrid", someDeal), http.StatusInternalServerError)
	w := s.post(t, "/v1/klaverjas/hybrid/batch", list("", someDeal))
	status(t, w, http.StatusOK)
	if !strings.Contains(w.Body.String(), "/docs/errors#internal") {
		t.Errorf("%s", w.Body)
	}
}
