package test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"roem/internal/jobs"
	"roem/internal/jobs/boltqueue"
	"roem/internal/jobs/redisqueue"
	"roem/internal/redistest"
	"roem/internal/testkit"
)

// TestAbuseUnread has clients ask for large answers and never read them, while the server may use 384 MiB. The server survives, answers
// cheap requests of another client in the meantime, and ends the answers that nobody reads.
func TestAbuseUnread(t *testing.T) {
	testkit.NotRaced(t, "it is about the memory of a small machine")
	results, worlds := 40, 300
	if testkit.Full() {
		results, worlds = 200, 1000
	}
	view := `{"trump":"S","leader":"S","seat":"S","hand":["7C","JC","AC","JH","KH","7S","9S","KS"],"worlds":1000}`
	post := func(body, header string) string {
		return fmt.Sprintf("POST /v1/klaverjas/worlds HTTP/1.1\r\nHost: x\r\n%sContent-Type: application/json\r\nContent-Length: %d\r\n\r\n%s",
			header, len(body), body)
	}
	get := func(path string) string { return "GET " + path + " HTTP/1.1\r\nHost: x\r\n\r\n" }
	for _, test := range []struct {
		name    string
		clients int
		request func(job string) string
	}{
		{"results", results, get},
		{"events", 250, func(job string) string { return get(job + "/events") }},
		{"worlds", worlds, func(string) string { return post(view, "") }},
		{"compressed worlds", worlds, func(string) string { return post(view, "Accept-Encoding: gzip\r\n") }},
	} {
		t.Run(test.name, func(t *testing.T) {
			data := filepath.Join(t.TempDir(), "data")
			job := "/v1/jobs/" + finishedJob(t, fileQueue(t, data), largeResult)
			s := limited(t, start(t, "ROEM_DATA="+data, "ROEM_SEARCH_SEARCHERS=2"), smallMachine)
			kernel, most := sockets(t), int64(0)
			attacked, control := s.meanwhile(t, 600, func(enough <-chan struct{}) {
				var all sync.WaitGroup
				for range test.clients {
					all.Go(func() { unread(t, s, test.request(job)) })
				}
				all.Wait()
				for {
					most = max(most, sockets(t)-kernel)
					select {
					case <-enough:
						return
					case <-time.After(20 * time.Millisecond):
					}
				}
			})
			t.Logf("%d clients: at most %d MiB of memory, and %d MiB of the kernel's on this machine", test.clients, s.peak.Load()>>20, most>>20)
			s.alive(t)
			prompt(t, attacked, control)
			if test.name == "results" {
				eventually(t, testkit.Patience, "the answers end that nobody reads", func() bool {
					return s.metric(t, "roem_http_requests_in_flight") <= 1
				})
			}
			s.sound(t)
		})
	}
}

// largeResult is the size of the result of a list of a thousand impossible positions, before such lists were refused.
const largeResult = 7_350_000

