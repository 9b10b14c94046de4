package handlers_test

import (
	"bufio"
	"bytes"
	"encoding/json"
	"fmt"
	"net"
	"net/http"
	"net/http/httptest"
	"strconv"
	"testing"

	"github.com/go-chi/chi/v5"

	"roem/internal/api"
)

// BenchmarkCachedSolve measures a solve whose answer is in the cache, from the bytes of the request to the bytes of the answer.
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

// BenchmarkCachedSolveOverHTTP measures the same over connections, with a client that costs little. make pgo profiles it.
func BenchmarkCachedSolveOverHTTP(b *testing.B) {
	s := newServer(b)
	web := httptest.NewServer(s)
	defer web.Close()
	var messages [][]byte
	for _, p := range randomPositions(8) {
		s.ServeHTTP(httptest.NewRecorder(), request(http.MethodPost, "/v1/klaverjas/solve", p))
		messages = append(messages, fmt.Appendf(nil,
			"POST /v1/klaverjas/solve HTTP/1.1\r\nHost: roem\r\nContent-Type: application/json\r\nContent-Length: %d\r\n\r\n%s", len(p), p))
	}
	b.RunParallel(func(pb *testing.PB) {
		c, err := net.Dial("tcp", web.Listener.Addr().String())
		if err != nil {
			b.Error(err)
			return
		}
		defer func() { _ = c.Close() }()
		answers := bufio.NewReader(c)
		for i := 0; pb.Next(); i++ {
			if _, err := c.Write(messages[i%len(messages)]); err != nil {
				b.Error(err)
				return
			}
			if err := skipAnswer(answers); err != nil {
				b.Error(err)
				return
			}
		}
	})
}

// skipAnswer reads an answer 200 and forgets it.
func skipAnswer(r *bufio.Reader) error {
	size := 0
	for first := true; ; first = false {
		line, err := r.ReadSlice('\n')
		if err != nil {
			return err
		}
		if first && !bytes.HasPrefix(line, []byte("HTTP/1.1 200 ")) {
			return fmt.Errorf("answered %q", line)
		}
		if value, found := bytes.CutPrefix(line, []byte("Content-Length: ")); found {
			if size, err = strconv.Atoi(string(bytes.TrimSpace(value))); err != nil {
				return err
			}
		}
		if len(line) == len("\r\n") {
			_, err = r.Discard(size)
			return err
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
