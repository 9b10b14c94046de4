package handlers_test

import (
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"testing"
	"time"

	"roem/internal/api"
	"roem/internal/handlers"
	"roem/internal/testkit"
)

// The number of streams is limited. When one ends, another one can start.
func TestStreamsAreBounded(t *testing.T) {
	s := newServer(t, func(c *config) {
		c.workers = noWorkers
		c.options = func(o *handlers.Options) { o.Streams = 1 }
	})
	web := httptest.NewServer(s)
	defer web.Close()
	r := request(http.MethodPost, "/v1/jobs", jobOf("klaverjas.solve", someDeal))
	r.RemoteAddr = "127.0.0.1:1"
	job := accepted(t, s.do(t, r))
	first, code, _ := follow(t, web.URL+job.Links.Events, "")
	if code != http.StatusOK {
		t.Fatalf("status %d", code)
	}
	_, code, header := follow(t, web.URL+job.Links.Events, "")
	if code != http.StatusServiceUnavailable || header.Get("Retry-After") == "" {
		t.Errorf("a second: %d %v", code, header)
	}
	r = request(http.MethodDelete, job.Links.Self, "")
	r.RemoteAddr = "127.0.0.1:1"
	status(t, s.do(t, r), 200)
	for range first { // until it ends
	}
	until(t, "room for another", func() bool {
		_, code, _ := follow(t, web.URL+job.Links.Events, "")
		return code == http.StatusOK
	})
}

// A client at its limit of streams is refused. Other clients are not.
func TestStreamsOfOneClient(t *testing.T) {
	s := newServer(t, func(c *config) {
		c.workers = noWorkers
		c.options = func(o *handlers.Options) { o.Streams, o.StreamsEach = 3, 2 }
	})
	web := httptest.NewServer(s)
	defer web.Close()
	from := func(client, method, path, body string) *httptest.ResponseRecorder {
		r := request(method, path, body)
		r.RemoteAddr = client
		return s.do(t, r)
	}
	const here, other = "127.0.0.1:1", "192.0.2.1:1"
	job := accepted(t, from(here, http.MethodPost, "/v1/jobs", jobOf("klaverjas.solve", someDeal)))
	for range 2 {
		if _, code, _ := follow(t, web.URL+job.Links.Events, ""); code != http.StatusOK {
			t.Fatalf("status %d", code)
		}
	}
	third := from(here, http.MethodGet, job.Links.Events, "")
	status(t, third, http.StatusTooManyRequests)
	detail := decodeAs[api.Problem](t, third).Detail
	if third.Header().Get("Retry-After") == "" ||
		!strings.HasPrefix(detail, "You already have 2 event streams and waits for jobs, and at most 2 are allowed.") {
		t.Errorf("a third: %v %q", third.Header(), detail)
	}
	if got := s.get(t, "/metrics").Body.String(); !strings.Contains(got, `roem_limited_total{reason="streams"} 1`) {
		t.Error("the refusal is not counted")
	}
	theirs := accepted(t, from(other, http.MethodPost, "/v1/jobs", jobOf("klaverjas.solve", someDeal)))
	status(t, from(other, http.MethodHead, theirs.Links.Events, ""), http.StatusOK)

	status(t, from(here, http.MethodDelete, job.Links.Self, ""), http.StatusOK) // ends both streams
	until(t, "room for another", func() bool {
		_, code, _ := follow(t, web.URL+job.Links.Events, "")
		return code == http.StatusOK
	})
}

// Waits for jobs are counted like streams, and the clients of one IPv6 network have twice what one of them has.
func TestStreamsOfOneNetwork(t *testing.T) {
	s := newServer(t, func(c *config) {
		c.workers = noWorkers
		c.options = func(o *handlers.Options) { o.Streams, o.StreamsEach = 100, 2 }
	})
	web := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		r.RemoteAddr = r.Header.Get("Test-Address")
		s.ServeHTTP(w, r)
	}))
	defer web.Close()
	ctx, stop := context.WithCancel(t.Context())
	var all sync.WaitGroup
	defer all.Wait()
	defer stop()
	refused := make(chan string, 100)
	for i := range 6 { // of six /64s of one /48, two waits each
		address := fmt.Sprintf("[2001:db8:7:%x::1]:1", i)
		r := request(http.MethodPost, "/v1/jobs", jobOf("klaverjas.solve", someDeal))
		r.RemoteAddr = address
		job := accepted(t, s.do(t, r))
		for range 2 {
			all.Go(func() {
				r, err := http.NewRequestWithContext(ctx, http.MethodGet, web.URL+job.Links.Self+"?wait=600", http.NoBody)
				if err != nil {
					t.Error(err)
					return
				}
				r.Header.Set("Test-Address", address)
				answer, err := web.Client().Do(r)
				if err != nil {
					return // the test has ended
				}
				var p api.Problem
				_ = json.NewDecoder(answer.Body).Decode(&p)
				_ = answer.Body.Close()
				refused <- p.Code
			})
		}
	}
	for i := range 12 - networkOfTwo {
		select {
		case code := <-refused:
			if code != "limit_streams" {
				t.Errorf("the wait is answered by %q", code)
			}
		case <-time.After(testkit.Patience):
			t.Fatalf("%d waits are refused", i)
		}
	}
}

// networkOfTwo is how many streams and waits a network has whose clients have two each.
const networkOfTwo = 4
