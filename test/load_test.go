package test

import (
	"bytes"
	"context"
	"flag"
	"fmt"
	"sync"
	"testing"
	"time"

	"roem/internal/loadtest"
	"roem/internal/testkit"
)

var soak = flag.Duration("soak.duration", 10*time.Minute, "with -full, how `long` TestLoad measures")

// The requirements of TestLoad and the configuration of its server.
const (
	mostCheap    = 20.0 // milliseconds at the 99th percentile
	loadSearches = 2
)

// TestLoad keeps every slot busy with hard deals and the queue full. In the meantime requests without a search are fast, requests above
// the limit of the queue are refused with Retry-After, and the memory remains within its bound.
func TestLoad(t *testing.T) {
	duration, warmup := 3*time.Second, time.Second
	switch {
	case testkit.Full():
		duration, warmup = *soak, 10*time.Second
	case testing.Short():
		t.Skip("under the race detector searches take too long for this test")
	}
	s := start(t, fmt.Sprintf("ROEM_SEARCH_SEARCHERS=%d", loadSearches), "ROEM_LIMITS_SEARCHES=0")
	var routes []loadtest.Route
	for name, rate := range map[string]float64{"legal-moves": 100, "solve-cached": 100, "solve-hard": 150, "solve": 20} {
		route, err := loadtest.NewRoute(name, rate, 51)
		if err != nil {
			t.Fatal(err)
		}
		routes = append(routes, route)
	}
	ctx, cancel := context.WithCancel(t.Context())
	var watch sync.WaitGroup
	samples, busy, depth, largest := 0, 0.0, 0.0, int64(0)
	watch.Go(func() {
		time.Sleep(warmup)
		tick := time.NewTicker(max(duration/200, 100*time.Millisecond))
		defer tick.Stop()
		for {
			select {
			case <-ctx.Done():
				return
			case <-tick.C:
				busy += s.metric(t, "roem_searchers_busy")
				depth += s.metric(t, "roem_search_queue_depth")
				largest = max(largest, s.resident(t).own)
				samples++
			}
		}
	})
	report, err := loadtest.Run(t.Context(), loadtest.Options{
		URL: s.url, Routes: routes, Warmup: warmup, Duration: duration, Timeout: testkit.Patience, Connections: 512, Seed: 51,
	})
	cancel()
	watch.Wait()
	if err != nil {
		t.Fatal(err)
	}
	var table bytes.Buffer
	if err := report.WriteText(&table); err != nil {
		t.Fatal(err)
	}
	limit := s.metric(t, "roem_search_queue_limit")
	t.Logf("\n%ssearchers busy %.2f of %d, mean queue %.0f of %.0f; memory at most %d MiB",
		&table, busy/float64(samples), loadSearches, depth/float64(samples), limit, largest>>20)

	for _, route := range report.Routes {
		for _, a := range route.Answers {
			switch {
			case a.Status == "200", a.Status == "202":
			case (a.Status == "503" || a.Status == "429") && (route.Route == "solve" || route.Route == "solve-hard"):
				if r := a.RetryAfter; r.Wrong > 0 || r.Min < 1 || r.Max > 60 {
					t.Errorf("%s: %s with Retry-After %+v", route.Route, a.Status, *r)
				}
			default:
				t.Errorf("%s: %d answers %s", route.Route, a.Count, a.Status)
			}
		}
	}
	if report.Find("solve-hard", "200").Count == 0 {
		t.Error("no search was answered")
	}
	if largest > s.bound(t) {
		t.Errorf("the server had %d MiB in memory", largest>>20)
	}
	s.bounded(t)
	s.sound(t)
	if !testkit.Full() {
		return // on a busy machine durations are not meaningful
	}
	if report.Find("solve-hard", "503").Count == 0 || busy/float64(samples) < 0.95*loadSearches || depth/float64(samples) < 0.8*limit {
		t.Error("the server was not full: the rates are too low for this machine")
	}
	for _, route := range []string{"legal-moves", "solve-cached"} {
		if p99 := report.Find(route, "200").Latency.P99; p99 >= mostCheap {
			t.Errorf("%s: %.1f ms at the 99th percentile, want less than %v", route, p99, mostCheap)
		}
	}
}

// TestOneClientsExcess checks that a client at its limit of searches gets 429 and that others are served.
func TestOneClientsExcess(t *testing.T) {
	if testing.Short() {
		t.Skip("under the race detector searches take too long for this test")
	}
	s := start(t, "ROEM_SEARCH_SEARCHERS=2", "ROEM_LIMITS_SEARCHES=8", "ROEM_HTTP_TRUSTED_PROXIES=127.0.0.0/8")
	run := func(name string, client string, rate float64) (loadtest.Report, error) {
		route, err := loadtest.NewRoute(name, rate, 61)
		if err != nil {
			return loadtest.Report{}, err
		}
		return loadtest.Run(t.Context(), loadtest.Options{
			URL: s.url, Routes: []loadtest.Route{route}, Duration: 2 * time.Second, Timeout: testkit.Patience, Connections: 256, Seed: 61,
			Header: map[string][]string{"X-Forwarded-For": {client}},
		})
	}
	var greedy loadtest.Report
	var failed error
	var other sync.WaitGroup
	other.Go(func() { greedy, failed = run("solve-hard", "192.0.2.1", 200) })
	modest, err := run("solve", "192.0.2.2", 2)
	other.Wait()
	if err != nil || failed != nil {
		t.Fatal(err, failed)
	}
	refused := greedy.Find("solve-hard", "429")
	if refused.Count == 0 {
		t.Fatalf("the greedy client was never refused: %+v", greedy)
	}
	if refused.RetryAfter.Wrong > 0 || refused.RetryAfter.Min < 1 || refused.RetryAfter.Max > 60 {
		t.Errorf("the greedy client: %+v", refused)
	}
	if got := modest.Find("solve", "200"); got.Count == 0 || got.Count != modest.Routes[0].Due {
		t.Errorf("the modest client got %+v of %d", got, modest.Routes[0].Due)
	}
	t.Logf("the greedy client: %d answered, %d refused with Retry-After %d to %d s; the modest one: all %d answered",
		greedy.Find("solve-hard", "200").Count, refused.Count, refused.RetryAfter.Min, refused.RetryAfter.Max, modest.Routes[0].Due)
	s.sound(t)
}
