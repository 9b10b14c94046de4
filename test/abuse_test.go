package test

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"maps"
	"math/rand/v2"
	"net"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"
)

// TestAbuse does to one server what broken, slow and hostile clients do. Every answer has the right status, none is a fault, and
// afterwards the server is as it was: no goroutine, no connection and no memory stays behind.
func TestAbuse(t *testing.T) {
	environ := []string{
		"ROEM_SEARCH_SEARCHERS=2", "ROEM_SEARCH_TABLE=8MiB", "ROEM_CACHE_MEMORY=16MiB",
		"ROEM_HTTP_READ_HEADER_TIMEOUT=1s", "ROEM_HTTP_READ_TIMEOUT=2s", "ROEM_HTTP_MAX_WAIT=5s", "ROEM_LOG_LEVEL=info",
		"ROEM_LIMITS_JOBS=0",
	}
	if *full {
		environ[3], environ[4], environ[5] = "ROEM_HTTP_READ_HEADER_TIMEOUT=5s", "ROEM_HTTP_READ_TIMEOUT=15s", "ROEM_HTTP_MAX_WAIT=30s"
	}
	s := start(t, environ...)
	before := s.metric(t, "go_goroutines")

	t.Run("mutations", func(t *testing.T) { mutations(t, s) })
	t.Run("bodies", func(t *testing.T) { hostileBodies(t, s) })
	t.Run("requests", func(t *testing.T) { hostileRequests(t, s) })
	t.Run("slow clients", func(t *testing.T) { slowClients(t, s) })

	eventually(t, 30*time.Second, "as many goroutines as before", func() bool { return s.metric(t, "go_goroutines") <= before+4 })
	t.Logf("goroutines: %v before, %v after", before, s.metric(t, "go_goroutines"))
	s.bounded(t)
	s.sound(t)
}

// mutations sends random changes of valid requests to every route of the contract.
func mutations(t *testing.T, s *server) {
	t.Helper()
	n := 500
	switch {
	case *full:
		n = 10_000
	case testing.Short():
		n = 60
	}
	all := routes(t)
	var bodies [][]byte
	for _, r := range all {
		bodies = append(bodies, r.bodies...)
	}
	jobs := someJobs(s)
	for _, r := range all {
		n := n
		if len(r.bodies) == 0 && len(r.op.Parameters)+len(r.item.Parameters) == 0 {
			n /= 10 // there is nothing to change but the query and headers that do not matter
		}
		t.Run(strings.ReplaceAll(r.String(), "/", " "), func(t *testing.T) {
			began := time.Now()
			var statuses sync.Map
			var next atomic.Int64
			var wrong atomic.Int64
			var workers sync.WaitGroup
			for worker := range 4 {
				workers.Go(func() {
					m := &mutator{rng: rand.New(rand.NewPCG(uint64(worker), 42)), others: bodies, redeals: 3}
					if r.path == "/v1/klaverjas/table" {
						m.redeals = 30 // each takes eight searches
					}
					c := client(40 * time.Second)
					defer c.CloseIdleConnections()
					for next.Add(1) <= int64(n) && wrong.Load() < 5 {
						status, err := mutated(c, s.url, r, m, jobs)
						count, _ := statuses.LoadOrStore(status, new(atomic.Int64))
						count.(*atomic.Int64).Add(1)
						if err != nil {
							wrong.Add(1)
							t.Error(err)
						}
					}
				})
			}
			workers.Wait()
			seen := map[int]int64{}
			statuses.Range(func(status, count any) bool {
				seen[status.(int)] = count.(*atomic.Int64).Load()
				return true
			})
			t.Logf("%d requests in %.1f s: %v", n, time.Since(began).Seconds(), seen)
			if len(r.bodies) > 0 && seen[http.StatusBadRequest] < int64(n/5) {
				t.Errorf("%d of %d requests were bad: the mutations are too tame", seen[http.StatusBadRequest], n)
			}
		})
	}
}

