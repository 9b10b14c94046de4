package main

import (
	"bytes"
	"context"
	"encoding/hex"
	"encoding/json"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"syscall"
	"testing"

	"roem/internal/testkit"
)

const tracedDeal = `{"trump": "C", "leader": "N", "deal": "71234567890123456", "goal": "win"}`

// The spans of a request are sent to the collector at the latest when the server stops, and the log has the id of the trace.
func TestTraces(t *testing.T) {
	var (
		mu   sync.Mutex
		sent bytes.Buffer // in protobuf, which contains texts unchanged
	)
	collector := httptest.NewServer(http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) {
		body, _ := io.ReadAll(r.Body)
		mu.Lock()
		defer mu.Unlock()
		if r.URL.Path == "/v1/traces" {
			sent.Write(body)
		}
	}))
	defer collector.Close()
	p := start(t, "ROEM_TRACES_ENDPOINT="+collector.URL, "ROEM_TRACES_SAMPLE=1", "ROEM_DATA=")
	for range 2 {
		if code, body, err := p.post(t.Context(), "/v1/klaverjas/solve", tracedDeal); err != nil || code != 200 {
			t.Fatalf("%d, %v: %s", code, err, body)
		}
	}
	r, err := http.NewRequestWithContext(t.Context(), http.MethodGet, p.url+"/healthz", nil)
	if err != nil {
		t.Fatal(err)
	}
	const trace = "0af7651916cd43dd8448eb211c80319c" // of the client
	r.Header.Set("traceparent", "00-"+trace+"-b7ad6b7169203331-01")
	answer, err := http.DefaultClient.Do(r)
	if err != nil {
		t.Fatal(err)
	}
	_ = answer.Body.Close()
	p.signal(t, syscall.SIGTERM)
	if got := p.ends(t, testkit.Patience); got != 0 {
		t.Errorf("exit status %d\n%s", got, p.logged())
	}
	if strings.Count(p.logged(), `"trace_id":"`) != 3 || strings.Contains(p.logged(), trace) {
		t.Errorf("the log does not have the ids of three traces of the server\n%s", p.logged())
	}
	mu.Lock()
	defer mu.Unlock()
	linked, err := hex.DecodeString(trace)
	if err != nil || !bytes.Contains(sent.Bytes(), linked) {
		t.Errorf("no span has a link to the client's trace: %v", err)
	}
	for text, want := range map[string]int{
		"POST /v1/klaverjas/solve": 2, "GET /healthz": 1, "cache memory": 2, "roem.nodes": 1,
		"service.version": 1,
	} {
		if got := bytes.Count(sent.Bytes(), []byte(text)); got < want {
			t.Errorf("%q arrived %d times, want %d", text, got, want)
		}
	}
}

// Only a trusted proxy decides what is sampled, and only if it is configured so.
func TestWhoChoosesTheSample(t *testing.T) {
	testkit.NotRaced(t, "one request after the other")
	const (
		// Ids decide by their low bits: without a random id of the server the first would always be sampled, and the second never.
		low     = "00000000000000000000000000000001"
		high    = "ffffffffffffffffffffffffffffffff"
		rarely  = "ROEM_TRACES_SAMPLE=0.000000001"
		always  = "ROEM_TRACES_SAMPLE=1"
		trusted = "ROEM_TRACES_TRUST_PROXIES=true"
		nearby  = "ROEM_HTTP_TRUSTED_PROXIES=127.0.0.0/8"
	)
	for _, tt := range []struct {
		name    string
		environ []string
		trace   string
		flags   string
		sampled bool
		same    bool // the trace of the request is continued
	}{
		{"a stranger who wants to be sampled", []string{rarely}, low, "01", false, false},
		{"a stranger who wants not to be sampled", []string{always}, high, "00", true, false},
		{"a proxy whose traces are not trusted", []string{rarely, nearby}, low, "01", false, false},
		{"another address than the proxy", []string{rarely, trusted, "ROEM_HTTP_TRUSTED_PROXIES=192.0.2.0/24"}, low, "01", false, false},
		{"a trusted proxy that samples", []string{rarely, trusted, nearby}, high, "01", true, true},
		{"a trusted proxy that does not", []string{always, trusted, nearby}, low, "00", false, true},
	} {
		t.Run(tt.name, func(t *testing.T) {
			p := start(t, append(tt.environ, "ROEM_TRACES_ENDPOINT=http://127.0.0.1:1", "ROEM_DATA=")...)
			r, err := http.NewRequestWithContext(t.Context(), http.MethodGet, p.url+"/v1/klaverjas/deals/0", nil)
			if err != nil {
				t.Fatal(err)
			}
			r.Header.Set("traceparent", "00-"+tt.trace+"-b7ad6b7169203331-"+tt.flags)
			answer, err := http.DefaultClient.Do(r)
			if err != nil {
				t.Fatal(err)
			}
			_ = answer.Body.Close()
			p.signal(t, syscall.SIGTERM)
			p.ends(t, testkit.Patience) // the log is complete afterwards
			sampled, same := strings.Contains(p.logged(), `"trace_id":"`), strings.Contains(p.logged(), `"trace_id":"`+tt.trace)
			if sampled != tt.sampled || same != (tt.same && tt.sampled) {
				t.Errorf("sampled %v, in the trace of the request %v; want %v, %v\n%s", sampled, same, tt.sampled, tt.same, p.logged())
			}
		})
	}
}

// If the collector does not answer, only traces are lost.
func TestTracesWithoutACollector(t *testing.T) {
	p := start(t, "ROEM_TRACES_ENDPOINT=http://127.0.0.1:1", "ROEM_TRACES_SAMPLE=1", "ROEM_DATA=")
	ctx, cancel := context.WithTimeout(t.Context(), testkit.Patience)
	defer cancel()
	if code, body, err := p.post(ctx, "/v1/klaverjas/solve", tracedDeal); err != nil || code != 200 {
		t.Fatalf("%d, %v: %s", code, err, body)
	}
	p.signal(t, syscall.SIGTERM)
	if got := p.ends(t, testkit.Patience); got != 0 {
		t.Errorf("exit status %d", got)
	}
	if !strings.Contains(p.logged(), "traces are lost") {
		t.Errorf("the log does not report that traces are lost\n%s", p.logged())
	}
	for line := range strings.Lines(p.logged()) {
		if !json.Valid([]byte(line)) {
			t.Errorf("not JSON in the log: %s", line)
		}
	}
}
