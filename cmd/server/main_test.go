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
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"roem/internal/api"
)

// TestMain lets the test binary be the server, so that tests can start, signal and end the real program.
func TestMain(m *testing.M) {
	if os.Getenv("TEST_AS_SERVER") == "1" {
		main()
		return
	}
	os.Exit(m.Run())
}

// process is a running server.
type process struct {
	*exec.Cmd
	url  string
	mu   sync.Mutex
	log  bytes.Buffer
	done chan error
}

func command(args ...string) *exec.Cmd {
	c := exec.Command(os.Args[0], args...)
	c.Env = append(os.Environ(), "TEST_AS_SERVER=1", "ROEM_DATA=") // a test that wants a folder names its own
	return c
}

// start starts a server on a free port and waits until it listens.
func start(t *testing.T, environ ...string) *process {
	t.Helper()
	return startCommand(t, command(), environ...)
}

// startCommand does so with a command that runs the server.
func startCommand(t *testing.T, c *exec.Cmd, environ ...string) *process {
	t.Helper()
	p := &process{Cmd: c, done: make(chan error, 1)}
	p.Env = append(append(p.Env, "ROEM_ADDR=127.0.0.1:0"), environ...)
	stderr, err := p.StderrPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := p.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = p.Process.Kill() })
	listening := make(chan string, 1)
	go func() {
		lines := bufio.NewScanner(stderr)
		for lines.Scan() {
			p.mu.Lock()
			p.log.Write(append(lines.Bytes(), '\n'))
			p.mu.Unlock()
			var entry struct{ Msg, Addr string }
			if json.Unmarshal(lines.Bytes(), &entry) == nil && entry.Msg == "listening" {
				listening <- entry.Addr
			}
		}
		p.done <- p.Wait()
	}()
	select {
	case addr := <-listening:
		p.url = "http://" + addr
	case err := <-p.done:
		t.Fatalf("the server ended: %v\n%s", err, p.logged())
	case <-time.After(20 * time.Second):
		t.Fatalf("the server does not say where it listens\n%s", p.logged())
	}
	return p
}

func (p *process) logged() string {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.log.String()
}

// ends waits for the end of the server and returns its exit status.
func (p *process) ends(t *testing.T, within time.Duration) int {
	t.Helper()
	select {
	case <-p.done:
		return p.ProcessState.ExitCode()
	case <-time.After(within):
		t.Fatalf("the server does not end within %v\n%s", within, p.logged())
		return -1
	}
}

func (p *process) signal(t *testing.T, s os.Signal) {
	t.Helper()
	if err := p.Process.Signal(s); err != nil {
		t.Fatal(err)
	}
}

func (p *process) status(path string) int {
	answer, err := http.Get(p.url + path)
	if err != nil {
		return 0
	}
	_ = answer.Body.Close()
	return answer.StatusCode
}

// hardDeals are deals that take the solver long.
func hardDeals(t *testing.T) []string {
	t.Helper()
	text, err := os.ReadFile("../../testdata/vectors/hard-deals.jsonl")
	if err != nil {
		t.Fatal(err)
	}
	return strings.Split(strings.TrimSpace(string(text)), "\n")
}

func (p *process) post(ctx context.Context, path, body string) (int, []byte, error) {
	return p.request(ctx, http.MethodPost, path, body)
}

func (p *process) request(ctx context.Context, method, path, body string) (int, []byte, error) {
	r, err := http.NewRequestWithContext(ctx, method, p.url+path, strings.NewReader(body))
	if err != nil {
		return 0, nil, err
	}
	r.Header.Set("Content-Type", "application/json")
	answer, err := http.DefaultClient.Do(r)
	if err != nil {
		return 0, nil, err
	}
	defer func() { _ = answer.Body.Close() }()
	text, err := io.ReadAll(answer.Body)
	return answer.StatusCode, text, err
}

// slowRequest is a request that keeps a searcher at work for a while: a whole table of a hard deal.
func slowRequest(t *testing.T) string {
	t.Helper()
	var deal map[string]any
	if err := json.Unmarshal([]byte(hardDeals(t)[0]), &deal); err != nil {
		t.Fatal(err)
	}
	text, err := json.Marshal(map[string]any{"leader": deal["leader"], "hands": deal["hands"]})
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

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
	if got := p.ends(t, 10*time.Second); got != 0 {
		t.Errorf("exit status %d\n%s", got, p.logged())
	}
	for line := range strings.Lines(p.logged()) {
		if !json.Valid([]byte(line)) {
			t.Errorf("not JSON in the log: %s", line)
		}
	}
}

