package test

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"math/rand/v2"
	"net/http"
	"net/url"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"roem/internal/testkit"
)

// TestAbuse sends the requests of broken, slow and hostile clients to one server. Every answer has the right status and none is an
// internal error. Afterwards the server has no more goroutines, connections and memory than before.
func TestAbuse(t *testing.T) {
	environ := []string{
		"ROEM_SEARCH_SEARCHERS=2", "ROEM_SEARCH_TABLE=8MiB", "ROEM_CACHE_MEMORY=16MiB",
		"ROEM_HTTP_READ_HEADER_TIMEOUT=2s", "ROEM_HTTP_READ_TIMEOUT=3s", "ROEM_HTTP_MAX_WAIT=5s", "ROEM_LOG_LEVEL=info",
		"ROEM_LIMITS_JOBS=0", "ROEM_LIMITS_JOBS_TIME=0s", "ROEM_LIMITS_SESSIONS_PER_MINUTE=0",
	}
	if testkit.Full() {
		environ[3], environ[4], environ[5] = "ROEM_HTTP_READ_HEADER_TIMEOUT=5s", "ROEM_HTTP_READ_TIMEOUT=15s", "ROEM_HTTP_MAX_WAIT=30s"
	}
	s := start(t, environ...)
	before := s.metric(t, "go_goroutines")

	t.Run("mutations", func(t *testing.T) { mutations(t, s) })
	t.Run("bodies", func(t *testing.T) { hostileBodies(t, s) })
	t.Run("requests", func(t *testing.T) { hostileRequests(t, s) })
	t.Run("slow clients", func(t *testing.T) { slowClients(t, s) })

	eventually(t, testkit.Patience, "as many goroutines as before", func() bool { return s.metric(t, "go_goroutines") <= before+4 })
	t.Logf("goroutines: %v before, %v after", before, s.metric(t, "go_goroutines"))
	s.bounded(t)
	s.sound(t)
}

// costly are the routes of which an answer for another deal takes many searches.
var costly = map[string]bool{
	"/v1/klaverjas/table": true, "/v1/klaverjas/hand-strength": true, "/v1/klaverjas/hand-strength/batch": true,
	"/v1/klaverjas/advise": true, "/v1/klaverjas/review": true, "/v1/klaverjas/evening": true, "/v1/klaverjas/match": true,
	"/v1/klaverjas/play": true,
	"/v1/klaverjas/bid":  true, "/v1/belote/solve": true, "/v1/belote/compare": true, "/v1/belote/advise": true, "/v1/belote/bid": true,
	"/v1/belote/review": true,
	"/v1/belote/match":  true, "/v1/gin-rummy/match": true, "/v1/gin-rummy/review": true,
	"/v1/tarok/bid": true, "/v1/tarok/exchange": true, "/v1/tarok/announce": true, "/v1/tarok/advise": true, "/v1/tarok/match": true,
	"/v1/tarok/review": true,
}

// costliest are the requests for which another deal takes many searches, so that even the full test has few of them.
var costliest = map[string]bool{"/v1/klaverjas/table": true, "/v1/klaverjas/hand-strength": true, "/v1/klaverjas/hand-strength/batch": true}

