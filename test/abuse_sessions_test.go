package test

import (
	"context"
	"fmt"
	"io"
	"net/http"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"roem/internal/testkit"
)

// TestSessionsOfOthers creates sessions from twenty addresses of one IPv6 /48 as fast as the server answers, without and with the limits
// of the rate. No game of anybody else ends, and the metrics count those that do.
func TestSessionsOfOthers(t *testing.T) {
	const keep, addresses, games = 100, 20, 30
	create := testkit.Times(3, 10, 20, 20) * keep
	common := []string{"ROEM_HTTP_TRUSTED_PROXIES=127.0.0.1/32", fmt.Sprintf("ROEM_SESSIONS_KEEP=%d", keep)}
	for name, test := range map[string]struct {
		environ []string
		limited bool
	}{
		"any rate": {
			append([]string{"ROEM_LIMITS_SESSIONS_PER_MINUTE=0", "ROEM_LIMITS_NETWORK_SESSIONS_PER_MINUTE=0"}, common...),
			false,
		},
		"the default rates": {common, true},
	} {
		t.Run(name, func(t *testing.T) {
			s := start(t, test.environ...)
			var others []string
			for i := range games {
				status, path := s.newSession(t, fmt.Sprintf("192.0.2.%d", i+1))
				if status != http.StatusCreated {
					t.Fatalf("a game of another client: %d", status)
				}
				others = append(others, path)
			}
			var (
				created, refused, sent atomic.Int64
				all                    sync.WaitGroup
			)
			began := time.Now()
			for i := range addresses {
				all.Go(func() {
					for int(sent.Add(1)) <= create {
						switch status, _ := s.newSession(t, fmt.Sprintf("2001:db8:7:%x::1", i)); status {
						case http.StatusCreated:
							created.Add(1)
						case http.StatusTooManyRequests:
							refused.Add(1)
						default:
							t.Errorf("a session: %d", status)
							return
						}
					}
				})
			}
			all.Wait()
			lost := 0
			for _, path := range others {
				if status, _, err := get(s.url + path); err != nil || status != http.StatusOK {
					lost++
				}
			}
			t.Logf("%d sessions created and %d refused in %v; %d of %d games of others ended",
				created.Load(), refused.Load(), time.Since(began).Round(time.Millisecond), lost, games)
			if lost > 0 {
				t.Errorf("%d of %d games of others ended", lost, games)
			}
			if test.limited != (refused.Load() > 0) {
				t.Errorf("%d were refused", refused.Load())
			}
			byAll, byClient := s.metric(t, `roem_sessions_ended_total{reason="displaced_by_all"}`), s.metric(t,
				`roem_sessions_ended_total{reason="displaced_by_client"}`)
			if want := float64(created.Load() + games - keep); byAll == 0 || byAll+byClient != want {
				t.Errorf("the metrics count %v displaced sessions, and %v by the same client; want %v in all", byAll, byClient, want)
			}
			s.sound(t)
		})
	}
}

// newSession creates a session of a client behind the trusted proxy.
func (s *server) newSession(tb testing.TB, client string) (status int, path string) {
	tb.Helper()
	request, err := http.NewRequestWithContext(context.Background(), http.MethodPost, s.url+"/v1/klaverjas/sessions",
		strings.NewReader(`{"players": {"partner": "random", "opponents": "random"}, "leader": "S"}`))
	if err != nil {
		tb.Fatal(err)
	}
	request.Header.Set("Content-Type", "application/json")
	request.Header.Set("X-Forwarded-For", client)
	answer, err := http.DefaultClient.Do(request)
	if err != nil {
		tb.Error(err)
		return 0, ""
	}
	defer func() { _ = answer.Body.Close() }()
	_, _ = io.Copy(io.Discard, answer.Body)
	return answer.StatusCode, answer.Header.Get("Location")
}