// What the health check of the image runs.
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
	for p.status("/readyz") != 503 {
		time.Sleep(5 * time.Millisecond)
	}
	if status, says := ready(addr); status != 1 || !strings.Contains(says, "503") {
		t.Errorf("of a server that stops: exit status %d: %s", status, says)
	}
	if status, says := ready("127.0.0.1:1"); status != 1 || !strings.Contains(says, "refused") {
		t.Errorf("of no server: exit status %d: %s", status, says)
	}
}

// On SIGTERM the server says that it is not ready, answers what is under way, and ends with status 0.
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
	time.Sleep(50 * time.Millisecond) // for the request to arrive
	p.signal(t, syscall.SIGTERM)
	deadline := time.Now().Add(5 * time.Second)
	for p.status("/readyz") != 503 {
		if time.Now().After(deadline) {
			t.Fatalf("the server never says that it is not ready\n%s", p.logged())
		}
		time.Sleep(5 * time.Millisecond)
	}
	if got := p.status("/healthz"); got != 200 {
		t.Errorf("/healthz: %d while draining", got)
	}
	r := <-answered
	if r.err != nil || r.code != 200 || !bytes.Contains(r.body, []byte(`"outcomes"`)) {
		t.Errorf("the request under way: %d, %v: %s", r.code, r.err, r.body)
	}
	if got := p.ends(t, 20*time.Second); got != 0 {
		t.Errorf("exit status %d\n%s", got, p.logged())
	}
	if p.status("/healthz") != 0 {
		t.Error("something still answers")
	}
}

// A second signal ends the server at once, and so does the end of the time to drain; both are no orderly end.
func TestStopsAnyway(t *testing.T) {
	t.Run("second signal", func(t *testing.T) {
		p := start(t, "ROEM_SHUTDOWN_GRACE=1h")
		p.signal(t, syscall.SIGTERM)
		for p.status("/readyz") != 503 {
			time.Sleep(5 * time.Millisecond)
		}
		p.signal(t, syscall.SIGTERM)
		p.ends(t, 5*time.Second)
	})
	t.Run("drain runs out", func(t *testing.T) {
		p := start(t, "ROEM_SHUTDOWN_DRAIN=1ms")
		// A request whose body never comes cannot be answered. A search could be told to stop, and in a millisecond.
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
			t.Fatalf("the server does not begin to read: %q, %v", line, err)
		}
		p.signal(t, syscall.SIGTERM)
		if got := p.ends(t, 5*time.Second); got != 1 {
			t.Errorf("exit status %d, want 1\n%s", got, p.logged())
		}
	})
}

// Somebody else has the port: the user is told which, why, and what sets it.
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
			t.Errorf("says %s\nwant it to hold %s", out, want)
		}
	}
}