// someJobs are the ids of jobs that exist, if the server has jobs.
func someJobs(s *server) []string {
	c := client(10 * time.Second)
	defer c.CloseIdleConnections()
	ids := []string{"00000000000000000000000000"}
	for i := range 3 {
		body := fmt.Sprintf(`{"kind": "klaverjas.solve", "request": {"trump": "C", "leader": "N", "deal": "%d"}}`, 1000+i)
		answer, err := c.Post(s.url+"/v1/jobs", "application/json", strings.NewReader(body))
		if err != nil {
			continue
		}
		var job struct {
			ID string `json:"id"`
		}
		if json.NewDecoder(answer.Body).Decode(&job) == nil && job.ID != "" {
			ids = append(ids, job.ID)
		}
		_ = answer.Body.Close()
	}
	return ids
}

// mutated sends a changed request of the route and says what is wrong with the answer.
func mutated(c *http.Client, base string, r route, m *mutator, jobs []string) (status int, err error) {
	path, query := r.path, url.Values{}
	for _, parameter := range append(r.item.Parameters, r.op.Parameters...) {
		p := parameter.Value
		valid := fmt.Sprint(p.Example)
		if p.Example == nil {
			valid = "1"
		}
		if strings.Contains(r.path, "/jobs/") && p.In == "path" {
			valid = jobs[m.pick(len(jobs))]
		}
		switch {
		case p.In == "path":
			if m.pick(2) == 0 {
				valid = m.segment(valid)
			}
			if valid == "" || strings.Trim(valid, ".") == "" {
				valid = "x"
			}
			path = strings.ReplaceAll(path, "{"+p.Name+"}", url.PathEscape(valid))
		case p.In == "query" && m.pick(2) == 0:
			if m.pick(2) == 0 {
				valid = m.segment(valid)
			}
			if p.Name == "wait" && m.pick(20) > 0 {
				valid = "0" // the others would only wait
			}
			query.Add(p.Name, valid)
		}
	}
	if m.pick(20) == 0 {
		query.Add(m.text(), m.text())
	}
	target := base + path
	if len(query) > 0 {
		target += "?" + query.Encode()
	}
	var body []byte
	if len(r.bodies) > 0 {
		body = m.body(r.bodies[m.pick(len(r.bodies))])
	}
	ctx, cancel := context.WithTimeout(context.Background(), 35*time.Second)
	defer cancel()
	q, err := http.NewRequestWithContext(ctx, r.method, target, bytes.NewReader(body))
	if err != nil {
		return 0, nil // it cannot be sent
	}
	q.Header.Set("Content-Type", "application/json")
	if m.pick(10) == 0 {
		q.Header.Set("Prefer", []string{"wait=0", "wait=1", "respond-async", "wait=-1", "wait=99999999999999999999", ";;,=,", "wait"}[m.pick(7)])
	}
	if m.pick(20) == 0 {
		q.Header.Set("Idempotency-Key", strings.Map(printable, m.segment(`"8e03978e-40d5-43dd-bc93-6894a57f9324"`)))
	}
	if m.pick(20) == 0 {
		q.Header.Set("Accept", []string{"text/html", "*/*", "application/problem+json", "nonsense", "application/json;q=0"}[m.pick(5)])
	}
	if m.pick(20) == 0 {
		q.Header.Set("X-Request-ID", strings.Map(printable, m.segment("abcdefgh12345678")))
	}
	answer, err := c.Do(q)
	if err != nil {
		return 0, fmt.Errorf("%v %.200q: no answer: %w", r, body, err)
	}
	defer func() { _ = answer.Body.Close() }()
	text, err := io.ReadAll(answer.Body)
	if err != nil {
		return 0, fmt.Errorf("%v %.200q: the answer is cut: %w", r, body, err)
	}
	if err := r.check(answer.StatusCode, answer.Header, text); err != nil {
		return answer.StatusCode, fmt.Errorf("%s %.2000q: %w", target, body, err)
	}
	if body != nil && !json.Valid(body) && answer.StatusCode != http.StatusBadRequest {
		return answer.StatusCode, fmt.Errorf("%v: no JSON, but the answer is %d: %.2000q", r, answer.StatusCode, body)
	}
	return answer.StatusCode, nil
}

// printable keeps what a header may hold.
func printable(r rune) rune {
	if r < ' ' || r > '~' {
		return '~'
	}
	return r
}

const solvable = `{"trump": "C", "leader": "N", "deal": "71234567890123456"}`

// posts are the routes that take a body.
func posts(tb testing.TB) []string {
	tb.Helper()
	var all []string
	for _, r := range routes(tb) {
		if r.method == http.MethodPost {
			all = append(all, r.path)
		}
	}
	return all
}

