package handlers_test

import (
	"fmt"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"roem/internal/api"
	"roem/internal/testkit"
)

// Prefer: wait=N with a job waits for its end, for at most the server's maximum, and holds nothing meanwhile.
func TestPreferWaitOfJobs(t *testing.T) { onEachQueue(t, testPreferWaitOfJobs) }

func testPreferWaitOfJobs(t *testing.T, queue func(*config)) {
	t.Helper()
	waiting := newWaiting()
	s := newServer(t, queue, withSearcher(waiting.solve), func(c *config) { c.searchers, c.queue, c.maxWait = 1, 1, 100*time.Second })
	asks := func(on *server, link string, prefer ...string) *httptest.ResponseRecorder {
		t.Helper()
		w := on.do(t, preferring(request(http.MethodGet, link, ""), prefer...))
		status(t, w, http.StatusOK)
		return w
	}
	is := func(what string, w *httptest.ResponseRecorder, want api.JobStatus, applied string) {
		t.Helper()
		if job := decodeAs[api.Job](t, w); job.Status != want || w.Header().Get("Preference-Applied") != applied {
			t.Errorf("%s: the job is %s, and Preference-Applied %q; want %s, %q", what, job.Status, w.Header().Get("Preference-Applied"), want,
				applied)
		}
	}
	job := accepted(t, s.post(t, "/v1/jobs", jobOf("klaverjas.solve", someDeal)))
	within(t, waiting.started, "the search of the job")

	ended := make(chan *httptest.ResponseRecorder, 20)
	for range cap(ended) { // many more than there are searchers and places in the queue
		go func() { ended <- asks(s, job.Links.Self, "wait=200") }()
	}
	until(t, "the clients to wait", func() bool {
		return strings.Contains(s.get(t, "/metrics").Body.String(), fmt.Sprintf("roem_http_requests_in_flight %d\n", cap(ended)+1))
	})
	is("a wait of 0 in the query", asks(s, job.Links.Self+"?wait=0", "wait=20"), "running", "")
	is("another preference", asks(s, job.Links.Self, "respond-async"), "running", "")
	is("a wait that cannot be read", asks(s, job.Links.Self, "wait=soon"), "running", "")
	if l := s.service.Load(); l.Busy != 1 || l.Waiting != 0 || len(ended) > 0 {
		t.Errorf("while %d clients wait: %+v", cap(ended)-len(ended), l)
	}
	status(t, s.do(t, request(http.MethodDelete, job.Links.Self, "")), http.StatusOK)
	for range cap(ended) {
		select {
		case w := <-ended:
			is("when it is cancelled", w, "cancelled", "wait=100")
		case <-time.After(testkit.Patience):
			t.Fatal("not answered after the end of the job")
		}
	}
	is("a job that has ended", asks(s, job.Links.Self, "wait=3"), "cancelled", "wait=3")

	quick := newServer(t, func(c *config) { c.workers, c.maxWait = noWorkers, time.Second })
	job = accepted(t, quick.post(t, "/v1/jobs", jobOf("klaverjas.solve", with(`"goal": "moves"`))))
	began := time.Now()
	is("a job that does not end", asks(quick, job.Links.Self, "wait=20"), "queued", "wait=1")
	if took := time.Since(began); took < time.Second {
		t.Errorf("answered after %v, want a second", took)
	}
}
