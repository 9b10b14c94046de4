package handlers_test

import (
	"encoding/json"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"roem/internal/api"
	"roem/internal/handlers"
)

// When the server stops, streams and waits for jobs end, and a request that waits for its answer becomes a job.
func TestDrain(t *testing.T) {
	waiting := newWaiting()
	s := newServer(t, withSearcher(waiting.solve), func(c *config) {
		c.options = func(o *handlers.Options) { o.DrainWait = 100 * time.Millisecond }
	})
	web := httptest.NewServer(s)
	defer web.Close()
	answer, err := web.Client().Post(web.URL+"/v1/jobs", "application/json",
		strings.NewReader(jobOf("klaverjas.solve", with(`"goal": "win"`))))
	if err != nil {
		t.Fatal(err)
	}
	var job api.Job
	if err := json.NewDecoder(answer.Body).Decode(&job); err != nil {
		t.Fatal(err)
	}
	_ = answer.Body.Close()
	within(t, waiting.started, "the search of the job")
	var all sync.WaitGroup
	all.Go(func() {
		var end string
		events, _, _ := follow(t, web.URL+job.Links.Events, "")
		for e := range events {
			end = e.comment
		}
		if !strings.Contains(end, "shutting down") {
			t.Errorf("the stream ends with %q", end)
		}
	})
	all.Go(func() {
		answer, err := web.Client().Get(web.URL + job.Links.Self + "?wait=30")
		if err != nil {
			t.Error(err)
			return
		}
		defer answer.Body.Close()
		var polled api.Job
		if err := json.NewDecoder(answer.Body).Decode(&polled); err != nil || answer.StatusCode != http.StatusOK ||
			polled.Status != api.JobStatusRunning {
			t.Errorf("%v: %d %+v", err, answer.StatusCode, polled)
		}
	})
	all.Go(func() {
		w := httptest.NewRecorder()
		s.ServeHTTP(w, request(http.MethodPost, "/v1/klaverjas/solve", someDeal))
		if w.Code != http.StatusAccepted {
			t.Errorf("the waiting request: %d %s", w.Code, w.Body)
		}
	})
	within(t, waiting.started, "the search of the request")
	until(t, "the others to wait", func() bool {
		return strings.Contains(s.get(t, "/metrics").Body.String(), "roem_http_requests_in_flight 4\n") // including this one
	})
	s.Stop()
	s.Drain()
	s.Drain()
	done := make(chan struct{})
	go func() { defer close(done); all.Wait() }()
	within(t, done, "the end of all waits")
	web.CloseClientConnections()
}

// Jobs that a server has not finished when it stops are run by the next server.
func TestJobsSurviveAStop(t *testing.T) { onEachQueue(t, testJobsSurviveAStop) }

func testJobsSurviveAStop(t *testing.T, queue func(*config)) {
	t.Helper()
	var searches atomic.Int64
	gate := make(chan struct{})
	s := newServer(t, counting(&searches, gate), queue)
	job := s.accept(t, "/v1/jobs", jobOf("klaverjas.solve", someDeal))
	until(t, "the search", func() bool { return searches.Load() == 1 })
	s.stop()
	w := s.get(t, job.Links.Self)
	status(t, w, 200)
	if got := decodeAs[api.Job](t, w); got.Status != api.JobStatusQueued || got.PositionInQueue != 1 {
		t.Errorf("%+v", got)
	}
	close(gate)
	s.work(t, 1)
	if got := s.finished(t, job); got.Status != api.JobStatusSucceeded || got.Attempts != 1 {
		t.Errorf("%+v", got)
	}
}

// While the store of jobs is unavailable, requests without a job are answered.
func TestJobStoreUnavailable(t *testing.T) {
	s := newServer(t, keyed, func(c *config) { c.noQueue = true })
	for _, w := range []*httptest.ResponseRecorder{
		s.post(t, "/v1/jobs", jobOf("klaverjas.solve", someDeal)), s.get(t, "/v1/jobs"), s.get(t, "/v1/jobs/0000000000000000000000000g"),
		s.do(t, preferring(request(http.MethodPost, "/v1/klaverjas/solve", someDeal), "respond-async")),
	} {
		status(t, w, 503)
	}
	status(t, s.post(t, "/v1/klaverjas/solve", someDeal), 200)
}
