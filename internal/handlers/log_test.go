package handlers_test

import (
	"fmt"
	"net/http"
	"strings"
	"testing"

	"go.uber.org/zap"
	"go.uber.org/zap/zaptest/observer"
)

// Each request is logged once, with its effort and without its body.
func TestLog(t *testing.T) {
	core, logs := observer.New(zap.DebugLevel)
	s := newServer(t, func(c *config) { c.log = zap.New(core) })
	status(t, s.post(t, "/v1/klaverjas/solve", someDeal), 200)
	status(t, s.get(t, "/v1/klaverjas/deals/123?trump=H"), 200)
	status(t, s.post(t, "/v1/klaverjas/solve", `{"secret": "10H"}`), 400)
	status(t, s.get(t, "/nothing"), 404)
	entries := logs.TakeAll()
	if len(entries) != 4 {
		t.Fatalf("%d entries, want 4", len(entries))
	}
	want := []map[string]any{
		{"route": "/v1/klaverjas/solve", "status": int64(200), "source": "search", "method": "POST"},
		{"route": "/v1/klaverjas/deals/{index}", "status": int64(200), "method": "GET"},
		{"route": "/v1/klaverjas/solve", "status": int64(400), "problem": "malformed", "violations": int64(3)},
		{"status": int64(404), "problem": "not-found"},
	}
	for i, fields := range want {
		got := entries[i].ContextMap()
		for key, value := range fields {
			if got[key] != value {
				t.Errorf("entry %d: %s is %v, want %v", i, key, got[key], value)
			}
		}
		if got["elapsed"] == nil || got["request_id"] == "" {
			t.Errorf("entry %d: %v", i, got)
		}
		if text := fmt.Sprint(got); strings.Contains(text, "10H") || strings.Contains(text, "secret") {
			t.Errorf("entry %d contains the body: %s", i, text)
		}
	}
	if nodes, _ := entries[0].ContextMap()["nodes"].(int64); nodes <= 0 {
		t.Errorf("nodes %d", nodes)
	}
}

func TestRequestID(t *testing.T) {
	s := newServer(t)
	for sent, kept := range map[string]bool{
		"0af76519-16cd-43dd-8448-eb211c80319c": true, "abc.DEF:123_456": true,
		"": false, "short": false, "with space in it": false, "line\nbreak-12345": false, "<script>alert</script>": false,
		strings.Repeat("a", 65): false, "-starts-with-a-dash": false,
	} {
		r := request(http.MethodGet, "/healthz", "")
		r.Header["X-Request-Id"] = []string{sent}
		got := s.do(t, r).Header().Get("X-Request-ID")
		if (got == sent) != kept || len(got) < 8 {
			t.Errorf("sent %q, got %q", sent, got)
		}
	}
	if a, b := s.get(t, "/healthz").Header().Get("X-Request-ID"), s.get(t, "/healthz").Header().Get("X-Request-ID"); a == b {
		t.Errorf("%s twice", a)
	}
}
