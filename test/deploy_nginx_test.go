package test

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net"
	"net/http"
	"os"
	"strings"
	"sync"
	"sync/atomic"
	"syscall"
	"testing"
	"time"

	"roem/internal/testkit"
)

// behind are the variables of a server behind a balancer of this machine.
func behind(more ...string) []string {
	return append([]string{
		"ROEM_HTTP_TRUSTED_PROXIES=127.0.0.1/32", "ROEM_SEARCH_SEARCHERS=1", "ROEM_SEARCH_QUEUE=2",
		"ROEM_LIMITS_SEARCHES=0",
	}, more...)
}

// cheap is a request that needs no searcher.
const cheap = "/v1/klaverjas/legal-moves"

// Clients that overload the service with searches are answered by 503 and do not keep other clients from cheap answers.
func TestNginxUnderOverload(t *testing.T) {
	var hard []string
	text, err := os.ReadFile("../testdata/vectors/hard-deals.jsonl")
	if err != nil {
		t.Fatal(err)
	}
	for line := range strings.Lines(string(text)) {
		hard = append(hard, line)
	}
	uncached := behind("ROEM_CACHE_MEMORY=0", "ROEM_DATA=")
	b := balance(t, start(t, uncached...), start(t, uncached...))
	ctx, stop := context.WithCancel(t.Context())
	var (
		others statuses
		wg     sync.WaitGroup
	)
	for i := range 8 {
		c := clientAt(t, fmt.Sprintf("127.0.1.%d", i+1))
		wg.Go(func() {
			for next := i; ctx.Err() == nil; next += 8 {
				answer := exchange(ctx, c, http.MethodPost, b.url+"/v1/klaverjas/solve", hard[next%len(hard)], "Prefer", "wait=1")
				if ctx.Err() == nil {
					others.add(answer.status)
				}
				time.Sleep(20 * time.Millisecond) // below the limit of requests per second
			}
		})
	}
	defer wg.Wait()
	defer stop()
	var got statuses
	c := clientAt(t, "127.0.0.2")
	full := func() bool { return others.count(http.StatusServiceUnavailable) >= 10 }
	eventually(t, testkit.Patience, "the queues are full", full)
	for range 150 {
		answer := exchange(t.Context(), c, http.MethodPost, b.url+cheap, solvable)
		got.add(answer.status)
		time.Sleep(10 * time.Millisecond)
	}
	t.Logf("cheap requests: %v; searches: %v", &got, &others)
	if got.of[http.StatusOK] != 150 {
		t.Errorf("cheap requests: %v, want 150 of 200", &got)
	}
	if others.count(http.StatusBadGateway) > 0 {
		t.Errorf("searches: %v, want none of 502", &others)
	}
}

// A replica that is killed costs no request an answer.
func TestNginxWithoutOneReplica(t *testing.T) {
	dies, lives := start(t, behind()...), start(t, behind()...)
	b := balance(t, dies, lives)
	c := clientAt(t, "127.0.0.2")
	var got statuses
	for i := range 100 {
		if i == 30 {
			dies.kill()
		}
		answer := exchange(t.Context(), c, http.MethodPost, b.url+cheap, solvable)
		got.add(answer.status)
	}
	if got.of[http.StatusOK] != 100 {
		t.Errorf("%v, want 100 of 200", &got)
	}
}

// A POST on which a replica breaks off is not sent to another one: a request that ends one process must not end the next. A GET is.
func TestNginxSendsNoPostTwice(t *testing.T) {
	breaks, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = breaks.Close() })
	var got atomic.Int64
	go func() {
		for {
			conn, err := breaks.Accept()
			if err != nil {
				return
			}
			if request, err := http.ReadRequest(bufio.NewReader(conn)); err == nil {
				_, _ = io.Copy(io.Discard, request.Body)
				got.Add(1)
			}
			_ = conn.Close()
		}
	}()
	replica := &server{addr: breaks.Addr().String()}
	b := balance(t, replica, replica)
	c := clientAt(t, "127.0.0.2")
	for _, one := range []struct {
		method, path, body string
		headers            []string
		want               int64
	}{
		{http.MethodPost, cheap, solvable, nil, 1},
		{http.MethodPost, "/v1/jobs", solvable, []string{"Idempotency-Key", "one"}, 1},
		{http.MethodGet, "/version", "", nil, 2},
	} {
		got.Store(0)
		answer := exchange(t.Context(), c, one.method, b.url+one.path, one.body, one.headers...)
		if answer.status != http.StatusBadGateway || got.Load() != one.want {
			t.Errorf("%s %s: %d, sent %d times, want 502 after %d", one.method, one.path, answer.status, got.Load(), one.want)
		}
	}
}

