package test

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"path/filepath"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"roem/internal/loadtest"
	"roem/internal/testkit"
)

// answered is the result of a request of TestSIGTERM.
type answered struct {
	id     string
	path   string
	sent   time.Time
	status int
	job    job
	err    error
}

// busy sends requests one after the other until the context ends or the server no longer listens. The requests are, in turn, without a
// search, with a search, or a job.
func busy(ctx context.Context, t *testing.T, url string, client int, note func(answered)) {
	t.Helper()
	var sources []loadtest.Source
	for i, name := range []string{"legal-moves", "solve", "solve-hard", "jobs"} {
		route, err := loadtest.NewRoute(name, 1, uint64(100*client+i))
		if err != nil {
			t.Error(err)
			return
		}
		sources = append(sources, route.Next)
	}
	c := &http.Client{Timeout: testkit.Patience, Transport: &http.Transport{DisableKeepAlives: client%2 == 0}}
	defer c.CloseIdleConnections()
	for n := client; ctx.Err() == nil; n++ {
		q, err := sources[n%len(sources)]()
		if err != nil {
			t.Error(err)
			return
		}
		a := answered{id: fmt.Sprintf("request-%d-%d", client, n), path: q.Path, sent: time.Now()}
		request, err := http.NewRequest(q.Method, url+q.Path, bytes.NewReader(q.Body))
		if err != nil {
			t.Error(err)
			return
		}
		request.Header.Set("Content-Type", "application/json")
		request.Header.Set("X-Request-ID", a.id)
		answer, err := c.Do(request)
		if a.err = err; err == nil {
			a.status = answer.StatusCode
			var text []byte
			text, a.err = io.ReadAll(answer.Body)
			_ = answer.Body.Close()
			if q.Path == "/v1/jobs" && a.status < 300 && a.err == nil {
				a.err = json.Unmarshal(text, &a.job)
			}
		}
		note(a)
		if errors.Is(err, syscall.ECONNREFUSED) {
			return
		}
	}
}

// TestSIGTERM stops a server under load. Every request that it has read gets a complete answer, it ends in time with status 0, and the
// next server finishes every accepted job.
func TestSIGTERM(t *testing.T) {
	// Within the grace, /readyz must answer 503. Without -full, it is polled, and a busy machine can delay the poll and the end.
	clients, requests, grace, drain := 8, 200, 3*time.Second, 3*time.Minute
	if testkit.Full() {
		clients, requests, grace, drain = 48, 20_000, 500*time.Millisecond, 10*time.Second
	}
	data := filepath.Join(t.TempDir(), "data")
	environ := []string{
		"ROEM_DATA=" + data, "ROEM_SHUTDOWN_GRACE=" + grace.String(), "ROEM_SHUTDOWN_DRAIN=" + drain.String(),
		"ROEM_SEARCH_TABLE=8MiB", "ROEM_LOG_LEVEL=info", "ROEM_LIMITS_SEARCHES=0", "ROEM_LIMITS_JOBS=0",
	}
	s := start(t, environ...)
	ctx, cancel := context.WithTimeout(t.Context(), 10*time.Minute)
	defer cancel()
	var mu sync.Mutex
	var all []answered
	good, submitted := 0, 0
	var loops sync.WaitGroup
	for i := range clients {
		loops.Go(func() {
			busy(ctx, t, s.url, i, func(a answered) {
				mu.Lock()
				defer mu.Unlock()
				all = append(all, a)
				if a.status == http.StatusOK {
					good++
				}
				if a.job.ID != "" {
					submitted++
				}
			})
		})
	}
	eventually(t, testkit.Patience, "there are answers of each kind", func() bool {
		mu.Lock()
		defer mu.Unlock()
		return len(all) >= requests && good > 0 && submitted > 0
	})
	told := time.Now()
	s.signal(t, syscall.SIGTERM)
	s.unready(t)
	if status := s.ends(t, grace+drain+testkit.Patience); status != 0 {
		t.Errorf("exit status %d\n%s", status, tail(s.logged()))
	}
	took := time.Since(told)
	if testkit.Full() && took > grace+drain+time.Second {
		t.Errorf("it ended %v after the signal", took)
	}
	loops.Wait()

	log, counts, cut, jobs := s.logged(), map[int]int{}, 0, []string(nil)
	after := 0
	for _, a := range all {
		counts[a.status]++
		if a.sent.After(told) && a.err == nil {
			after++
		}
		if a.job.ID != "" {
			jobs = append(jobs, a.job.ID)
		}
		switch {
		case a.err != nil && strings.Contains(log, `"`+a.id+`"`):
			cut++
			t.Errorf("%s, sent %v after the signal, was read by the server but not answered: %v", a.path, a.sent.Sub(told), a.err)
		case a.err == nil && a.status >= 500 && a.status != http.StatusServiceUnavailable:
			t.Errorf("%s: %d", a.path, a.status)
		}
	}
	t.Logf("%d requests of %d clients, by status %v (0: not accepted), %d of them answered after the "+
		"signal; %d cut; ended %v after the signal",
		len(all), clients, counts, after, cut, took.Round(time.Millisecond))
	if after == 0 || counts[http.StatusOK] == 0 || len(jobs) == 0 {
		t.Errorf("%d answers after the signal, %d good ones, %d jobs: too few for the test", after, counts[http.StatusOK], len(jobs))
	}
	s.sound(t)
	allDone(t, start(t, environ...), jobs)
}