// hostileBodies sends bodies that are too large, too deep, never end, or are not what they say.
func hostileBodies(t *testing.T, s *server) {
	t.Helper()
	const megabyte = 1 << 20
	tests := []struct {
		name   string
		body   func() io.Reader
		length int64 // that the request declares; 0 for what the body has, -1 for chunks
		header http.Header
		want   int
	}{
		{name: "32 MiB declared", body: func() io.Reader { return endless(32 * megabyte) }, length: 32 * megabyte, want: 413},
		{name: "32 MiB in chunks", body: func() io.Reader { return endless(32 * megabyte) }, length: -1, want: 413},
		{name: "without an end", body: func() io.Reader { return endless(1 << 40) }, length: -1, want: 413},
		{name: "a terabyte declared", body: func() io.Reader { return endless(1 << 40) }, length: 1 << 40, want: 413},
		{name: "deep arrays", body: text(strings.Repeat("[", 30_000)), want: 400},
		{name: "deep objects", body: text(strings.Repeat(`{"a":`, 10_000)), want: 400},
		{name: "deep in a field", body: text(`{"trump": ` + strings.Repeat("[", 30_000) + strings.Repeat("]", 30_000) + `}`), want: 400},
		{name: "a thousand fields", body: func() io.Reader {
			var b strings.Builder
			for i := range 1000 {
				fmt.Fprintf(&b, `,"f%d":%d`, i, i)
			}
			return strings.NewReader("{" + b.String()[1:] + "}")
		}, want: 400},
		{name: "a long number", body: text(`{"trump": ` + strings.Repeat("9", 60_000) + `}`), want: 400},
		{name: "zeros", body: func() io.Reader { return bytes.NewReader(make([]byte, 60_000)) }, want: 400},
		{name: "nothing", body: text(""), want: 400},
		{name: "no type", body: text(solvable), header: http.Header{"Content-Type": {}}, want: 415},
		{name: "a form", body: text("a=b"), header: http.Header{"Content-Type": {"application/x-www-form-urlencoded"}}, want: 415},
		{name: "XML", body: text("<a/>"), header: http.Header{"Content-Type": {"text/xml"}}, want: 415},
		{name: "Latin-1", body: text(solvable), header: http.Header{"Content-Type": {"application/json; charset=iso-8859-1"}}, want: 415},
		{name: "gzip", body: text("\x1f\x8b"), header: http.Header{"Content-Encoding": {"gzip"}}, want: 415},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			for _, path := range posts(t) {
				request, err := http.NewRequestWithContext(t.Context(), http.MethodPost, s.url+path, tt.body())
				if err != nil {
					t.Fatal(err)
				}
				request.Header.Set("Content-Type", "application/json")
				maps.Copy(request.Header, tt.header)
				if tt.length != 0 {
					request.ContentLength = tt.length
				}
				c := client(20 * time.Second)
				answer, err := c.Do(request)
				if err != nil {
					// A server may close the connection on what it does not want to read, before the answer is seen.
					if tt.want != 413 || !wasCut(err) {
						t.Errorf("%s: %v", path, err)
					}
					continue
				}
				body, _ := io.ReadAll(answer.Body)
				_ = answer.Body.Close()
				if answer.StatusCode != tt.want {
					t.Errorf("%s: %d, want %d: %.300s", path, answer.StatusCode, tt.want, body)
				}
				c.CloseIdleConnections()
			}
		})
	}
}

func text(s string) func() io.Reader { return func() io.Reader { return strings.NewReader(s) } }

// endless is an array of zeros that is cut after so many bytes.
func endless(n int64) io.Reader {
	return io.LimitReader(io.MultiReader(strings.NewReader("["), repeat("0,")), n)
}

type repeat string

func (r repeat) Read(b []byte) (int, error) {
	for i := range b {
		b[i] = r[i%len(r)]
	}
	return len(b), nil
}

func wasCut(err error) bool {
	return errors.Is(err, io.EOF) || strings.Contains(err.Error(), "connection reset") || strings.Contains(err.Error(), "broken pipe")
}

