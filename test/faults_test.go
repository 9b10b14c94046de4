package test

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"roem/internal/loadtest"
	"roem/internal/redistest"
	"roem/internal/testkit"
)

// mostWorse is the permitted increase of the 99th percentile over that with a healthy Redis.
const mostWorse = 100 * time.Millisecond

// latePosition is a position whose search takes less than a millisecond, so that the test measures the server and its cache.
type latePosition struct {
	body    []byte
	outcome int
}

// latePositions returns new positions, and the answers of a server without Redis for them.
func latePositions(t *testing.T, reference *server, n int, seed uint64) []latePosition {
	t.Helper()
	route, err := loadtest.NewRoute("legal-moves", 1, seed)
	if err != nil {
		t.Fatal(err)
	}
	c := client(testkit.Patience)
	defer c.CloseIdleConnections()
	list := make([]latePosition, 0, n)
	for len(list) < n {
		q, err := route.Next()
		if err != nil {
			t.Fatal(err)
		}
		var position struct{ Played []string }
		if err := json.Unmarshal(q.Body, &position); err != nil {
			t.Fatal(err)
		}
		if len(position.Played) < 20 {
			continue
		}
		outcome, err := solve(c, reference.url, q.Body)
		if err != nil {
			t.Fatal(err)
		}
		list = append(list, latePosition{q.Body, outcome})
	}
	return list
}

// solve returns the outcome of a position.
func solve(c *http.Client, url string, body []byte) (int, error) {
	answer, err := c.Post(url+"/v1/klaverjas/solve", "application/json", bytes.NewReader(body))
	if err != nil {
		return 0, err
	}
	text, err := io.ReadAll(answer.Body)
	if err := errors.Join(err, answer.Body.Close()); err != nil {
		return 0, err
	}
	var solution struct {
		Exact   bool
		Outcome *int
	}
	if err := json.Unmarshal(text, &solution); err != nil || answer.StatusCode != http.StatusOK || !solution.Exact || solution.Outcome == nil {
		return 0, fmt.Errorf("%d, %w: %s", answer.StatusCode, err, text)
	}
	return *solution.Outcome, nil
}

// ask sends requests at a fixed rate, independent of the answers. It returns the time of each answer since its request was due. Every
// answer must be correct.
func ask(t *testing.T, url string, list []latePosition, every time.Duration) []time.Duration {
	t.Helper()
	c := client(testkit.Patience)
	defer c.CloseIdleConnections()
	took := make([]time.Duration, len(list))
	var all sync.WaitGroup
	began := time.Now()
	for i, position := range list {
		due := began.Add(time.Duration(i) * every)
		time.Sleep(time.Until(due))
		all.Go(func() {
			outcome, err := solve(c, url, position.body)
			took[i] = time.Since(due)
			if err != nil || outcome != position.outcome {
				t.Errorf("outcome %d, want %d; %v", outcome, position.outcome, err)
			}
		})
	}
	all.Wait()
	slices.Sort(took)
	return took
}

// percentile returns the least of the sorted values that p percent of them do not exceed.
func percentile(sorted []time.Duration, p int) time.Duration {
	return sorted[min(len(sorted)-1, len(sorted)*p/100)]
}

// TestRedisFaults injects faults into the Redis through which servers share results. Every answer is correct, no request waits much
// longer, and Redis is used again after it recovers.
func TestRedisFaults(t *testing.T) {
	requests, every := 40, 5*time.Millisecond
	switch {
	case testkit.Full():
		requests, every = 1000, 20*time.Millisecond
	case testing.Short():
		t.Skip("the tests of the layer run under the race detector")
	}
	redis := redistest.Start(t, redistest.Options{Durable: true})
	proxy := redistest.NewProxy(t, redis.Addr())
	heal := func() { proxy.Set(redistest.None, 0) }
	faults := []struct {
		name       string
		begin, end func()
	}{
		{"stopped", redis.Stop, redis.Restart},
		{"killed, port closed", func() { redis.Kill(); proxy.Set(redistest.Refuse, 0) }, func() { redis.Restart(); heal() }},
		{"silent: takes connections, never answers", func() { proxy.Set(redistest.Silent, 0) }, heal},
		{"hanging (SIGSTOP)", redis.Pause, redis.Resume},
		{"slow: 50 ms an answer", func() { proxy.Set(redistest.Slow, 50*time.Millisecond) }, heal},
		{"slow: 500 ms an answer", func() { proxy.Set(redistest.Slow, 500*time.Millisecond) }, heal},
		{"random bytes instead of answers", func() { proxy.Set(redistest.Garbage, 0) }, heal},
	}
	// No request may be refused, even on a slow machine, because the test measures durations.
	unlimited := []string{"ROEM_LIMITS_SEARCHES=0", "ROEM_SEARCH_QUEUE=100000"}
	reference := start(t, unlimited...)
	s := start(t, append(unlimited, "ROEM_REDIS_URL="+proxy.URL())...)
	positions := latePositions(t, reference, (2*len(faults)+1)*requests+300, 61)
	next := func(n int) []latePosition {
		some := positions[:n]
		positions = positions[n:]
		return some
	}
	ask(t, s.url, next(requests/2), every) // to fill connections, buffers and tables
	var table strings.Builder
	table.WriteString("| Redis is | p50 | p99 | longest | just before: p50 | p99 | used again after |\n|---|---|---|---|---|---|---|\n")
	ms := func(d time.Duration) string { return fmt.Sprintf("%.1f ms", float64(d)/float64(time.Millisecond)) }
	for _, fault := range faults {
		before := ask(t, s.url, next(requests), every)
		fault.begin()
		took := ask(t, s.url, next(requests), every)
		fault.end()
		healed := time.Now()
		written := func() float64 { return s.metric(t, `roem_cache_writes_total{layer="redis",result="kept"}`) }
		kept, looks := written(), 0
		eventually(t, testkit.Patience, "Redis is used again after "+fault.name, func() bool {
			if written() > kept {
				return true
			}
			// A result is sent within a few milliseconds, or much later on a busy machine, or is lost while Redis is given up.
			if looks++; looks%20 == 1 && s.metric(t, "roem_cache_breaker_state") == 0 {
				if len(positions) == 0 {
					t.Fatalf("Redis is not used again after %s", fault.name)
				}
				ask(t, s.url, next(1), 0)
			}
			return written() > kept
		})
		p99, normal := percentile(took, 99), percentile(before, 99)
		fmt.Fprintf(&table, "| %s | %s | %s | %s | %s | %s | %s |\n", fault.name, ms(percentile(took, 50)), ms(p99), ms(took[len(took)-1]),
			ms(percentile(before, 50)), ms(normal), ms(time.Since(healed)))
		if testkit.Full() && p99 > normal+mostWorse {
			t.Errorf("%s: p99 %v, before it %v", fault.name, p99, normal)
		}
	}
	t.Logf("%d requests at %.0f a second for each figure, each for a new position\n%s",
		requests, 1/every.Seconds(), &table)
	s.sound(t)
}
