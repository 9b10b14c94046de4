// Package handlerstest is for tests: a server of some games, whose answers are checked against the contract.
package handlerstest

import (
	"context"
	"encoding/json"
	"net/http/httptest"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/getkin/kin-openapi/openapi3"
	"go.uber.org/zap"

	contract "roem/api"
	"roem/api/apitest"
	"roem/api/merge"
	"roem/internal/handlers"
	"roem/internal/jobs"
	"roem/internal/jobs/boltqueue"
	"roem/internal/service"
)

// Merged returns the contract with a further part: api is the folder of the parts, and part a file.
func Merged(t *testing.T, api, part string) *contract.Contract {
	t.Helper()
	text, err := merge.Contract(api, part)
	if err != nil {
		t.Fatal(err)
	}
	c, err := apitest.Read(text)
	if err != nil {
		t.Fatal(err)
	}
	return c
}

// Server is a server with a queue of jobs.
type Server struct {
	*handlers.Handlers
	doc *openapi3.T // refuses answers with a field that it does not describe
}

// New returns a server of the games that add adds to its service.
func New(t *testing.T, c *contract.Contract, add func(*service.Service)) *Server {
	t.Helper()
	doc, err := apitest.Strict(c)
	if err != nil {
		t.Fatal(err)
	}
	queue, err := boltqueue.Open(filepath.Join(t.TempDir(), "jobs.db"), jobs.Options{})
	if err != nil {
		t.Fatal(err)
	}
	s, err := service.New(service.Options{Version: "v1", Jobs: queue})
	if err != nil {
		t.Fatal(err)
	}
	add(s)
	h, err := handlers.New(handlers.Options{
		Contract: c, Service: s, Log: zap.NewNop(), MaxWait: time.Minute, MaxBody: 64 << 10, MaxList: 1 << 20,
	})
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(context.Background())
	done := make(chan error, 1)
	go func() { done <- s.WorkJobs(ctx, 1) }()
	t.Cleanup(func() {
		cancel()
		if err := <-done; err != nil {
			t.Errorf("working on jobs: %v", err)
		}
		if err := queue.Close(); err != nil {
			t.Error(err)
		}
	})
	return &Server{h, doc}
}

// Do sends a request. It fails the test unless the answer has the status and meets the schema of that name, if one is given.
func (s *Server) Do(t *testing.T, method, path, body string, status int, schema string) (answer map[string]any) {
	t.Helper()
	r, w := httptest.NewRequestWithContext(t.Context(), method, path, strings.NewReader(body)), httptest.NewRecorder()
	r.Header.Set("Content-Type", "application/json")
	s.ServeHTTP(w, r)
	if w.Code != status {
		t.Fatalf("%s %s: status %d, want %d: %s", method, path, w.Code, status, w.Body)
	}
	if w.Body.Len() > 0 {
		if err := json.Unmarshal(w.Body.Bytes(), &answer); err != nil {
			t.Fatalf("%s %s: %v", method, path, err)
		}
	}
	if schema != "" {
		if err := s.doc.Components.Schemas[schema].Value.VisitJSON(answer); err != nil {
			t.Errorf("%s %s: %v", method, path, err)
		}
	}
	return answer
}
