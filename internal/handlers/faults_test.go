package handlers_test

import (
	"context"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync/atomic"
	"testing"

	game "roem/internal/service/klaverjas"

	"go.uber.org/zap"
	"go.uber.org/zap/zaptest/observer"

	"roem/internal/engine/klaverjas/search"
)

// A panic is answered with 500 without internal details and is logged. The server continues to work.
func TestPanic(t *testing.T) {
	core, logs := observer.New(zap.InfoLevel)
	var broken atomic.Bool
	broken.Store(true)
	s := newServer(t, func(c *config) {
		c.log = zap.New(core)
		c.searchers = 1
		c.searcher = func() game.Searcher {
			solver := search.New(search.Options{TableBytes: 4 << 20})
			return searcherFunc(func(ctx context.Context, q search.Query) (search.Result, error) {
				if broken.Load() {
					panic("the inside of the server")
				}
				return solver.Solve(ctx, q)
			})
		}
	})
	for _, path := range []string{
		"/v1/klaverjas/solve", "/v1/klaverjas/analyse", "/v1/klaverjas/table", "/v1/klaverjas/advise",
		"/v1/klaverjas/review", "/v1/klaverjas/evening",
	} {
		body := someDeal
		switch path {
		case "/v1/klaverjas/table":
			body = `{"leader": "S", "hands": ` + goodHands + `}`
		case "/v1/klaverjas/advise":
			body = goodView
		case "/v1/klaverjas/review":
			body = with(`"played": ["JH", "8S"], "seat": "S"`)
		case "/v1/klaverjas/evening":
			body = recordBody(`{"game": "klaverjas", "position": `+with(`"played": ["JH", "8S"]`)+`}`, "")
		case "/v1/klaverjas/analyse":
			body = with(`"played": ["JH", "8S"]`)
		}
		w := s.post(t, path, body)
		status(t, w, 500)
		if strings.Contains(w.Body.String(), "inside") || strings.Contains(w.Body.String(), "goroutine") {
			t.Errorf("the answer has internal details: %s", w.Body)
		}
		if logs.FilterField(zap.String("request_id", w.Header().Get("X-Request-ID"))).FilterLevelExact(zap.ErrorLevel).Len() != 1 {
			t.Errorf("the request is not in the log as an error")
		}
	}
	broken.Store(false)
	status(t, s.post(t, "/v1/klaverjas/solve", someDeal), 200)
}

// An impossible result of a searcher is answered with 500.
func TestWrongSearch(t *testing.T) {
	s := newServer(t, withSearcher(func(context.Context, search.Query) (search.Result, error) {
		return search.Result{Goal: search.Value, Won: true, Outcome: 999}, nil
	}))
	w := httptest.NewRecorder()
	s.ServeHTTP(w, request(http.MethodPost, "/v1/klaverjas/solve", someDeal))
	status(t, w, 500)
}
