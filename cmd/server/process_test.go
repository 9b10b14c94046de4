package main

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"io"
	"net/http"
	"os"
	"os/exec"
	"strings"
	"sync"
	"testing"
	"time"

	"roem/internal/testkit"
)

// TestMain runs the test binary as the server if TEST_AS_SERVER is 1, so that tests can start, signal and end the real program.
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
	c.Env = append(os.Environ(), "TEST_AS_SERVER=1", "ROEM_DATA=") // tests that need a folder set their own
	return c
}

// start starts a server on a free port and waits until it listens.
func start(t *testing.T, environ ...string) *process {
	t.Helper()
	return startCommand(t, command(), environ...)
}

// startCommand is start with a command that runs the server.
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
	case <-time.After(testkit.Patience):
		t.Fatalf("the log does not have the server's address\n%s", p.logged())
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

// hardDeals returns deals that take long to solve.
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

// slowRequest returns a request that uses a slot for a while: a table of a hard deal.
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
