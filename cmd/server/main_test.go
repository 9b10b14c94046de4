package main

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"io"
	"math"
	"net"
	"net/http"
	"strings"
	"syscall"
	"testing"

	"roem/internal/api"
	"roem/internal/testkit"
)

func TestServes(t *testing.T) {
	p := start(t)
	for path, want := range map[string]int{"/healthz": 200, "/readyz": 200, "/version": 200, "/docs": 200, "/nothing": 404} {
		if got := p.status(path); got != want {
			t.Errorf("%s: %d, want %d", path, got, want)
		}
	}
	code, body, err := p.post(context.Background(), "/v1/klaverjas/solve", `{"trump": "C", "leader": "N", "deal": "71234567890123456"}`)
	if err != nil || code != 200 || !bytes.Contains(body, []byte(`"exact":true`)) {
		t.Errorf("%d, %v: %s", code, err, body)
	}
	p.signal(t, syscall.SIGINT)
	if got := p.ends(t, testkit.Patience); got != 0 {
		t.Errorf("exit status %d\n%s", got, p.logged())
	}
	for line := range strings.Lines(p.logged()) {
		if !json.Valid([]byte(line)) {
			t.Errorf("not JSON in the log: %s", line)
		}
	}
}

// -ready is the health check of the image.
func TestReady(t *testing.T) {
	ready := func(addr string) (int, string) {
		c := command("-ready")
		c.Env = append(c.Env, "ROEM_ADDR="+addr)
		out, _ := c.CombinedOutput()
		return c.ProcessState.ExitCode(), string(out)
	}
	p := start(t, "ROEM_SHUTDOWN_GRACE=1h")
	addr := strings.TrimPrefix(p.url, "http://")
	_, port, _ := strings.Cut(addr, ":")
	for _, addr := range []string{addr, ":" + port, "0.0.0.0:" + port} {
		if status, says := ready(addr); status != 0 || says != "ready\n" {
			t.Errorf("%s: exit status %d: %s", addr, status, says)
		}
	}
	p.signal(t, syscall.SIGTERM)
	p.unready(t)
	if status, says := ready(addr); status != 1 || !strings.Contains(says, "503") {
		t.Errorf("of a stopping server: exit status %d: %s", status, says)
	}
	if status, says := ready("127.0.0.1:1"); status != 1 || !strings.Contains(says, "refused") {
		t.Errorf("without a server: exit status %d: %s", status, says)
	}
}

// On SIGTERM the server reports that it is not ready, answers open requests, and ends with status 0.
func TestDrains(t *testing.T) {
	p := start(t, "ROEM_SHUTDOWN_GRACE=3s", "ROEM_SHUTDOWN_DRAIN=60s", "ROEM_HTTP_MAX_WAIT=60s")
	slow := slowRequest(t)
	type result struct {
		code int
		body []byte
		err  error
	}
	answered := make(chan result, 1)
	go func() {
		code, body, err := p.post(context.Background(), "/v1/klaverjas/table", slow)
		answered <- result{code, body, err}
	}()
	await(t, "the request to arrive", func() bool {
		metrics, err := http.Get(p.url + "/metrics")
		if err != nil {
			t.Fatal(err)
		}
		text, err := io.ReadAll(metrics.Body)
		_ = metrics.Body.Close()
		return err == nil && strings.Contains(string(text), "roem_http_requests_in_flight 2\n") || len(answered) > 0
	})
	p.signal(t, syscall.SIGTERM)
	p.unready(t)
	if got := p.status("/healthz"); got != 200 {
		t.Errorf("/healthz: %d while draining", got)
	}
	r := <-answered
	if r.err != nil || r.code != 200 || !bytes.Contains(r.body, []byte(`"outcomes"`)) {
		t.Errorf("the open request: %d, %v: %s", r.code, r.err, r.body)
	}
	if got := p.ends(t, testkit.Patience); got != 0 {
		t.Errorf("exit status %d\n%s", got, p.logged())
	}
	if p.status("/healthz") != 0 {
		t.Error("the port still answers")
	}
}

// A second signal ends the server immediately, and so does the end of the time to drain. The exit status is 1 in both cases.
func TestStopsAnyway(t *testing.T) {
	t.Run("second signal", func(t *testing.T) {
		p := start(t, "ROEM_SHUTDOWN_GRACE=1h")
		p.signal(t, syscall.SIGTERM)
		p.unready(t)
		p.signal(t, syscall.SIGTERM)
		p.ends(t, testkit.Patience)
	})
	t.Run("drain runs out", func(t *testing.T) {
		p := start(t, "ROEM_SHUTDOWN_DRAIN=1ms")
		// A request whose body is never sent cannot be answered. A search would not do, as it can be stopped within a millisecond.
		conn, err := (&net.Dialer{}).DialContext(t.Context(), "tcp", strings.TrimPrefix(p.url, "http://"))
		if err != nil {
			t.Fatal(err)
		}
		defer func() { _ = conn.Close() }()
		if _, err := io.WriteString(conn, "POST /v1/klaverjas/solve HTTP/1.1\r\nHost: roem\r\nContent-Type: application/json\r\n"+
			"Content-Length: 1000\r\nExpect: 100-continue\r\n\r\n"); err != nil {
			t.Fatal(err)
		}
		if line, err := bufio.NewReader(conn).ReadString('\n'); err != nil || !strings.Contains(line, "100 Continue") {
			t.Fatalf("the server does not start to read: %q, %v", line, err)
		}
		p.signal(t, syscall.SIGTERM)
		if got := p.ends(t, testkit.Patience); got != 1 {
			t.Errorf("exit status %d, want 1\n%s", got, p.logged())
		}
	})
}

// If the port is in use, the error has the address, the reason and the setting.
func TestPortInUse(t *testing.T) {
	first := start(t)
	addr := strings.TrimPrefix(first.url, "http://")
	second := command()
	second.Env = append(second.Env, "ROEM_ADDR="+addr)
	out, _ := second.CombinedOutput()
	if got := second.ProcessState.ExitCode(); got != 1 {
		t.Errorf("exit status %d, want 1", got)
	}
	for _, want := range []string{addr, "address already in use", "ROEM_ADDR"} {
		if !strings.Contains(string(out), want) {
			t.Errorf("output %s\nwant it to contain %s", out, want)
		}
	}
}

// The first predicted duration uses the measured speed of this server.
func TestPredictsFromMeasuredSpeed(t *testing.T) {
	p := start(t)
	speed := 0.0
	for line := range strings.Lines(p.logged()) {
		var entry struct {
			Msg   string
			Speed float64 `json:"nodes_per_ms"`
		}
		if err := json.Unmarshal([]byte(line), &entry); err != nil {
			t.Fatal(err)
		}
		if entry.Msg == "speed of searches" {
			speed = entry.Speed
		}
	}
	code, text, err := p.post(t.Context(), "/v1/klaverjas/predict", `{"trump": "C", "leader": "N", "deal": "71234567890123456"}`)
	var got api.KlaverjasPrediction
	if err == nil {
		err = json.Unmarshal(text, &got)
	}
	if err != nil || code != http.StatusOK {
		t.Fatalf("%d, %v: %s", code, err, text)
	}
	told := float64(got.Hardness.NodesP90) / got.Hardness.MsP90
	if speed < 1 || math.Abs(told/speed-1) > 0.01 {
		t.Errorf("%.0f nodes per millisecond in a prediction, %v were measured\n%s", told, speed, p.logged())
	}
}
