package handlers_test

import (
	"fmt"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"sync/atomic"
	"testing"

	"roem/internal/api"
	"roem/internal/engine/klaverjas/search"
)

// Equal requests of one client share a job, even if they are written differently. Equal requests of different clients share only the
// work.
func TestEqualRequestsShareAJob(t *testing.T) { onEachQueue(t, testEqualRequestsShareAJob) }

func testEqualRequestsShareAJob(t *testing.T, queue func(*config)) {
	t.Helper()
	var searches countedSearches
	gate := make(chan struct{})
	s := newServer(t, searches.waiting(gate), queue, keyed)
	first := s.accept(t, "/v1/jobs", jobOf("klaverjas.solve", someDeal))
	until(t, "the search", func() bool { return searches.ofFirst() > 0 })
	for _, same := range []string{
		with(`"goal": "value"`), with(`"declarer": "ns"`), with(`"rules": {"system": "rotterdam"}`),
		strings.ReplaceAll(someDeal, "10C", "tc"),
	} {
		if again := s.accept(t, "/v1/jobs", jobOf("klaverjas.solve", same)); again.Id != first.Id {
			t.Errorf("another job for %s", same)
		}
	}
	for _, other := range []string{with(`"goal": "win"`), with(`"declarer": "EW"`), with(`"played": ["JH"]`)} {
		if again := s.accept(t, "/v1/jobs", jobOf("klaverjas.solve", other)); again.Id == first.Id {
			t.Errorf("the same job for %s", other)
		} else {
			status(t, s.do(t, request(http.MethodDelete, again.Links.Self, "")), 200)
		}
	}
	r := request(http.MethodPost, "/v1/jobs", jobOf("klaverjas.solve", someDeal))
	r.RemoteAddr = "192.0.2.77:1234"
	theirs := accepted(t, s.do(t, r))
	if theirs.Id == first.Id {
		t.Error("two clients share a job")
	}
	// Neither client can read, follow or cancel the job of the other.
	for _, path := range []string{theirs.Links.Self, theirs.Links.Events, "/v1/jobs/nonsense", "/v1/jobs/%00", "/v1/jobs/" +
		strings.Repeat("x", 5000)} {
		status(t, s.get(t, path), 404)
	}
	status(t, s.do(t, request(http.MethodDelete, theirs.Links.Self, "")), 404)
	close(gate)
	mine := s.finished(t, first)
	w := s.post(t, "/v1/jobs", jobOf("klaverjas.solve", someDeal))
	status(t, w, http.StatusOK)
	if again := decodeAs[api.Job](t, w); again.Id != mine.Id || again.Status != api.JobStatusSucceeded {
		t.Errorf("afterwards: %+v", again)
	}
	r = request(http.MethodGet, theirs.Links.Self+"?wait=20", "")
	r.RemoteAddr = "192.0.2.77:4321"
	if got := decodeAs[api.Job](t, s.do(t, r)); got.Status != api.JobStatusSucceeded {
		t.Errorf("the other client's: %+v", got)
	}
	// Searches of the other jobs may have begun before these were cancelled.
	if got := searches.ofFirst(); got != 1 {
		t.Errorf("%d searches of the deal, want 1", got)
	}
}

// countedSearches counts searches by their query.
type countedSearches struct {
	mu    sync.Mutex
	first string
	of    map[string]int
}

// waiting makes the searches of a real solver wait for the gate and counts them.
func (c *countedSearches) waiting(gate <-chan struct{}) func(*config) {
	return counting(new(atomic.Int64), gate, func(q search.Query) {
		c.mu.Lock()
		defer c.mu.Unlock()
		name := fmt.Sprintf("%v %+v", q.Goal, q.Position)
		if c.of == nil {
			c.first, c.of = name, map[string]int{}
		}
		c.of[name]++
	})
}

// ofFirst returns how many searches have had the query of the first one.
func (c *countedSearches) ofFirst() int {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.of[c.first]
}

func TestIdempotencyKey(t *testing.T) { onEachQueue(t, testIdempotencyKey) }

func testIdempotencyKey(t *testing.T, queue func(*config)) {
	t.Helper()
	s := newServer(t, queue, keyed, func(c *config) { c.workers = noWorkers })
	post := func(path, body, key string) *httptest.ResponseRecorder {
		return s.do(t, withKey(request(http.MethodPost, path, body), key))
	}
	body := jobOf("klaverjas.solve", someDeal)
	first := accepted(t, post("/v1/jobs", body, `"a key"`))
	// The same request again returns the same job, also after it was cancelled and with another spelling of the header name.
	status(t, s.do(t, request(http.MethodDelete, first.Links.Self, "")), 200)
	w := post("/v1/jobs", body, "a key")
	status(t, w, 200)
	if again := decodeAs[api.Job](t, w); again.Id != first.Id || again.Status != api.JobStatusCancelled {
		t.Errorf("again: %+v", again)
	}
	// Without the key, or with another key, a new job is created.
	second := accepted(t, post("/v1/jobs", body, "another key"))
	if second.Id == first.Id {
		t.Error("a new key returns the old job")
	}
	// The visitors of one site send keys of their own: the end of one's job is not the end of another's.
	third := accepted(t, post("/v1/jobs", body, "a third key"))
	none := accepted(t, s.do(t, request(http.MethodPost, "/v1/jobs", body)))
	if second.Id == third.Id || none.Id == second.Id || none.Id == third.Id {
		t.Errorf("equal requests have the jobs %s, %s and %s", second.Id, third.Id, none.Id)
	}
	for _, visitor := range []api.Job{third, none} {
		status(t, s.do(t, request(http.MethodDelete, visitor.Links.Self, "")), 200)
	}
	if got := decodeAs[api.Job](t, s.do(t, request(http.MethodGet, second.Links.Self, ""))); got.Status != api.JobStatusQueued {
		t.Errorf("after the ends of equal jobs: %+v", got)
	}
	for path, other := range map[string]string{
		"/v1/jobs":            jobOf("klaverjas.solve", with(`"goal": "win"`)),
		"/v1/klaverjas/match": `{"a": "random", "b": "simple", "deals": 2}`,
	} {
		w = post(path, other, `"a key"`)
		status(t, w, 422)
		if got := decodeAs[api.Problem](t, w).Type; got != "/docs/errors#idempotency-key-reused" {
			t.Errorf("type %s", got)
		}
	}
	// The same key of another client is a different key.
	r := withKey(request(http.MethodPost, "/v1/jobs", jobOf("klaverjas.solve", with(`"goal": "win"`))), `"a key"`)
	r.RemoteAddr = "192.0.2.77:1234"
	accepted(t, s.do(t, r))
	for _, bad := range []string{`""`, "   ", strings.Repeat("k", 256), "line\nbreak", "é", `a"b`, `a\b`, `"unclosed`} {
		w := post("/v1/jobs", body, bad)
		status(t, w, 400)
		if e := *decodeAs[api.Problem](t, w).Errors; *e[0].Parameter != "Idempotency-Key" {
			t.Errorf("%q: %+v", bad, e)
		}
	}
}
