package handlers_test

import (
	"fmt"
	"net/http"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"roem/internal/api"
)

// A search that takes longer than its request waits continues as a job. It is not started again.
func TestSearchContinuesAsJob(t *testing.T) { onEachQueue(t, testSearchContinuesAsJob) }

func testSearchContinuesAsJob(t *testing.T, queue func(*config)) {
	t.Helper()
	for _, path := range []string{
		"/v1/klaverjas/solve", "/v1/klaverjas/analyse", "/v1/klaverjas/table", "/v1/klaverjas/advise",
		"/v1/klaverjas/review",
	} {
		t.Run(path, func(t *testing.T) {
			var searches atomic.Int64
			gate := make(chan struct{})
			s := newServer(t, queue, keyed, counting(&searches, gate), func(c *config) { c.maxWait = 100 * time.Millisecond })
			body, want := someDeal, int64(1)
			switch path {
			case "/v1/klaverjas/table":
				body, want = `{"leader": "S", "hands": `+goodHands+`}`, 8
			case "/v1/klaverjas/advise":
				body, want = strings.Replace(goodView, `}`, `, "worlds": 1}`, 1), 1
			case "/v1/klaverjas/review":
				body, want = with(`"played": ["JH", "8S"], "seat": "S", "worlds": 3`), 4
			case "/v1/klaverjas/analyse":
				body, want = with(`"played": ["JH", "8S"]`), 2
			}
			job := s.accept(t, path, body)
			if job.Status != api.JobStatusRunning || job.Attempts != 1 || pathOf(string(job.Kind)) != path {
				t.Errorf("%+v", job)
			}
			if got := searches.Load(); got != 1 {
				t.Errorf("%d searches are running", got)
			}
			// An equal request gets the same job and starts no search.
			if again := s.accept(t, path, body); again.Id != job.Id {
				t.Errorf("a second job: %+v", again)
			}
			close(gate)
			got := result[map[string]any](t, s.finished(t, job))
			if _, advice := got["basis"]; got["exact"] != true && !advice || got["source"] != "search" {
				t.Errorf("the result: %v", got)
			}
			w := s.post(t, path, body)
			if w.Code == http.StatusAccepted { // on a slow machine it becomes a job again
				s.finished(t, accepted(t, w))
				w = s.post(t, path, body)
			}
			status(t, w, 200)
			if n := searches.Load(); n != want {
				t.Errorf("%d searches, want %d", n, want)
			}
			if diff := cmp.Diff(steady(got), steady(decodeAs[map[string]any](t, w))); diff != "" {
				t.Errorf("(-job +immediate answer)\n%s", diff)
			}
		})
	}
}

// A request whose search has not started at the end of its wait becomes a queued job and leaves the queue for a slot.
func TestWaitingRequestBecomesQueuedJob(t *testing.T) {
	waiting := newWaiting()
	s := newServer(t, withSearcher(waiting.solve), func(c *config) {
		c.searchers, c.queue, c.workers, c.maxWait = 1, 1, 1, 50*time.Millisecond
	})
	deal := func(i int) string { return fmt.Sprintf(`{"trump": "C", "leader": "N", "deal": "%d"}`, i) }
	s.accept(t, "/v1/jobs", jobOf("klaverjas.solve", deal(0)))
	within(t, waiting.started, "the search of the job")
	for i := 1; i <= 3; i++ { // each one finds the only place in the queue free
		if job := s.accept(t, "/v1/klaverjas/solve", deal(i)); job.Status != api.JobStatusQueued || job.PositionInQueue != i ||
			job.StartedAt != nil {
			t.Errorf("%+v", job)
		}
		until(t, "the request to leave the queue for a slot", func() bool { return s.service.Load().Waiting == 0 })
	}
}

func TestPreferRespondAsync(t *testing.T) {
	s := newServer(t, keyed, func(c *config) { c.workers = noWorkers })
	w := s.do(t, preferring(request(http.MethodPost, "/v1/klaverjas/solve", someDeal), "respond-async"))
	job := accepted(t, w)
	if got := w.Header().Get("Preference-Applied"); got != "respond-async" || job.Status != api.JobStatusQueued || job.PositionInQueue != 1 {
		t.Errorf("applied %q: %+v", got, job)
	}
	w = s.do(t, preferring(request(http.MethodPost, "/v1/klaverjas/solve", someDeal), "wait=0"))
	if again := accepted(t, w); again.Id != job.Id || w.Header().Get("Preference-Applied") != "wait=0" {
		t.Errorf("%+v %v", again, w.Header())
	}
	// A cached answer is sent immediately.
	status(t, s.post(t, "/v1/klaverjas/solve", someDeal), 200)
	for _, prefer := range []string{"respond-async", "wait=0"} {
		status(t, s.do(t, preferring(request(http.MethodPost, "/v1/klaverjas/solve", someDeal), prefer)), 200)
	}
	w = s.do(t, preferring(request(http.MethodPost, "/v1/klaverjas/solve", `{"trump": "S"}`), "respond-async"))
	status(t, w, 400)
	w = s.do(t, preferring(request(http.MethodPost, "/v1/klaverjas/solve", strings.Replace(someDeal, `"AH"`, `"AS"`, 1)), "respond-async"))
	status(t, w, 422)
}