// mutations sends random changes of valid requests to every route of the contract.
func mutations(t *testing.T, s *server) {
	t.Helper()
	n := testkit.Times(60, 60, 300, 10_000)
	all := routes(t)
	var bodies [][]byte
	for _, r := range all {
		bodies = append(bodies, r.bodies...)
	}
	jobs := someJobs(s)
	var accepted sync.Map
	defer cancelAll(t, s, &accepted)
	for _, r := range all {
		n := n
		if len(r.bodies) == 0 && len(r.op.Parameters)+len(r.item.Parameters) == 0 {
			n /= 10 // only the query and unimportant headers can be changed
		}
		if costly[r.path] && !testkit.Full() {
			n /= 2
		}
		t.Run(strings.ReplaceAll(r.String(), "/", " "), func(t *testing.T) {
			began := time.Now()
			ids := jobs
			if strings.Contains(r.path, "/sessions/") {
				ids = someSessions(t, s, r) // anew for each route: one of them ends sessions
			}
			var statuses sync.Map
			var next atomic.Int64
			var wrong atomic.Int64
			var workers sync.WaitGroup
			for worker := range 4 {
				workers.Go(func() {
					m := &mutator{rng: rand.New(rand.NewPCG(uint64(worker), 42)), others: bodies, redeals: 3, accepted: &accepted}
					if costliest[r.path] || costly[r.path] && !testkit.Full() {
						m.redeals = 30
					}
					c := client(testkit.Patience)
					defer c.CloseIdleConnections()
					for next.Add(1) <= int64(n) && wrong.Load() < 5 {
						status, err := mutated(c, s.url, r, m, ids)
						count, _ := statuses.LoadOrStore(status, new(atomic.Int64))
						count.(*atomic.Int64).Add(1)
						if err != nil {
							wrong.Add(1)
							t.Error(err)
						}
					}
				})
			}
			workers.Wait()
			seen := map[int]int64{}
			statuses.Range(func(status, count any) bool {
				seen[status.(int)] = count.(*atomic.Int64).Load()
				return true
			})
			t.Logf("%d requests in %.1f s: %v", n, time.Since(began).Seconds(), seen)
			if len(r.bodies) > 0 && seen[http.StatusBadRequest] < int64(n/5) {
				t.Errorf("%d of %d requests were bad: the mutations are too small", seen[http.StatusBadRequest], n)
			}
		})
	}
}

// cancelAll cancels the jobs of the mutations. A match of thousands of deals would otherwise run for an hour.
func cancelAll(t *testing.T, s *server, jobs *sync.Map) {
	t.Helper()
	c := client(testkit.Patience)
	defer c.CloseIdleConnections()
	cancelled := 0
	for location := range jobs.Range {
		q, err := http.NewRequestWithContext(t.Context(), http.MethodDelete, s.url+fmt.Sprint(location), http.NoBody)
		if err != nil {
			t.Fatal(err)
		}
		answer, err := c.Do(q)
		if err != nil {
			t.Fatal(err)
		}
		_ = answer.Body.Close()
		if answer.StatusCode >= http.StatusInternalServerError {
			t.Errorf("cancelling %s: status %d", location, answer.StatusCode)
		}
		cancelled++
	}
	t.Logf("%d jobs cancelled", cancelled)
}

// someJobs returns the ids of existing jobs, if the server has jobs.
func someJobs(s *server) []string {
	c := client(testkit.Patience)
	defer c.CloseIdleConnections()
	ids := []string{"00000000000000000000000000"}
	for i := range 3 {
		body := fmt.Sprintf(`{"kind": "klaverjas.solve", "request": {"trump": "C", "leader": "N", "deal": "%d"}}`, 1000+i)
		answer, err := c.Post(s.url+"/v1/jobs", "application/json", strings.NewReader(body))
		if err != nil {
			continue
		}
		var job struct {
			ID string `json:"id"`
		}
		if json.NewDecoder(answer.Body).Decode(&job) == nil && job.ID != "" {
			ids = append(ids, job.ID)
		}
		_ = answer.Body.Close()
	}
	return ids
}

// someSessions begins sessions of the game of a route, which the mutations continue and end.
func someSessions(t *testing.T, s *server, of route) []string {
	t.Helper()
	c := client(testkit.Patience)
	defer c.CloseIdleConnections()
	var ids []string
	collection, _, _ := strings.Cut(of.path, "/{id}")
	for _, r := range routes(t) {
		if r.method != http.MethodPost || r.path != collection {
			continue
		}
		for _, body := range r.bodies {
			answer, err := c.Post(s.url+r.path, "application/json", bytes.NewReader(body))
			if err != nil {
				t.Fatal(err)
			}
			var session stormSession
			err = json.NewDecoder(answer.Body).Decode(&session)
			_ = answer.Body.Close()
			if err != nil || session.ID == "" {
				t.Fatalf("no session: %d, %v", answer.StatusCode, err)
			}
			ids = append(ids, session.ID)
		}
	}
	return ids
}

