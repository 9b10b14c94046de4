package test

import (
	"encoding/json"
	"fmt"
	"net/http"
	"slices"
	"strconv"
	"testing"
	"time"

	"roem/internal/testkit"
)

// TestJobsOfOthers lets a few clients do their worst to the jobs of all: the longest matches that are allowed, from as many networks as
// there are workers, and then as many further ones as the queue takes from the addresses of a few IPv6 networks. Clients that come later
// have their small jobs done meanwhile.
func TestJobsOfOthers(t *testing.T) {
	testkit.NotRaced(t, "it is about time, and searches for long")
	const networks, addresses = 4, 3 // of each network
	const deals, searching = `{"kind": "tarok.match", "request": {"a": "%s", "b": "heuristic", "deals": 10000, "seed": "%%d"}}`,
		`{"kind": "klaverjas.match", "request": {"a": "pimc:20", "b": "simple", "deals": 500, "seed": "%d"}}`
	for _, tt := range []struct{ name, long, environ string }{
		{"the most deals", fmt.Sprintf(deals, "heuristic"), ""},
		{"decisions of a second", fmt.Sprintf(deals, "program"), "ROEM_LIMITS_JOBS_TIME=0s"},
		{"as many as the queue takes", searching, "ROEM_LIMITS_JOBS_TIME=0s"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			queue := 1000
			if !testkit.Full() {
				queue = 120
			}
			environ := []string{"ROEM_SEARCH_SEARCHERS=2", "ROEM_LOG_LEVEL=info", fmt.Sprint("ROEM_JOBS_QUEUE=", queue)}
			if tt.environ != "" {
				environ = append(environ, tt.environ)
			}
			s := startProxied(t, environ...)
			attack(t, s, tt.long, networks, addresses, queue)
			honest(t, s, 20)
			s.sound(t)
		})
	}
}

// attack creates jobs until no address of the attackers gets another one.
func attack(t *testing.T, s *proxied, long string, networks, addresses, queue int) {
	t.Helper()
	began, accepted, refused := time.Now(), 0, map[string]int{}
	for network := range networks {
		for address := range addresses {
			ip := fmt.Sprintf("2001:db8:%x:%x::1", network, address)
			for more := true; more; {
				status, header, text := s.send(t, ip, http.MethodPost, "/v1/jobs", fmt.Sprintf(long, accepted))
				if more = status == http.StatusAccepted; more {
					accepted++
					continue
				}
				var problem struct{ Type string }
				if err := json.Unmarshal(text, &problem); err != nil {
					t.Fatalf("%d: %s", status, text)
				}
				refused[problem.Type]++
				if wait, err := strconv.Atoi(header.Get("Retry-After")); err != nil || wait < 2 {
					t.Errorf("%s has Retry-After %q while long jobs run", text, header.Get("Retry-After"))
				}
			}
		}
	}
	t.Logf("%d jobs accepted in %v; refused by %v", accepted, time.Since(began).Round(time.Second), refused)
	if room := queue - accepted; room < queue/5 {
		t.Errorf("the attackers have left %d places of %d", room, queue)
	}
}

// honest lets clients that have nothing in the queue have small jobs done, one after the other.
func honest(t *testing.T, s *proxied, clients int) {
	t.Helper()
	var took []time.Duration
	for n := range clients {
		ip, began := fmt.Sprintf("198.51.100.%d", n), time.Now()
		status, _, text := s.send(t, ip, http.MethodPost, "/v1/klaverjas/match",
			fmt.Sprintf(`{"a": "simple", "b": "simple", "deals": 1, "seed": "%d"}`, n))
		var job jobState
		// A job that has ended by then is answered with 200.
		if err := json.Unmarshal(text, &job); err != nil || status != http.StatusAccepted && status != http.StatusOK {
			t.Errorf("an honest client gets %d: %s", status, text)
			continue
		}
		if job.Status == "queued" && (job.EstimatedWaitMs == nil || *job.EstimatedWaitMs > testkit.Patience.Milliseconds()) {
			t.Errorf("an honest client is told to wait %v", job.EstimatedWaitMs)
		}
		s.ends(t, ip, job)
		took = append(took, time.Since(began))
	}
	slices.Sort(took)
	if len(took) < clients {
		t.Errorf("%d of %d honest jobs were done", len(took), clients)
		return
	}
	t.Logf("%d of %d honest jobs done: median %v, p99 %v", len(took), clients, took[len(took)/2].Round(time.Millisecond),
		took[len(took)-1].Round(time.Millisecond))
	within := testkit.Times(testkit.Patience, testkit.Patience, testkit.Patience, time.Minute)
	if most := took[len(took)-1]; most > within {
		t.Errorf("an honest job took %v, more than %v", most, within)
	}
}
