package test

import (
	"bufio"
	"errors"
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

// hostileRequests sends requests that no HTTP library sends.
func hostileRequests(t *testing.T, s *server) {
	t.Helper()
	const host = "\r\nHost: x\r\n"
	post := "POST /v1/klaverjas/solve HTTP/1.1" + host + "Content-Type: application/json\r\n"
	tests := []struct {
		name, send string
		want       []int // any of them; 0 for a connection that is closed without an answer
	}{
		{"no HTTP", "hello\r\n\r\n", []int{400}},
		{"binary", "\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03\r\n\r\n", []int{400}},
		{"no host", "GET /healthz HTTP/1.1\r\n\r\n", []int{400}},
		{"two hosts", "GET /healthz HTTP/1.1\r\nHost: a\r\nHost: b\r\n\r\n", []int{400}},
		{"HTTP/0.9", "GET /healthz\r\n\r\n", []int{400}},
		{"HTTP/3.7", "GET /healthz HTTP/3.7" + host + "\r\n", []int{505}},
		{"HTTP/2 without asking", "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n", []int{0, 400, 405, 505}},
		{"a header of 1 MiB", "GET /healthz HTTP/1.1" + host + "X: " + strings.Repeat("a", 1<<20) + "\r\n\r\n", []int{431}},
		{"100,000 headers", "GET /healthz HTTP/1.1" + host + strings.Repeat("X: a\r\n", 100_000) + "\r\n", []int{431}},
		{"a path of 1 MiB", "GET /" + strings.Repeat("a", 1<<20) + " HTTP/1.1" + host + "\r\n", []int{431}},
		{"a zero in a header", "GET /healthz HTTP/1.1" + host + "X: \x00\r\n\r\n", []int{400}},
		{"a space in a header's name", "GET /healthz HTTP/1.1" + host + "X : a\r\n\r\n", []int{400}},
		{"two lengths", post + "Content-Length: 5\r\nContent-Length: 6\r\n\r\nhello", []int{400}},
		{"a negative length", post + "Content-Length: -1\r\n\r\n", []int{400}},
		{"a length that is not a number", post + "Content-Length: many\r\n\r\n", []int{400}},
		{"an unknown encoding", post + "Transfer-Encoding: gzip\r\n\r\n", []int{501}},
		{"broken chunks", post + "Transfer-Encoding: chunked\r\n\r\nzz\r\nhello\r\n", []int{400}},
		{"an endless chunk size", post + "Transfer-Encoding: chunked\r\n\r\n" + strings.Repeat("1", 100_000), []int{400}},
		{"an expectation", post + "Expect: miracles\r\nContent-Length: 2\r\n\r\n{}", []int{417, 400}},
		{"an unknown method", "BREW /v1/klaverjas/solve HTTP/1.1" + host + "\r\n", []int{405}},
		{"TRACE", "TRACE /v1/klaverjas/solve HTTP/1.1" + host + "\r\n", []int{405}},
		{"CONNECT", "CONNECT example.org:443 HTTP/1.1\r\nHost: example.org:443\r\n\r\n", []int{403, 404, 405, 400}},
		{"another server", "GET http://example.org/ HTTP/1.1\r\nHost: example.org\r\n\r\n", []int{403}},
		{"up and out", "GET /../../../../etc/passwd HTTP/1.1" + host + "\r\n", []int{404, 301}},
		{"up and out, hidden", "GET /docs/assets/..%2f..%2f..%2fetc%2fpasswd HTTP/1.1" + host + "\r\n", []int{404}},
		{"a zero in the path", "GET /v1/klaverjas/deals/%00 HTTP/1.1" + host + "\r\n", []int{400, 422}},
		{"a broken escape", "GET /v1/klaverjas/deals/%zz HTTP/1.1" + host + "\r\n", []int{400}},
		{"a broken query", "GET /v1/klaverjas/deals/random?seed=%zz HTTP/1.1" + host + "\r\n", []int{400}},
		{"a header with a line break", "GET /healthz HTTP/1.1" + host + "X-Request-ID: abcdefgh\rSet-Cookie: a=b\r\n\r\n", []int{400}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			status, header := raw(t, s, tt.send)
			if !slices.Contains(tt.want, status) || header.Get("Set-Cookie") != "" {
				t.Errorf("status %d with %v, want one of %v", status, header, tt.want)
			}
		})
	}
}

// raw sends bytes and returns the status of the answer, or 0 for none.
func raw(t *testing.T, s *server, send string) (int, http.Header) {
	t.Helper()
	conn, err := net.Dial("tcp", s.addr)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = conn.Close() }()
	_ = conn.SetDeadline(time.Now().Add(testkit.Patience))
	go func() { _, _ = io.WriteString(conn, send) }() // the server may answer before it has read everything
	answer, err := http.ReadResponse(bufio.NewReader(conn), nil)
	if err != nil {
		if ne, ok := errors.AsType[net.Error](err); ok && ne.Timeout() {
			t.Errorf("neither an answer nor the end of the connection")
		}
		return 0, nil
	}
	_ = answer.Body.Close()
	return answer.StatusCode, answer.Header
}

// slowClients opens many connections that send or read almost nothing. The server closes them after its timeouts and answers other
// requests in the meantime.
func slowClients(t *testing.T, s *server) {
	t.Helper()
	n := 50
	if testkit.Full() {
		n = 500
	}
	const head = "POST /v1/klaverjas/solve HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\n"
	kinds := []struct{ name, first, drip string }{
		{"headers", "GET /healthz HTTP/1.1\r\n", "X: a\r\n"},
		{"body", head + "Content-Length: 60000\r\n\r\n", " "},
		{"chunks", head + "Transfer-Encoding: chunked\r\n\r\n", "1\r\n \r\n"},
		{"nothing", "", ""},
	}
	var under sync.WaitGroup
	var ended [4]atomic.Int64
	for k, kind := range kinds {
		for range n {
			under.Go(func() {
				conn, err := net.Dial("tcp", s.addr)
				if err != nil {
					t.Error(err)
					return
				}
				defer func() { _ = conn.Close() }()
				_ = conn.SetDeadline(time.Now().Add(testkit.Patience))
				stop := make(chan struct{})
				under.Go(func() {
					_, err := io.WriteString(conn, kind.first)
					for err == nil {
						select {
						case <-stop:
							return
						case <-time.After(250 * time.Millisecond):
							_, err = io.WriteString(conn, kind.drip)
						}
					}
				})
				_, err = io.Copy(io.Discard, conn) // until the server closes the connection
				close(stop)
				if ne, ok := errors.AsType[net.Error](err); !ok || !ne.Timeout() {
					ended[k].Add(1)
				}
			})
		}
	}
	// Other requests in the meantime.
	asked, worst := 0, time.Duration(0)
	for asked < 200 {
		began := time.Now()
		if status, _, err := get(s.url + "/healthz"); status != http.StatusOK {
			t.Fatalf("/healthz with slow clients: %d, %v", status, err)
		}
		asked, worst = asked+1, max(worst, time.Since(began))
	}
	under.Wait()
	t.Logf("%d connections of each kind; %d other requests answered in the meantime, the slowest in %v", n, asked, worst)
	for k, kind := range kinds {
		if got := ended[k].Load(); got != int64(n) {
			t.Errorf("slow %s: %d of %d connections were closed by the server within %v", kind.name, got, n, testkit.Patience)
		}
	}
}