// mutated sends a changed request of the route. ids are of jobs or sessions, for paths with one. The error describes a wrong answer.
func mutated(c *http.Client, base string, r route, m *mutator, ids []string) (status int, err error) {
	path, query := r.path, url.Values{}
	for _, parameter := range append(r.item.Parameters, r.op.Parameters...) {
		p := parameter.Value
		examples := r.examplesOf(p.Name)
		valid := examples[m.pick(len(examples))]
		if p.In == "path" && (strings.Contains(r.path, "/jobs/") || strings.Contains(r.path, "/sessions/")) {
			valid = ids[m.pick(len(ids))]
		}
		switch {
		case p.In == "path":
			if m.pick(2) == 0 {
				valid = m.segment(valid)
			}
			if valid == "" || strings.Trim(valid, ".") == "" {
				valid = "x"
			}
			path = strings.ReplaceAll(path, "{"+p.Name+"}", url.PathEscape(valid))
		case p.In == "query" && m.pick(2) == 0:
			if m.pick(2) == 0 {
				valid = m.segment(valid)
			}
			if p.Name == "wait" && m.pick(20) > 0 {
				valid = "0" // other values would only wait
			}
			query.Add(p.Name, valid)
		}
	}
	if m.pick(20) == 0 {
		query.Add(m.text(), m.text())
	}
	target := base + path
	if len(query) > 0 {
		target += "?" + query.Encode()
	}
	var body []byte
	if len(r.bodies) > 0 {
		body = m.body(r.bodies[m.pick(len(r.bodies))])
	}
	ctx, cancel := context.WithTimeout(context.Background(), testkit.Patience)
	defer cancel()
	q, err := http.NewRequestWithContext(ctx, r.method, target, bytes.NewReader(body))
	if err != nil {
		return 0, nil // the request cannot be sent
	}
	q.Header.Set("Content-Type", "application/json")
	if m.pick(10) == 0 {
		q.Header.Set("Prefer", []string{"wait=0", "wait=1", "respond-async", "wait=-1", "wait=99999999999999999999", ";;,=,", "wait"}[m.pick(7)])
	}
	if m.pick(20) == 0 {
		q.Header.Set("Idempotency-Key", strings.Map(printable, m.segment(`"8e03978e-40d5-43dd-bc93-6894a57f9324"`)))
	}
	if m.pick(20) == 0 {
		accepted := append([]string{"text/html", "*/*", "application/problem+json", "nonsense", "application/json;q=0"}, r.otherMedia()...)
		q.Header.Set("Accept", accepted[m.pick(len(accepted))])
	}
	if m.pick(20) == 0 {
		q.Header.Set("X-Request-ID", strings.Map(printable, m.segment("abcdefgh12345678")))
	}
	answer, err := c.Do(q)
	if err != nil {
		return 0, fmt.Errorf("%v %.200q: no answer: %w", r, body, err)
	}
	defer func() { _ = answer.Body.Close() }()
	text, err := io.ReadAll(answer.Body)
	if err != nil {
		return 0, fmt.Errorf("%v %.200q: the answer is incomplete: %w", r, body, err)
	}
	if location := answer.Header.Get("Location"); answer.StatusCode == http.StatusAccepted && location != "" && m.accepted != nil {
		m.accepted.Store(location, true)
	}
	if err := r.check(answer.StatusCode, answer.Header, text); err != nil {
		return answer.StatusCode, fmt.Errorf("%s %.2000q: %w", target, body, err)
	}
	if body != nil && !json.Valid(body) && answer.StatusCode != http.StatusBadRequest {
		return answer.StatusCode, fmt.Errorf("%v: the body is not JSON, but the answer is %d: %.2000q", r, answer.StatusCode, body)
	}
	return answer.StatusCode, nil
}

// printable replaces runes that a header must not contain.
func printable(r rune) rune {
	if r < ' ' || r > '~' {
		return '~'
	}
	return r
}
