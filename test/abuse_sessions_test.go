package test

import (
	"context"
	"fmt"
	"io"
	"math/rand/v2"
	"net/http"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"roem/internal/redistest"
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

// TestFinishedGamesEndFirst plays a game of each kind to its end, kills the server, and creates sessions beyond the limit of a client. The
// finished games end, in their order, and none that goes on, although one was begun before them.
func TestFinishedGamesEndFirst(t *testing.T) {
	redis := redistest.Start(t, redistest.Options{Durable: true})
	for store, where := range map[string]string{"file": "ROEM_DATA=" + t.TempDir(), "Redis": "ROEM_REDIS_URL=" + redis.URL()} {
		t.Run(store, func(t *testing.T) {
			h := &house{}
			h.add(t, true, where, "ROEM_SESSIONS_KEEP=100", "ROEM_LIMITS_SESSIONS=0.05")
			s := h.servers[0]
			p := newPatient(t, h.urls)
			create := func() string {
				status, path := s.newSession(t, "")
				if status != http.StatusCreated {
					t.Fatalf("a session: %d", status)
				}
				return path
			}
			going := []string{create()}
			var finished []string
			for _, q := range shortGames() {
				one := &killedPlay{stormPlay: q.session}
				_, err := one.ask(t.Context(), p, q, "", http.StatusCreated)
				for rng := rand.New(rand.NewPCG(1, 1)); err == nil && !one.over(); {
					err = one.playOn(t.Context(), p, rng, func() bool { return true })
				}
				if err != nil {
					t.Fatal(err)
				}
				finished = append(finished, one.read().target)
			}
			h.kill(t, 0)
			s = h.servers[0]
			there := func(path string, want int) {
				t.Helper()
				if status, _, err := get(s.url + path); err != nil || status != want {
					t.Errorf("after %d new games, %s: %d, %v, want %d", len(going)-1, path, status, err, want)
				}
			}
			for len(finished) > 0 {
				going = append(going, create())
				there(finished[0], http.StatusNotFound)
				finished = finished[1:]
				for _, path := range finished {
					there(path, http.StatusOK)
				}
				for _, path := range going {
					there(path, http.StatusOK)
				}
			}
			newest := create()
			there(going[0], http.StatusNotFound) // the one without an act for the longest time
			there(newest, http.StatusOK)
			s.sound(t)
		})
	}
}

// shortGames returns a request for a short session of each game.
func shortGames() []stormRequest {
	klaverjas, gin, belote, tarok := new(stormSession), new(stormGinSession), new(stormBeloteSession), new(stormTarokSession)
	all := []stormRequest{
		{op: opCreateSession, right: klaverjas.right, session: klaverjas},
		{op: opGinCreateSession, right: gin.right, session: gin},
		{op: opBeloteCreateSession, right: belote.right, session: belote},
		{op: opTarokCreateSession, right: tarok.right, session: tarok},
	}
	for i, body := range []string{
		`{"players": {"partner": "random", "opponents": "random"}}`, `{"players": {"opponent": "simple"}, "hands": 1}`,
		`{"players": {"opponent": "simple"}, "hands": 1, "trump": "drawn"}`, `{"players": {"left": "random", "right": "random"}, "hands": 1}`,
	} {
		all[i].target, all[i].body = all[i].op.path, []byte(body)
	}
	return all
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
	if client != "" {
		request.Header.Set("X-Forwarded-For", client)
	}
	answer, err := http.DefaultClient.Do(request)
	if err != nil {
		tb.Error(err)
		return 0, ""
	}
	defer func() { _ = answer.Body.Close() }()
	_, _ = io.Copy(io.Discard, answer.Body)
	return answer.StatusCode, answer.Header.Get("Location")
}
