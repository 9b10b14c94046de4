package test

import (
	"context"
	"fmt"
	"io"
	"net"
	"net/http"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"roem/internal/testkit"
)

// smallMemory is the memory of a server in deploy/kubernetes, in bytes. smallServer makes a server believe that it has no more.
const (
	smallMemory = 384 << 20
	smallServer = "GOMEMLIMIT=384MiB"
)

// beside sends n requests, one after the other, each with a client of its own, while others attack. It logs the share that was answered and
// how long the answers took, and fails for those that were not.
func beside(t *testing.T, n int, ask func(ctx context.Context, c *http.Client) reply) {
	t.Helper()
	var took []time.Duration
	failed := map[string]int{}
	for range n {
		c := clientAt(t, "127.0.0.1")
		began := time.Now()
		answer := ask(t.Context(), c)
		took = append(took, time.Since(began))
		c.CloseIdleConnections()
		if answer.status != http.StatusOK {
			failed[fmt.Sprintf("%d %.200s", answer.status, answer.body)]++
		}
	}
	slices.Sort(took)
	t.Logf("%d of %d honest requests were answered; the median took %v, 99 in 100 at most %v",
		n-len(failed), n, took[n/2].Round(time.Millisecond), took[n*99/100].Round(time.Millisecond))
	if len(failed) > 0 {
		t.Errorf("not answered: %v", failed)
	}
}

// hold keeps a connection from an address open until the context ends: it sends the first text, and then the drip every second. It connects
// again when the server closes the connection. begun is called each time the first text is sent.
func hold(ctx context.Context, from, to, first, drip string, begun func()) {
	dialer := net.Dialer{LocalAddr: &net.TCPAddr{IP: net.ParseIP(from)}, Timeout: testkit.Patience}
	for ctx.Err() == nil {
		conn, err := dialer.DialContext(ctx, "tcp", to)
		if err != nil {
			continue
		}
		stop := context.AfterFunc(ctx, func() { _ = conn.Close() })
		if _, err = io.WriteString(conn, first); err == nil {
			begun()
		}
		go func() {
			for err == nil && drip != "" && ctx.Err() == nil {
				time.Sleep(time.Second)
				_, err = io.WriteString(conn, drip)
			}
		}()
		_, _ = io.Copy(io.Discard, conn) // until the server closes it
		stop()
		_ = conn.Close()
		select {
		case <-ctx.Done():
		case <-time.After(5 * time.Second):
		}
	}
}

// TestAbuseByUploads lets 12 addresses hold two bodies each that declare 4 MiB, begin with 66 kB, and go on with a byte a second. Lists of
// others are answered.
func TestAbuseByUploads(t *testing.T) {
	s := start(t, smallServer)
	ctx, stop := context.WithCancel(t.Context())
	var under sync.WaitGroup
	defer under.Wait()
	defer stop()
	var begun atomic.Int64
	const addresses, each = 12, 2
	first := "POST /v1/klaverjas/predict/batch HTTP/1.1\r\nHost: roem\r\nContent-Type: application/json\r\nContent-Length: 4194304\r\n\r\n" +
		`{"positions": [` + strings.Repeat(" ", 66_000)
	for i := range addresses * each {
		under.Go(func() {
			hold(ctx, fmt.Sprintf("127.0.20.%d", 1+i/each), s.addr, first, " ", func() { begun.Add(1) })
		})
	}
	eventually(t, testkit.Patience, "the uploads to begin", func() bool { return begun.Load() >= addresses*each })
	list := `{"positions": [` + strings.Repeat(" ", 200_000) + strings.Repeat(solvable+",", 500) + solvable + `]}`
	beside(t, testkit.Times(5, 10, 20, 67), func(ctx context.Context, c *http.Client) reply {
		return exchange(ctx, c, http.MethodPost, s.url+"/v1/klaverjas/predict/batch", list)
	})
	s.sound(t)
}

// TestAbuseByConnections opens many connections from one address, and then from ten. Others connect and are answered, and the memory is
// within 384 MiB.
func TestAbuseByConnections(t *testing.T) {
	n, environ := 8500, []string{smallServer}
	if !testkit.Full() {
		n, environ = 400, append(environ, "ROEM_HTTP_MAX_CONNECTIONS=100")
	}
	s := start(t, environ...)
	for _, addresses := range []int{1, 10} {
		t.Run(fmt.Sprintf("%d addresses", addresses), func(t *testing.T) {
			ctx, stop := context.WithCancel(t.Context())
			var under sync.WaitGroup
			defer under.Wait()
			defer stop()
			var begun atomic.Int64
			for i := range n {
				under.Go(func() {
					from := fmt.Sprintf("127.0.21.%d", 1+i%addresses)
					hold(ctx, from, s.addr, "GET /version HTTP/1.1\r\nHost: roem\r\n\r\n", "", func() { begun.Add(1) })
				})
			}
			eventually(t, testkit.Patience, "connections", func() bool { return begun.Load() >= int64(n)/2 })
			beside(t, testkit.Times(10, 20, 40, 200), func(ctx context.Context, c *http.Client) reply {
				return exchange(ctx, c, http.MethodGet, s.url+"/version", "")
			})
			if own := s.resident(t).own; own > smallMemory {
				t.Errorf("the server has %d MiB", own>>20)
			} else {
				t.Logf("the server has %d MiB", own>>20)
			}
		})
	}
	s.sound(t)
}

// TestAbuseByWaits waits for one job many times from one address. Only some of the waits are held, and others wait for their jobs.
func TestAbuseByWaits(t *testing.T) {
	n := testkit.Times(200, 300, 500, 4000)
	s := start(t, smallServer, "ROEM_SEARCH_SEARCHERS=1", "ROEM_HTTP_MAX_WAIT=10m")
	const long = `{"kind": "tarok.match", "request": {"a": "program", "b": "heuristic", "deals": 100}}`
	jobOf := func(from string) string {
		answer := exchange(t.Context(), clientAt(t, from), http.MethodPost, s.url+"/v1/jobs", long)
		if answer.status != http.StatusAccepted {
			t.Fatalf("no job: %d %s", answer.status, answer.body)
		}
		return s.url + answer.header.Get("Location")
	}
	theirs, own := jobOf("127.0.22.1"), jobOf("127.0.0.1")
	ctx, stop := context.WithCancel(t.Context())
	var under sync.WaitGroup
	defer under.Wait()
	defer stop()
	var refused atomic.Int64
	c := clientAt(t, "127.0.22.1")
	c.Timeout = 0
	for range n {
		under.Go(func() {
			if exchange(ctx, c, http.MethodGet, theirs+"?wait=600", "").status == http.StatusTooManyRequests {
				refused.Add(1)
			}
		})
	}
	const held = 100 // limits.streams of 1000
	eventually(t, testkit.Patience, "refusals", func() bool { return refused.Load() >= int64(n-held) })
	beside(t, 3, func(ctx context.Context, c *http.Client) reply {
		return exchange(ctx, c, http.MethodGet, own+"?wait=1", "")
	})
	if own := s.resident(t).own; own > smallMemory {
		t.Errorf("the server has %d MiB", own>>20)
	}
	if got := refused.Load(); got > int64(n-held) {
		t.Errorf("%d of %d waits were refused, want %d", got, n, n-held)
	}
}
