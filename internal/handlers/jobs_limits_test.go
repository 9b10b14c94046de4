package handlers_test

import (
	"fmt"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"roem/internal/api"
)

// A client at its limit of unfinished jobs cannot create more in any way. Other clients can.
func TestJobsOfOneClient(t *testing.T) { onEachQueue(t, testJobsOfOneClient) }

func testJobsOfOneClient(t *testing.T, queue func(*config)) {
	t.Helper()
	s := newServer(t, queue, func(c *config) { c.workers, c.maxQueued, c.maxOwned = noWorkers, 100, 2 })
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
			!strings.Contains(problem.Detail, "2 of your jobs have not finished, of at most 2.") {
			t.Errorf("%s: %v %+v", what, w.Header(), problem)
		}
	}
	refused("a third", submit("192.0.2.1:3", 3))
	batch := request(http.MethodPost, "/v1/klaverjas/solve/batch", `{"positions": [`+deal(3)+`]}`)
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