// /metrics is not public, however it is written, and everything else is.
func TestNginxHidesMetrics(t *testing.T) {
	s := start(t, behind()...)
	b := balance(t, s)
	for _, path := range []string{
		"/metrics", "//metrics", "/%6detrics", "/./metrics", "/docs/../metrics", "/metrics/", "/metrics?x",
		"/metrics#x", "/METRICS", "/metrics%00",
	} {
		for _, method := range []string{"GET", "HEAD", "POST"} {
			conn, err := net.Dial("tcp", strings.TrimPrefix(b.url, "http://"))
			if err != nil {
				t.Fatal(err)
			}
			_, _ = fmt.Fprintf(conn, "%s %s HTTP/1.1\r\nHost: roem\r\nContent-Length: 0\r\nConnection: close\r\n\r\n", method, path)
			answer, _ := io.ReadAll(conn)
			_ = conn.Close()
			line, _, _ := strings.Cut(string(answer), "\r\n")
			if bytes.Contains(answer, []byte("roem_")) || !strings.Contains(line, " 404 ") && !strings.Contains(line, " 400 ") &&
				!strings.Contains(line, " 405 ") {
				t.Errorf("%s %s: %.300s", method, path, answer)
			}
		}
	}
	if status, _, err := get(s.url + "/metrics"); status != http.StatusOK {
		t.Errorf("inside the network: %d, %v", status, err)
	}
	if status, _, err := get(b.url + "/version"); status != http.StatusOK {
		t.Errorf("/version: %d, %v", status, err)
	}
}

// A client beyond its limits gets 429 with a problem document. Other clients do not notice.
func TestNginxLimits(t *testing.T) {
	b := balance(t, start(t, behind()...))
	limited := func(t *testing.T, answer reply) {
		t.Helper()
		var problem struct {
			Type   string
			Status int
		}
		if err := json.Unmarshal([]byte(answer.body), &problem); err != nil || problem.Status != 429 ||
			problem.Type != "/docs/errors#too-many-requests" ||
			answer.header.Get("Content-Type") != "application/problem+json" || answer.header.Get("Retry-After") == "" {
			t.Errorf("%v, %v: %s", err, answer.header, answer.body)
		}
	}
	others := func(t *testing.T, from string) {
		t.Helper()
		if answer := exchange(t.Context(), clientAt(t, from), http.MethodGet, b.url+"/version", ""); answer.status != http.StatusOK {
			t.Errorf("another client: %d: %s", answer.status, answer.body)
		}
	}
	t.Run("requests per second", func(t *testing.T) {
		c := clientAt(t, "127.0.2.1")
		var (
			got     statuses
			wg      sync.WaitGroup
			example atomic.Pointer[reply]
		)
		began := time.Now()
		for range 8 {
			wg.Go(func() {
				for i := 0; i < 100 || example.Load() == nil && time.Since(began) < testkit.Patience; i++ {
					answer := exchange(t.Context(), c, http.MethodGet, b.url+"/version", "")
					got.add(answer.status)
					if answer.status == http.StatusTooManyRequests {
						example.Store(&answer)
					}
				}
			})
		}
		wg.Wait()
		most := 200 + int(time.Since(began).Seconds()*100) + 2
		ok, refused := got.of[http.StatusOK], got.of[http.StatusTooManyRequests]
		if ok < 200 || ok > most || ok+refused < 800 || len(got.of) != 2 || refused == 0 {
			t.Fatalf("%v, want 200 to %d of 200, and 429", &got, most)
		}
		limited(t, *example.Load())
		others(t, "127.0.2.2")
	})
	t.Run("requests at a time", func(t *testing.T) {
		dialer := net.Dialer{LocalAddr: &net.TCPAddr{IP: net.ParseIP("127.0.3.1")}}
		for range 100 {
			conn, err := dialer.DialContext(t.Context(), "tcp", strings.TrimPrefix(b.url, "http://"))
			if err != nil {
				t.Fatal(err)
			}
			t.Cleanup(func() { _ = conn.Close() })
			// The answer shows that the request is under way.
			_, _ = io.WriteString(conn, "POST "+cheap+" HTTP/1.1\r\nHost: roem\r\nContent-Type: application/json\r\nContent-Length: "+
				"100\r\nExpect: 100-continue\r\n\r\n")
			if line, err := bufio.NewReader(conn).ReadString('\n'); err != nil || !strings.Contains(line, "100 Continue") {
				t.Fatalf("%q, %v", line, err)
			}
		}
		answer := exchange(t.Context(), clientAt(t, "127.0.3.1"), http.MethodGet, b.url+"/version", "")
		if answer.status != http.StatusTooManyRequests {
			t.Fatalf("%d: %s", answer.status, answer.body)
		}
		limited(t, answer)
		others(t, "127.0.3.2")
	})
}