// unready waits until the server says that it takes no more requests, which it must do before it ends.
func (s *server) unready(t *testing.T) {
	t.Helper()
	eventually(t, testkit.Patience, "/readyz says 503", func() bool {
		status, _, err := get(s.url + "/readyz")
		if errors.Is(err, syscall.ECONNREFUSED) {
			t.Fatal("the server ended, and /readyz has not said 503")
		}
		return status == http.StatusServiceUnavailable
	})
}

// allDone fails the test unless every job ends as succeeded.
func allDone(t *testing.T, s *server, jobs []string) {
	t.Helper()
	p := newPatient(t, func() []string { return []string{s.url} })
	ctx, cancel := context.WithTimeout(t.Context(), 10*time.Minute)
	defer cancel()
	began, done := time.Now(), 0
	for _, id := range jobs {
		if j, err := p.finish(ctx, id); err != nil || j.Status != "succeeded" {
			t.Errorf("job %s: %v, %q", id, err, j.Status)
		} else {
			done++
		}
	}
	t.Logf("%d of %d accepted jobs are done %v after the next start", done, len(jobs), time.Since(began).Round(time.Millisecond))
	s.sound(t)
}

// TestSecondSignal checks that a second signal ends the server immediately, and that no job is lost.
func TestSecondSignal(t *testing.T) {
	if testing.Short() {
		t.Skip("under the race detector the jobs take minutes; TestSIGTERM runs the same code")
	}
	data := filepath.Join(t.TempDir(), "data")
	environ := []string{
		"ROEM_DATA=" + data, "ROEM_SHUTDOWN_GRACE=1h", "ROEM_SHUTDOWN_DRAIN=1h", "ROEM_SEARCH_SEARCHERS=1", "ROEM_LIMITS_SEARCHES=0",
		"ROEM_LIMITS_JOBS=0",
	}
	s := start(t, environ...)
	p := newPatient(t, func() []string { return []string{s.url} })
	var jobs []string
	next := hardTable(t, 41)
	for i := range 30 {
		j, err := p.submit(t.Context(), fmt.Sprint("second-", i), "klaverjas.table", next())
		if err != nil {
			t.Fatal(err)
		}
		jobs = append(jobs, j.ID)
	}
	ctx, cancel := context.WithCancel(t.Context())
	var loops sync.WaitGroup
	for i := range 4 {
		loops.Go(func() { busy(ctx, t, s.url, i, func(answered) {}) })
	}
	eventually(t, testkit.Patience, "a job runs and requests arrive", func() bool {
		return s.metric(t, "roem_searchers_busy") == 1 && s.metric(t, "roem_http_requests_in_flight") > 1
	})
	s.signal(t, syscall.SIGTERM)
	s.unready(t)
	told := time.Now()
	s.signal(t, syscall.SIGTERM)
	status := s.ends(t, testkit.Patience)
	t.Logf("ended %v after the second signal, with status %d", time.Since(told).Round(time.Millisecond), status)
	cancel()
	loops.Wait()
	allDone(t, start(t, "ROEM_DATA="+data), jobs)
}