func TestCommandLine(t *testing.T) {
	bad := filepath.Join(t.TempDir(), "bad.yaml")
	if err := os.WriteFile(bad, []byte("addr: :8080\nport: 1\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	folder := t.TempDir()
	busy, err := (&net.ListenConfig{}).Listen(t.Context(), "tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = busy.Close() }()
	tests := []struct {
		name    string
		args    []string
		environ []string
		status  int
		says    string
	}{
		{"version", []string{"-version"}, nil, 0, "server "},
		{"help", []string{"-help"}, nil, 0, "-config"},
		{"check", []string{"-check"}, nil, 0, "the configuration is good"},
		{"check a file", []string{"-check", "-config", "../../configs/roem.yaml"}, nil, 0, "the configuration is good"},
		{"check a bad file", []string{"-check", "-config", bad}, nil, 2, "field port not found"},
		{"check a bad environment", []string{"-check"}, []string{"ROEM_SEARCH_TABLE=1"}, 2, "search.table is 1"},
		{"check an address of another machine", []string{"-check"}, []string{"ROEM_ADDR=192.0.2.1:80"}, 2, "addr: cannot listen on 192.0.2.1:80"},
		{"check an address in use", []string{"-check"}, []string{"ROEM_ADDR=" + busy.Addr().String()}, 0, "somebody listens there already"},
		{"check another address", []string{"-check"}, []string{"ROEM_METRICS_ADDR=192.0.2.1:80"}, 2, "metrics.addr: cannot listen"},
		{"check a folder", []string{"-check"}, []string{"ROEM_DATA=" + folder}, 0, "the configuration is good"},
		{"check a folder to be made", []string{"-check"}, []string{"ROEM_DATA=" + filepath.Join(folder, "a", "b")}, 0, "the configuration is good"},
		{"check a folder that is none", []string{"-check"}, []string{"ROEM_DATA=" + bad}, 2, `bad.yaml": is no folder`},
		{"check a folder in a file", []string{"-check"}, []string{"ROEM_DATA=" + filepath.Join(bad, "a")}, 2, "not a directory"},
		{"check Redis", []string{"-check"}, []string{"ROEM_REDIS_URL=redis://:hunter2@127.0.0.1:1/0"}, 0, "Redis does not answer"},
		{"check the URL of Redis", []string{"-check"}, []string{"ROEM_REDIS_URL=redis://:hunter2@127.0.0.1:1/zero"}, 2, "redis.url cannot be read"},
		{"check keys", []string{"-check"}, []string{"ROEM_AUTH_KEYS=ann:hunter2"}, 2, "the sha256 of the key ann"},
		{"a new key", []string{"-new-key", "ann"}, nil, 0, "{id: ann, sha256: "},
		{"a new key of no name", []string{"-new-key", "ann smith"}, nil, 2, "-new-key wants a name"},
		{"check a variable of no key", []string{"-check"}, []string{"ROEM_ADR=:1"}, 0, `"name":"ROEM_ADR"`},
		{"no such file", []string{"-config", "no-such.yaml"}, nil, 2, "no-such.yaml"},
		{"no such flag", []string{"-port", "80"}, nil, 2, "-port"},
		{"an argument", []string{"start"}, nil, 2, `unexpected argument "start"`},
		{"a port that cannot be had", nil, []string{"ROEM_ADDR=256.0.0.1:80"}, 1, "cannot listen on 256.0.0.1:80"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			c := command(tt.args...)
			c.Env = append(c.Env, tt.environ...)
			out, _ := c.CombinedOutput()
			if got := c.ProcessState.ExitCode(); got != tt.status {
				t.Errorf("exit status %d, want %d", got, tt.status)
			}
			if !strings.Contains(string(out), tt.says) || strings.Contains(string(out), "hunter2") {
				t.Errorf("says %s\nwant it to hold %s, and no secret", out, tt.says)
			}
		})
	}
	left, err := os.ReadDir(folder)
	if err != nil || len(left) > 0 {
		t.Errorf("the check leaves %v, %v", left, err)
	}
}

// A key that the program makes is one that it takes.
func TestNewKey(t *testing.T) {
	out, err := command("-new-key", "ann").Output()
	if err != nil {
		t.Fatal(err)
	}
	key := regexp.MustCompile(`(?m)^roem_[A-Z2-7]{52}$`).FindString(string(out))
	sum := regexp.MustCompile(`[0-9a-f]{64}`).FindString(string(out))
	if key == "" || sum == "" {
		t.Fatalf("says %s", out)
	}
	p := start(t, "ROEM_AUTH_KEYS=ann:"+sum)
	for secret, want := range map[string]int{key: 200, key + "A": 401} {
		r, err := http.NewRequestWithContext(t.Context(), http.MethodGet, p.url+"/v1/klaverjas/deals/0", nil)
		if err != nil {
			t.Fatal(err)
		}
		r.Header.Set("Authorization", "Bearer "+secret)
		answer, err := http.DefaultClient.Do(r)
		if err != nil {
			t.Fatal(err)
		}
		_ = answer.Body.Close()
		if answer.StatusCode != want {
			t.Errorf("status %d, want %d", answer.StatusCode, want)
		}
	}
	p.signal(t, syscall.SIGTERM)
	p.ends(t, 20*time.Second) // the log is whole then
	if strings.Contains(p.logged(), key) || !strings.Contains(p.logged(), "key:ann") {
		t.Errorf("the log holds the key, or not its name: %s", p.logged())
	}
}

// What the server foretells of the search's time is from its own speed from the first answer on, which it has measured before.
func TestForetellsFromItsOwnSpeed(t *testing.T) {
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
	var got api.Prediction
	if err == nil {
		err = json.Unmarshal(text, &got)
	}
	if err != nil || code != http.StatusOK {
		t.Fatalf("%d, %v: %s", code, err, text)
	}
	told := float64(got.Hardness.NodesP90) / got.Hardness.MsP90
	if speed < 1 || math.Abs(told/speed-1) > 0.01 {
		t.Errorf("%.0f nodes a millisecond in a prediction, measured were %v\n%s", told, speed, p.logged())
	}
}