// All addresses of an IPv6 network of 64 bits are one client.
func TestNginxCountsNetworks(t *testing.T) {
	b := balanceBy(t, "$http_x_address", start(t, behind()...))
	c := clientAt(t, "127.0.0.2")
	const requests = 400 // twice what one client may send at once
	for name, address := range map[string]func(i int) string{
		"one network, whole addresses":   func(i int) string { return fmt.Sprintf("2001:db8:1:2:%x:1:1:1", i+1) },
		"one network, short addresses":   func(i int) string { return fmt.Sprintf("2001:db8:1:3::%x", i) },
		"one network with zeros":         func(i int) string { return fmt.Sprintf("2001:db8::%x", i) },
		"many networks, whole addresses": func(i int) string { return fmt.Sprintf("2001:db8:2:%x:1:1:1:1", i+1) },
		"many networks, short addresses": func(i int) string { return fmt.Sprintf("2001:db8:3:%x::1", i+1) },
		"many networks with zeros":       func(i int) string { return fmt.Sprintf("2001:db8:%x::1", i+4) },
	} {
		var got statuses
		began := time.Now()
		for i := range requests {
			answer := exchange(t.Context(), c, http.MethodGet, b.url+"/version", "", "X-Address", address(i))
			got.add(answer.status)
		}
		most := 202 + int(time.Since(began).Seconds()*100)
		if strings.HasPrefix(name, "many") {
			most = requests
		}
		if want := min(most, requests); got.count(http.StatusOK) > want || strings.HasPrefix(name, "many") &&
			got.count(http.StatusOK) != requests {
			t.Errorf("%s: %v, want %d of 200", name, &got, want)
		}
	}
}

// No log of nginx has the id of a session or a key, even when requests fail. The server counts the client by the address that nginx sees.
func TestNginxLogs(t *testing.T) {
	s := start(t, behind()...)
	b := balance(t, s)
	c := clientAt(t, "127.0.4.1")
	answer := exchange(t.Context(), c, http.MethodPost, b.url+"/v1/klaverjas/sessions", `{"seat": "N"}`, "X-Forwarded-For", "192.0.2.99")
	var session struct{ ID string }
	if err := json.Unmarshal([]byte(answer.body), &session); err != nil || session.ID == "" {
		t.Fatalf("%d, %v: %s", answer.status, err, answer.body)
	}
	const key = "roem_SESAMEOPENSESAMEOPEN"
	path := b.url + "/v1/klaverjas/sessions/" + session.ID
	visit := func() reply {
		return exchange(t.Context(), c, http.MethodGet, path+"?key="+key, "", "Authorization", "Bearer "+key, "Referer", path, "User-Agent", key)
	}
	logs := func(text string) { // nginx writes the line after the answer
		t.Helper()
		eventually(t, testkit.Patience, text+" in the log of nginx", func() bool { return strings.Contains(b.logs(t), text) })
	}
	logs(`"request_id":"` + visit().header.Get("X-Request-Id") + `","upstream":"` + s.addr)
	exchange(t.Context(), c, http.MethodPost, path+"/acts", strings.Repeat("x", 6<<20), "Authorization", "Bearer "+key)
	var wg sync.WaitGroup
	var refused atomic.Bool
	began := time.Now()
	for range 8 { // until the limit
		wg.Go(func() {
			for i := 0; i < 50 || !refused.Load() && time.Since(began) < testkit.Patience; i++ {
				if visit().status == http.StatusTooManyRequests {
					refused.Store(true)
				}
			}
		})
	}
	wg.Wait()
	s.signal(t, syscall.SIGTERM)
	s.ends(t, testkit.Patience)
	if !strings.Contains(s.logged(), `"client":"addr:127.0.4.1"`) || strings.Contains(s.logged(), "192.0.2.99") {
		t.Errorf("the server does not have the client's address:\n%s", tail(s.logged()))
	}
	answer = visit()
	eventually(t, testkit.Patience, "the limit lets requests pass again", func() bool {
		if answer.status == http.StatusTooManyRequests {
			answer = visit()
		}
		return answer.status != http.StatusTooManyRequests
	})
	if answer.status != http.StatusBadGateway {
		t.Errorf("without a server: %d", answer.status)
	}
	for _, status := range []string{"429", "413", "502"} {
		logs(`"status":` + status)
	}
	log := b.logs(t)
	for what, secret := range map[string]string{"the session": session.ID, "the key": "SESAME"} {
		if strings.Contains(log, secret) {
			t.Errorf("%s is in a log:\n%.300s", what, lineWith(log, secret))
		}
	}
	for line := range strings.Lines(log) {
		if strings.HasPrefix(line, "{") && !json.Valid([]byte(line)) {
			t.Errorf("not JSON: %s", line)
		}
	}
}
