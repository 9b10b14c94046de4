package handlers_test

import (
	"fmt"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"roem/internal/api"
	"roem/internal/service"
)

// A client at its limit of unfinished jobs cannot create more in any way. Other clients can.
func TestJobsOfOneClient(t *testing.T) { onEachQueue(t, testJobsOfOneClient) }

func testJobsOfOneClient(t *testing.T, queue func(*config)) {
	t.Helper()
	s := newServer(t, queue, keyed, func(c *config) { c.workers, c.maxQueued, c.maxOwned = noWorkers, 100, 2 })
	deal := func(n int) string {
		return fmt.Sprintf(`{"trump": "C", "leader": "N", "deal": "%d"}`, 71234567890123456+n)
	}
	submit := func(client string, n int) *httptest.ResponseRecorder {
		r := request(http.MethodPost, "/v1/jobs", jobOf("klaverjas.solve", deal(n)))
		r.RemoteAddr = client
		return s.do(t, r)
	}
	first := accepted(t, submit("192.0.2.1:1", 1))
	accepted(t, submit("192.0.2.1:2", 2))
	refused := func(what string, w *httptest.ResponseRecorder) {
		t.Helper()
		status(t, w, http.StatusTooManyRequests)
		problem := decodeAs[api.Problem](t, w)
		if w.Header().Get("Retry-After") == "" || problem.Type != "/docs/errors#too-many-requests" ||
			!strings.Contains(problem.Detail, "oo many of your jobs are unfinished: 2, and at most 2 are allowed.") {
			t.Errorf("%s: %v %+v", what, w.Header(), problem)
		}
	}
	refused("a third", submit("192.0.2.1:3", 3))
	batch := preferring(request(http.MethodPost, "/v1/klaverjas/solve/batch", `{"positions": [`+deal(3)+`]}`), "respond-async")
	batch.RemoteAddr = "192.0.2.1:4"
	refused("a batch", s.do(t, batch))
	async := request(http.MethodPost, "/v1/klaverjas/solve", deal(3))
	async.RemoteAddr = "192.0.2.1:5"
	async.Header.Set("Prefer", "respond-async")
	refused("respond-async", s.do(t, async))
	if again := accepted(t, submit("192.0.2.1:6", 1)); again.Id != first.Id {
		t.Errorf("an equal request has the job %s, want %s", again.Id, first.Id)
	}
	accepted(t, submit("192.0.2.2:1", 3))
	cancelled := request(http.MethodDelete, first.Links.Self, "")
	cancelled.RemoteAddr = "192.0.2.1:7"
	status(t, s.do(t, cancelled), http.StatusOK)
	accepted(t, submit("192.0.2.1:8", 4))
}

// The waiting jobs of a client are bounded by their estimated time. The jobs of another client run.
func TestJobTimeOfOneClient(t *testing.T) { onEachQueue(t, testJobTimeOfOneClient) }

func testJobTimeOfOneClient(t *testing.T, queue func(*config)) {
	t.Helper()
	var limited atomic.Int64
	s := newServer(t, queue, func(c *config) {
		c.workers, c.jobTime = noWorkers, 4*time.Hour
		c.observer.Limited = func(limit service.Limit) {
			if limit == service.LimitJobTime {
				limited.Add(1)
			}
		}
	})
	submit := func(client, kind, body string) *httptest.ResponseRecorder {
		r := request(http.MethodPost, "/v1/jobs", jobOf(kind, body))
		r.RemoteAddr = client
		return s.do(t, r)
	}
	// Each takes some 11 minutes of one searcher.
	const matches, room = 250, 22
	for i := range matches {
		w := submit("192.0.2.1:1", "klaverjas.match", fmt.Sprintf(`{"a": "pimc", "b": "pimc", "deals": 1000, "seed": "%d"}`, i))
		if i < room {
			accepted(t, w)
			continue
		}
		status(t, w, http.StatusTooManyRequests)
		problem := decodeAs[api.Problem](t, w)
		const want = "Your waiting jobs take about 235 min of searcher time and this one would take about 11 min more, " +
			"and a client may have at most 240 min."
		if problem.Type != "/docs/errors#too-many-requests" || problem.Detail != want || w.Header().Get("Retry-After") != "350" {
			t.Fatalf("match %d: %v %+v", i, w.Header(), problem)
		}
	}
	w := submit("192.0.2.3:1", "belote.match", `{"a": "sampling:200", "b": "random", "deals": 500, "trump": "none"}`)
	status(t, w, http.StatusUnprocessableEntity)
	if problem := decodeAs[api.Problem](t, w); problem.Type != "/docs/errors#job-too-long" || w.Header().Get("Retry-After") != "" ||
		!strings.Contains(problem.Detail, "about 704 min of searcher time, and the waiting jobs of a client may take at most 240 min") {
		t.Errorf("a job that is too long: %v %+v", w.Header(), problem)
	}
	if got := limited.Load(); got != matches-room+1 {
		t.Errorf("%d refusals are counted, want %d", got, matches-room+1)
	}
	other := accepted(t, submit("192.0.2.2:1", "klaverjas.solve", `{"trump": "C", "leader": "N", "deal": "71234567890123456"}`))
	s.work(t, 2) // one runs a match, which takes minutes
	until(t, "the end of the other client's job", func() bool {
		r := request(http.MethodGet, other.Links.Self+"?wait=20", "")
		r.RemoteAddr = "192.0.2.2:1"
		w := s.do(t, r)
		status(t, w, http.StatusOK)
		return decodeAs[api.Job](t, w).Status == api.JobStatusSucceeded
	})
}
