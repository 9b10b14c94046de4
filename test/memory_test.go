package test

import (
	"bytes"
	"io"
	"net/http"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"roem/internal/loadtest"
	"roem/internal/testkit"
)

// TestMemoryBound solves enough different endgames to fill the cache, with the table of every searcher in use, and compares the memory
// of the process with its stated bound.
func TestMemoryBound(t *testing.T) {
	solves, cache := int64(4000), "1MiB"
	switch {
	case testkit.Full():
		solves, cache = 300_000, "64MiB"
	case testing.Short():
		t.Skip("the race detector uses memory too")
	}
	s := start(t, "ROEM_SEARCH_SEARCHERS=2", "ROEM_CACHE_MEMORY="+cache, "ROEM_CACHE_DISK=0", "ROEM_LIMITS_SEARCHES=0", "ROEM_LOG_LEVEL=info")
	var next, wrong atomic.Int64
	var clients sync.WaitGroup
	largest, began := int64(0), time.Now()
	for i := range 8 {
		route, err := loadtest.NewRoute("legal-moves", 1, uint64(910+i))
		if err != nil {
			t.Fatal(err)
		}
		clients.Go(func() {
			c := client(testkit.Patience)
			defer c.CloseIdleConnections()
			for next.Add(1) <= solves && wrong.Load() < 10 {
				q, err := route.Next()
				// Only some positions have many cards left.
				for err == nil && bytes.Count(q.Body, []byte(`"`)) < 120 && next.Load()%256 != 0 {
					q, err = route.Next()
				}
				if err != nil {
					t.Error(err)
					return
				}
				answer, err := c.Post(s.url+"/v1/klaverjas/solve", "application/json", bytes.NewReader(q.Body))
				if err != nil {
					wrong.Add(1)
					t.Error(err)
					continue
				}
				text, err := io.ReadAll(answer.Body)
				_ = answer.Body.Close()
				if err != nil || answer.StatusCode != http.StatusOK && !strings.Contains(string(text), "played") {
					wrong.Add(1)
					t.Errorf("%d, %v: %.300s", answer.StatusCode, err, text)
				}
			}
		})
	}
	done := make(chan struct{})
	go func() { clients.Wait(); close(done) }()
	for running := true; running; {
		select {
		case <-done:
			running = false
		case <-time.After(100 * time.Millisecond):
		}
		largest = max(largest, s.resident(t).own)
	}
	t.Logf("%d endgames in %.0f s; the memory cache has %.1f MiB; memory at most %d MiB",
		solves, time.Since(began).Seconds(), s.metric(t, "roem_cache_bytes")/(1<<20), largest>>20)
	if largest > s.bound(t) {
		t.Errorf("the server used %d MiB, its bound is %d MiB", largest>>20, s.bound(t)>>20)
	}
	s.bounded(t)
	s.sound(t)
}