// hostileRequests sends what no HTTP library would.
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
		{"a length that is none", post + "Content-Length: many\r\n\r\n", []int{400}},
		{"an unknown encoding", post + "Transfer-Encoding: gzip\r\n\r\n", []int{501}},
		{"broken chunks", post + "Transfer-Encoding: chunked\r\n\r\nzz\r\nhello\r\n", []int{400}},
		{"an endless chunk size", post + "Transfer-Encoding: chunked\r\n\r\n" + strings.Repeat("1", 100_000), []int{400}},
		{"an expectation", post + "Expect: miracles\r\nContent-Length: 2\r\n\r\n{}", []int{417, 400}},
		{"an unknown method", "BREW /v1/klaverjas/solve HTTP/1.1" + host + "\r\n", []int{405}},
		{"TRACE", "TRACE /v1/klaverjas/solve HTTP/1.1" + host + "\r\n", []int{405}},
		{"CONNECT", "CONNECT example.org:443 HTTP/1.1\r\nHost: example.org:443\r\n\r\n", []int{404, 405, 400}},
		{"another server", "GET http://example.org/ HTTP/1.1\r\nHost: example.org\r\n\r\n", []int{200, 302, 303, 307, 404}},
		{"up and out", "GET /../../../../etc/passwd HTTP/1.1" + host + "\r\n", []int{404, 301}},
		{"up and out, hidden", "GET /docs/assets/..%2f..%2f..%2fetc%2fpasswd HTTP/1.1" + host + "\r\n", []int{404}},
		{"a zero in the path", "GET /v1/klaverjas/deals/%00 HTTP/1.1" + host + "\r\n", []int{400, 422}},
		{"a broken escape", "GET /v1/klaverjas/deals/%zz HTTP/1.1" + host + "\r\n", []int{400}},
		{"a broken query", "GET /v1/klaverjas/deals/random?seed=%zz HTTP/1.1" + host + "\r\n", []int{400}},
		{"a header that would split", "GET /healthz HTTP/1.1" + host + "X-Request-ID: abcdefgh\rSet-Cookie: a=b\r\n\r\n", []int{400}},
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
	_ = conn.SetDeadline(time.Now().Add(20 * time.Second))
	go func() { _, _ = io.WriteString(conn, send) }() // the server may answer before it has read all
	answer, err := http.ReadResponse(bufio.NewReader(conn), nil)
	if err != nil {
		if ne, ok := errors.AsType[net.Error](err); ok && ne.Timeout() {
			t.Errorf("neither an answer nor an end")
		}
		return 0, nil
	}
	_ = answer.Body.Close()
	return answer.StatusCode, answer.Header
}

// slowClients holds many connections open that send, or read, next to nothing. The server ends them in its time, and answers
// others meanwhile.
func slowClients(t *testing.T, s *server) {
	t.Helper()
	n, within := 50, 10*time.Second
	if *full {
		n, within = 500, 40*time.Second
	}
	const head = "POST /v1/klaverjas/solve HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\n"
	kinds := []struct{ name, first, drip string }{
		{"headers", "GET /healthz HTTP/1.1\r\n", "X: a\r\n"},
		{"body", head + "Content-Length: 60000\r\n\r\n", " "},
		{"chunks", head + "Transfer-Encoding: chunked\r\n\r\n", "1\r\n \r\n"},
		{"nothing at all", "", ""},
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
				_ = conn.SetDeadline(time.Now().Add(within))
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
				_, err = io.Copy(io.Discard, conn) // until the server ends it
				close(stop)
				if ne, ok := errors.AsType[net.Error](err); !ok || !ne.Timeout() {
					ended[k].Add(1)
				}
			})
		}
	}
	// Meanwhile.
	deadline := time.Now().Add(time.Second)
	asked, worst := 0, time.Duration(0)
	for time.Now().Before(deadline) {
		began := time.Now()
		if status, _, err := get(s.url + "/healthz"); status != http.StatusOK {
			t.Fatalf("/healthz while slow clients are there: %d, %v", status, err)
		}
		asked, worst = asked+1, max(worst, time.Since(began))
	}
	under.Wait()
	t.Logf("%d connections of each kind; %d requests of others answered meanwhile, the slowest in %v", n, asked, worst)
	for k, kind := range kinds {
		if got := ended[k].Load(); got != int64(n) {
			t.Errorf("slow %s: %d of %d connections were ended by the server within %v", kind.name, got, n, within)
		}
	}
}
