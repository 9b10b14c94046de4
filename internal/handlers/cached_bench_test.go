package handlers_test

import (
	"encoding/json"
	"net/http"
	"net/http/httptest"
	"testing"

	"github.com/go-chi/chi/v5"

	"roem/internal/api"
)

// BenchmarkCachedSolve measures a solve whose answer is in the cache, from the bytes of the request to those of the answer.
func BenchmarkCachedSolve(b *testing.B) {
	s := newServer(b)
	positions := randomPositions(8)
	for _, p := range positions {
		s.ServeHTTP(httptest.NewRecorder(), request(http.MethodPost, "/v1/klaverjas/solve", p))
	}
	b.ReportAllocs()
	for i := 0; b.Loop(); i++ {
		w := httptest.NewRecorder()
		s.ServeHTTP(w, request(http.MethodPost, "/v1/klaverjas/solve", positions[i%len(positions)]))
		if w.Code != http.StatusOK {
			b.Fatal(w.Body)
		}
	}
}

// BenchmarkBareSolve is the baseline for cached solves: a handler that only decodes the same bodies and encodes the same answers.
func BenchmarkBareSolve(b *testing.B) {
	s := newServer(b)
	positions := randomPositions(8)
	answers := map[string]api.KlaverjasSolution{}
	for _, p := range positions {
		w := httptest.NewRecorder()
		s.ServeHTTP(w, request(http.MethodPost, "/v1/klaverjas/solve", p))
		answers[p] = decodeAs[api.KlaverjasSolution](b, w)
	}
	at := 0
	r := chi.NewRouter()
	r.Post("/v1/klaverjas/solve", func(w http.ResponseWriter, r *http.Request) {
		var in api.KlaverjasSolveRequest
		if err := json.NewDecoder(r.Body).Decode(&in); err != nil {
			w.WriteHeader(http.StatusBadRequest)
			return
		}
		w.Header().Set("Content-Type", "application/json")
		_ = json.NewEncoder(w).Encode(answers[positions[at]])
	})
	b.ReportAllocs()
	for i := 0; b.Loop(); i++ {
		at = i % len(positions)
		w := httptest.NewRecorder()
		r.ServeHTTP(w, request(http.MethodPost, "/v1/klaverjas/solve", positions[at]))
		if w.Code != http.StatusOK {
			b.Fatal(w.Body)
		}
	}
}
