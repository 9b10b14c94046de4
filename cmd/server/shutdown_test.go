package main

import (
	"bufio"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"strings"
	"sync"
	"sync/atomic"
	"syscall"
	"testing"
	"time"

	"roem/internal/testkit"
)

// load sends requests of all kinds to a server, each with its own request id, until the context or the server ends. It records the
// result of each request.
type load struct {
	p      *process
	client *http.Client
	next   atomic.Int64
	mu     sync.Mutex
	ended  map[string]ending // by request id
}

type ending struct {
	status int
	whole  bool // the body was complete and is JSON
	err    error
}

func (l *load) send(ctx context.Context, path, body string) ending {
	id := fmt.Sprintf("load-%08d", l.next.Add(1))
	r, err := http.NewRequestWithContext(ctx, http.MethodPost, l.p.url+path, strings.NewReader(body))
	if err != nil {
		return ending{err: err}
	}
	r.Header.Set("Content-Type", "application/json")
	r.Header.Set("X-Request-ID", id)
	end := ending{}
	answer, err := l.client.Do(r)
	if err != nil {
		end.err = err
	} else {
		var text []byte
		text, end.err = io.ReadAll(answer.Body)
		_ = answer.Body.Close()
		end.status, end.whole = answer.StatusCode, end.err == nil && json.Valid(text)
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	l.ended[id] = end
	return end
}

// answered returns how many requests have an answer.
func (l *load) answered() (n int) {
	l.mu.Lock()
	defer l.mu.Unlock()
	for _, end := range l.ended {
		if end.whole {
			n++
		}
	}
	return n
}

// run sends requests from the given number of clients. A client ends after three failures in a row.
func (l *load) run(ctx context.Context, clients int) *sync.WaitGroup {
	var all sync.WaitGroup
	for c := range clients {
		all.Go(func() {
			failed := 0
			for i := 0; failed < 3 && ctx.Err() == nil; i++ {
				// Different deals, so that most answers need a search.
				deal := fmt.Sprintf(`{"trump": "D", "leader": "N", "deal": "%d"`, 71234567890000000+int64(c)*1e9+int64(i)*7919)
				path, body := "/v1/klaverjas/solve", deal+`, "goal": "moves"}`
				switch i % 4 {
				case 1:
					path, body = "/v1/klaverjas/legal-moves", deal+"}"
				case 3:
					body = deal + `, "goal": "win"}`
				}
				if l.send(ctx, path, body).err != nil {
					failed++
				} else {
					failed = 0
				}
			}
		})
	}
	return &all
}

// On SIGTERM under load, every accepted request gets a complete answer, and the server ends in time. The accepted requests are those in
// the log, with the id of the client.
func TestStopsUnderLoad(t *testing.T) {
	tests := []struct {
		name      string
		grace     time.Duration
		keepAlive bool
	}{
		{"at once", 0, true},
		{"after a grace", 500 * time.Millisecond, true},
		{"a connection for each request", 300 * time.Millisecond, false},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			const drain = testkit.Patience
			p := start(t, "ROEM_SHUTDOWN_GRACE="+tt.grace.String(), "ROEM_SHUTDOWN_DRAIN="+drain.String(), "ROEM_LIMITS_SEARCHES=0")
			l := &load{p: p, ended: map[string]ending{}, client: &http.Client{
				Transport: &http.Transport{DisableKeepAlives: !tt.keepAlive, MaxIdleConnsPerHost: 100},
			}}
			clients := l.run(t.Context(), 16)
			await(t, "answers", func() bool { return l.answered() >= 100 })
			stopped := time.Now()
			p.signal(t, syscall.SIGTERM)
			if got := p.ends(t, tt.grace+drain+testkit.Patience); got != 0 {
				t.Errorf("exit status %d\n%s", got, tail(p.logged()))
			}
			took := time.Since(stopped)
			clients.Wait()
			l.client.CloseIdleConnections()

			answered, refused := 0, 0
			lines := bufio.NewScanner(strings.NewReader(p.logged()))
			for lines.Scan() {
				var entry struct {
					ID     string `json:"request_id"`
					Msg    string
					Status int
				}
				if err := json.Unmarshal(lines.Bytes(), &entry); err != nil {
					t.Fatal(err)
				}
				if entry.Msg != "request" {
					continue
				}
				if end := l.ended[entry.ID]; !end.whole || end.status != entry.Status || entry.Status != http.StatusOK {
					t.Errorf("the log has %s, the client got %+v", lines.Text(), end)
				}
				delete(l.ended, entry.ID)
				answered++
			}
			for id, end := range l.ended { // requests that the server has not received
				if end.err == nil {
					t.Errorf("%s: %+v is not in the log of the server", id, end)
				}
				refused++
			}
			if answered == 0 || took < tt.grace || took > tt.grace+drain {
				t.Errorf("%d answered, stopped after %v", answered, took)
			}
			t.Logf("%d requests answered, %d refused, stopped %v after the signal", answered, refused, took.Round(time.Millisecond))
		})
	}
}

// tail returns the end of a log.
func tail(log string) string { return log[max(0, len(log)-2000):] }