// TestLargeResult reads a large result from both queues. The answer has its length, and HEAD the same header.
func TestLargeResult(t *testing.T) {
	redis := redistest.Start(t, redistest.Options{MaxMemoryPolicy: "noeviction"})
	data := filepath.Join(t.TempDir(), "data")
	for name, store := range map[string]struct {
		queue   jobs.Queue
		environ string
	}{
		"file":  {fileQueue(t, data), "ROEM_DATA=" + data},
		"redis": {redisQueue(t, redis.URL()), "ROEM_REDIS_URL=" + redis.URL()},
	} {
		t.Run(name, func(t *testing.T) {
			id := finishedJob(t, store.queue, largeResult)
			s := start(t, store.environ)
			c := client(testkit.Patience)
			defer c.CloseIdleConnections()
			want := `"result":{"results":["` + strings.Repeat("x", largeResult) + `"]}}`
			for _, method := range []string{http.MethodGet, http.MethodHead, http.MethodDelete} { // DELETE of a job that has ended returns it
				request, err := http.NewRequest(method, s.url+"/v1/jobs/"+id, http.NoBody)
				if err != nil {
					t.Fatal(err)
				}
				answer, err := c.Do(request)
				if err != nil {
					t.Fatal(err)
				}
				body, err := io.ReadAll(answer.Body)
				if err := errors.Join(err, answer.Body.Close()); err != nil || answer.StatusCode != http.StatusOK {
					t.Fatalf("%s: %d, %v", method, answer.StatusCode, err)
				}
				if method == http.MethodHead {
					if len(body) != 0 || answer.ContentLength < largeResult {
						t.Errorf("HEAD: %d bytes, Content-Length %d", len(body), answer.ContentLength)
					}
					continue
				}
				if !json.Valid(body) || !strings.Contains(string(body), want) || answer.ContentLength != int64(len(body)) {
					t.Errorf("%s: %d bytes, Content-Length %d: %.500s", method, len(body), answer.ContentLength, body)
				}
			}
			s.sound(t)
		})
	}
}

// unread sends a request and reads nothing until the end of the test.
func unread(t *testing.T, s *watched, request string) {
	t.Helper()
	conn, err := net.DialTimeout("tcp", s.addr, testkit.Patience)
	if err != nil {
		t.Error(err)
		return
	}
	t.Cleanup(func() { _ = conn.Close() })
	_ = conn.(*net.TCPConn).SetReadBuffer(4096)
	_, _ = io.WriteString(conn, request)
}

// fileQueue opens the queue of a server that does not run yet.
func fileQueue(t *testing.T, data string) jobs.Queue {
	t.Helper()
	if err := os.MkdirAll(data, 0o750); err != nil {
		t.Fatal(err)
	}
	queue, err := boltqueue.Open(filepath.Join(data, "jobs.db"), jobs.Options{})
	if err != nil {
		t.Fatal(err)
	}
	return queue
}

func redisQueue(t *testing.T, url string) jobs.Queue {
	t.Helper()
	queue, err := redisqueue.Open(t.Context(), redisqueue.Options{URL: url})
	if err != nil {
		t.Fatal(err)
	}
	return queue
}

// finishedJob stores a job of this machine's address with a result of some size, and closes the queue.
func finishedJob(t *testing.T, queue jobs.Queue, size int) (id string) {
	t.Helper()
	ctx, stop := context.WithCancel(t.Context())
	done := make(chan error, 1)
	go func() {
		done <- queue.Work(ctx, func(context.Context, jobs.Task, func([]byte)) ([]byte, error) {
			return []byte(`{"results":["` + strings.Repeat("x", size) + `"]}`), nil
		}, 1)
	}()
	job, _, err := queue.Submit(ctx, jobs.Spec{Kind: "klaverjas.solve_batch", Owner: "addr:127.0.0.1", Payload: []byte("{}")})
	if err != nil {
		t.Fatal(err)
	}
	eventually(t, testkit.Patience, "the job has ended", func() bool {
		now, err := queue.Get(ctx, job.ID)
		return err == nil && now.Status == jobs.Succeeded
	})
	stop()
	if err := errors.Join(<-done, queue.Close()); err != nil {
		t.Fatal(err)
	}
	return job.ID
}

// sockets returns how much memory the kernel uses for the connections of this machine, in bytes.
func sockets(t *testing.T) int64 {
	t.Helper()
	text, err := os.ReadFile("/proc/net/sockstat")
	if err != nil {
		t.Fatal(err)
	}
	for line := range strings.Lines(string(text)) {
		if _, mem, found := strings.Cut(line, " mem "); found && strings.HasPrefix(line, "TCP:") {
			var pages int64
			if _, err := fmt.Sscan(mem, &pages); err == nil {
				return pages * int64(os.Getpagesize())
			}
		}
	}
	t.Fatalf("no memory of TCP in %s", text)
	return 0
}
