package handlers_test

import (
	"context"
	"errors"
	"math/rand/v2"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"roem/internal/computation"

	"roem/internal/api"
	"roem/internal/engine/klaverjas/search"
	"roem/internal/handlers"
	"roem/internal/service"
)

// ask sends the requests before the example and then its own request. On a normal server it waits for the jobs of the requests before.
func (e example) ask(t *testing.T, s *server) *httptest.ResponseRecorder {
	t.Helper()
	id := "0000000000000000000000000g"
	for _, r := range e.before {
		w := s.do(t, r)
		if strings.HasPrefix(r.URL.Path, sessionsPath) {
			id = actUntil(t, s, w, e.until)
			continue
		}
		if strings.HasPrefix(r.URL.Path, tarokSessionsPath) {
			id = tarokActUntil(t, s, w, e.until)
			continue
		}
		if strings.HasPrefix(r.URL.Path, beloteSessionsPath) {
			id = beloteActUntil(t, s, w, e.until)
			continue
		}
		if strings.HasPrefix(r.URL.Path, ginSessionsPath) {
			id = ginActUntil(t, s, w, e.until)
			continue
		}
		job := decodeAs[api.Job](t, w)
		id = job.Id
		if e.server == "" {
			status(t, s.get(t, job.Links.Self+"?wait=20"), http.StatusOK)
		}
	}
	e.request.URL.Path, e.request.URL.RawPath = strings.ReplaceAll(e.request.URL.Path, "{id}", id), ""
	return s.do(t, e.request)
}

// answer sends the example to its kind of server.
func (e example) answer(t *testing.T, normal, idle *server) *httptest.ResponseRecorder {
	t.Helper()
	switch e.server {
	case "":
		return e.ask(t, normal)
	case "broken":
		broken := newServer(t, withSearcher(panics))
		return broken.do(t, e.request)
	case "stopping":
		stopping := newServer(t)
		stopping.Stop()
		return stopping.do(t, e.request)
	case "unhealthy":
		unhealthy := newServer(t)
		unhealthy.SetHealth(errors.New("no slot could be taken within 30s"))
		return unhealthy.do(t, e.request)
	case "keys":
		keys := newServer(t, func(c *config) {
			c.clients.Keys = []handlers.Key{keyFor("ann", "the-key-of-ann"), publishableFor("site", "a-publishable-key", "https://cards.example")}
		})
		return keys.do(t, e.request)
	case "private":
		private := newServer(t, func(c *config) { c.noMetrics = true })
		return private.do(t, e.request)
	case "idle": // no jobs run, and the queue is empty
		w := e.ask(t, idle)
		for _, job := range decodeAs[api.JobList](t, idle.get(t, "/v1/jobs?status=queued")).Jobs {
			status(t, idle.do(t, request(http.MethodDelete, job.Links.Self, "")), http.StatusOK)
		}
		return w
	case "full": // the queue of jobs is full
		full := newServer(t, func(c *config) { c.workers, c.maxQueued = noWorkers, 1 })
		status(t, full.post(t, "/v1/jobs", `{"kind": "klaverjas.solve", "request": {"trump": "D", "leader": "N", "deal": "1"}}`),
			http.StatusAccepted)
		return e.ask(t, full)
	case "greedy": // the client is at its limit of unfinished jobs
		greedy := newServer(t, func(c *config) { c.workers, c.maxOwned = noWorkers, 1 })
		status(t, greedy.post(t, "/v1/jobs", `{"kind": "klaverjas.solve", "request": {"trump": "D", "leader": "N", "deal": "1"}}`),
			http.StatusAccepted)
		return e.ask(t, greedy)
	case "spent": // the waiting jobs of the client take nearly as long as they may
		spent := newServer(t, func(c *config) { c.workers, c.jobTime = noWorkers, 15*time.Minute })
		match := jobOf("klaverjas.match", `{"a": "pimc", "b": "pimc", "deals": 1000, "seed": "1"}`)
		status(t, spent.post(t, "/v1/jobs", match), http.StatusAccepted)
		return e.ask(t, spent)
	case "sessionless": // the store of sessions is unavailable
		return e.ask(t, newServer(t, func(c *config) { c.sessions = unavailable{} }))
	case "unreachable": // the store of jobs is unavailable
		return e.ask(t, newServer(t, func(c *config) { c.noQueue = true }))
	case "halfway": // the search has reported bounds and continues
		found := make(chan struct{})
		halfway := newServer(t, withSearcher(func(ctx context.Context, q searchQuery) (searchResult, error) {
			q.Progress(search.Progress{Lower: 2, Upper: 66, Nodes: 51234})
			close(found)
			<-ctx.Done()
			return searchResult{}, ctx.Err()
		}))
		job := decodeAs[api.Job](t, halfway.do(t, e.before[0]))
		within(t, found, "the search")
		for { // until the job has the report
			e.request.URL.Path, e.request.URL.RawPath = job.Links.Self, ""
			w := halfway.do(t, e.request)
			if p := decodeAs[api.Job](t, w).Progress; p != nil && p.Upper != nil {
				return w
			}
			time.Sleep(time.Millisecond)
		}
	case "busy", "limited":
		waiting := newWaiting()
		busy := newServer(t, withSearcher(waiting.solve), func(c *config) {
			c.searchers, c.queue = 1, service.NoQueue
			if e.server == "limited" {
				c.queue, c.limits = 10, computation.Limits{Searches: 1}
			}
		})
		ctx, cancel := context.WithCancel(context.Background())
		done := make(chan struct{})
		go func() {
			defer close(done)
			other := request(http.MethodPost, "/v1/klaverjas/solve", `{"trump": "D", "leader": "N", "deal": "1"}`)
			busy.ServeHTTP(httptest.NewRecorder(), other.WithContext(ctx))
		}()
		within(t, waiting.started, "the search that keeps the server busy")
		w := busy.do(t, e.request)
		cancel()
		within(t, done, "the other request")
		return w
	default:
		t.Fatalf("%s: no server %q", e.name, e.server)
		return nil
	}
}

// actUntil makes legal acts in the session of an answer, drawn from one seed, until the session has the state; with an empty state none.
// It returns the id of the session.
func actUntil(t *testing.T, s *server, w *httptest.ResponseRecorder, state string) string {
	t.Helper()
	rng := rand.New(rand.NewPCG(0, 0))
	now := decodeAs[api.KlaverjasSession](t, w)
	for state != "" && string(now.State) != state {
		act := legalAct(rng, &now)
		w = s.post(t, now.Links.Self+act.path, act.body)
		status(t, w, http.StatusOK)
		now = decodeAs[api.KlaverjasSession](t, w)
	}
	return now.Id
}

func panics(context.Context, searchQuery) (searchResult, error) {
	panic("the inside of the server")
}
