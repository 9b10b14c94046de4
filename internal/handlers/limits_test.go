package handlers_test

import (
	"context"
	"fmt"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"roem/internal/computation"

	"roem/internal/handlers"
)

// A client above its limits gets 429 while another client is served. Requests that need no search are answered for both clients.
func TestLimits(t *testing.T) {
	waiting := newWaiting()
	s := newServer(t, withSearcher(waiting.solve), func(c *config) {
		c.searchers, c.queue, c.limits = 3, 10, computation.Limits{Searches: 2}
		c.clients = handlers.Clients{Keys: []handlers.Key{keyFor("ann", "a"), keyFor("bob", "b")}, KeyFree: true}
	})
	from := func(key, path, body string) *http.Request {
		r := request(http.MethodPost, path, body)
		if key != "" {
			r.Header.Set("Authorization", "Bearer "+key)
		}
		return r
	}
	deal := func(index int) string { return fmt.Sprintf(`{"trump": "D", "leader": "N", "deal": "%d"}`, index) }
	ctx, cancel := context.WithCancel(context.Background())
	done := make(chan struct{}, 10)
	send := func(r *http.Request) {
		go func() {
			s.ServeHTTP(httptest.NewRecorder(), r.WithContext(ctx))
			done <- struct{}{}
		}()
		within(t, waiting.started, "a search")
	}
	send(from("a", "/v1/klaverjas/solve", deal(1)))
	send(from("a", "/v1/klaverjas/solve", deal(2)))
	w := s.do(t, from("a", "/v1/klaverjas/solve", deal(3)))
	status(t, w, http.StatusTooManyRequests)
	if got := w.Header().Get("Retry-After"); got != "1" {
		t.Errorf("Retry-After %q, want 1: searches of 50 ms have ended by then", got)
	}
	for path, body := range map[string]string{"/v1/klaverjas/table": `{"leader": "N", "hands": ` + someHands + `}`} {
		status(t, s.do(t, from("a", path, body)), http.StatusTooManyRequests)
	}
	send(from("b", "/v1/klaverjas/solve", deal(3)))
	for range 5 {
		status(t, s.do(t, from("a", "/v1/klaverjas/legal-moves", deal(3))), 200)
		status(t, s.do(t, from("a", "/v1/klaverjas/deals/index", deal(3))), 200)
	}
	metrics := s.do(t, fromPage("", "a", http.MethodGet, "/metrics", "")).Body.String()
	for _, line := range []string{
		`roem_http_problems_total{kind="too-many-requests"} 2`, `roem_http_requests_in_flight 4`,
		`roem_http_request_duration_seconds_count{method="POST",route="/v1/klaverjas/solve",status="4xx"} 1`,
	} {
		if !strings.Contains(metrics, line+"\n") {
			t.Errorf("/metrics has no line %s", line)
		}
	}
	cancel()
	for range 3 {
		within(t, done, "the other requests")
	}
}

// Unknown paths and methods do not increase the number of metric series.
func TestMetricsAreBounded(t *testing.T) {
	s := newServer(t)
	series := func() int {
		n := 0
		for line := range strings.Lines(s.get(t, "/metrics").Body.String()) {
			if strings.HasPrefix(line, "roem_") {
				n++
			}
		}
		return n
	}
	// One request of each kind, so that all series exist.
	ask := func(method, target string) {
		r := httptest.NewRequest(http.MethodGet, target, nil)
		r.Method = method
		s.ServeHTTP(httptest.NewRecorder(), r)
	}
	known := []string{"GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "CONNECT", "OPTIONS", "TRACE", "BREW"}
	for _, method := range known {
		for path := range s.doc.Paths.Map() {
			ask(method, strings.ReplaceAll(path, "{index}", "0"))
			ask(method, strings.ReplaceAll(path, "{index}", "x"))
		}
		for _, path := range []string{"/", "/nothing", "/v1", "/docs/errors", "/docs/assets/x", "/docs/assets/swagger-ui.css"} {
			ask(method, path)
		}
	}
	before := series()
	for i := range 10_000 {
		path := []string{
			"/v1/klaverjas/deals/%d", "/%d", "/v1/%d/solve", "/docs/assets/%d", "/v1/klaverjas/solve/%d", "/v1/klaverjas/deals/%d/",
			"//%d", "/v1/klaverjas/deals/random?seed=%d",
		}[i%8]
		ask([]string{"GET", "POST", fmt.Sprint("METHOD", i), "OPTIONS"}[i/8%4], fmt.Sprintf(path, i))
	}
	if after := series(); after != before {
		t.Errorf("%d series before, %d after 10,000 paths and methods", before, after)
	}
	if before > 20_000 {
		t.Errorf("%d series", before)
	}
	t.Log(before, "series")
}

func stopped(ctx context.Context) (searchResult, error) {
	<-ctx.Done()
	return searchResult{}, ctx.Err()
}
