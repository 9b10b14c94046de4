package main

import (
	"bytes"
	"context"
	"encoding/json"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"
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
	const trace = "0af7651916cd43dd8448eb211c80319c"
	r.Header.Set("traceparent", "00-"+trace+"-b7ad6b7169203331-01")
	answer, err := http.DefaultClient.Do(r)
	if err != nil {
		t.Fatal(err)
	}
	_ = answer.Body.Close()
	p.signal(t, syscall.SIGTERM)
	if got := p.ends(t, 20*time.Second); got != 0 {
		t.Errorf("exit status %d\n%s", got, p.logged())
	}
	if !strings.Contains(p.logged(), `"trace_id":"`+trace) {
		t.Errorf("the log does not have the id of the client's trace\n%s", p.logged())
	}
	mu.Lock()
	defer mu.Unlock()
	for text, want := range map[string]int{"POST /v1/klaverjas/solve": 2, "GET /healthz": 1, "cache memory": 2, "roem.nodes": 1, "service.version": 1} {
		if got := bytes.Count(sent.Bytes(), []byte(text)); got < want {
			t.Errorf("%q arrived %d times, want %d", text, got, want)
		}
	}
}

// If the collector does not answer, only traces are lost.
func TestTracesWithoutACollector(t *testing.T) {
	p := start(t, "ROEM_TRACES_ENDPOINT=http://127.0.0.1:1", "ROEM_TRACES_SAMPLE=1", "ROEM_DATA=")
	ctx, cancel := context.WithTimeout(t.Context(), 20*time.Second)
	defer cancel()
	if code, body, err := p.post(ctx, "/v1/klaverjas/solve", tracedDeal); err != nil || code != 200 {
		t.Fatalf("%d, %v: %s", code, err, body)
	}
	p.signal(t, syscall.SIGTERM)
	if got := p.ends(t, 20*time.Second); got != 0 {
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
