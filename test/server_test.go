// Package test tests the whole service. It starts, loads, abuses, signals and kills the real program, and uses it only over HTTP.
// In `make test` each test sends a small number of requests, in `make test-long` those with the most send more; `make proof NAME=abuse`,
// `make proof NAME=soak`, `make proof NAME=kill` and `make proof NAME=sigterm` run the full length.
package test

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"io"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"roem/internal/testkit"
)

var raceServer = flag.Bool("race-server", false, "build the server with the race detector, also where the tests are without")

// raced reports whether the server is built with the race detector.
func raced() bool { return testkit.Race || *raceServer }

// TestMain runs the test program as another program for some tests, and removes the programs that tests have built.
func TestMain(m *testing.M) {
	if file := os.Getenv(bareVariable); file != "" {
		_, _ = fmt.Fprintln(os.Stderr, bare(file))
		return
	}
	m.Run()
	if path, err := program(); err == nil {
		_ = os.RemoveAll(filepath.Dir(path))
	}
}

// program builds the server once and returns its path.
var program = sync.OnceValues(func() (string, error) {
	dir, err := os.MkdirTemp("", "roem-test-")
	if err != nil {
		return "", err
	}
	path := filepath.Join(dir, "server")
	args := []string{"build", "-o", path}
	if raced() {
		args = append(args, "-race")
	}
	if out, err := exec.Command("go", append(args, "roem/cmd/server")...).CombinedOutput(); err != nil {
		return "", errors.Join(fmt.Errorf("building the server: %w\n%s", err, out), os.RemoveAll(dir))
	}
	return path, nil
})

// serverProgram is program; an error fails the test.
func serverProgram(tb testing.TB) string {
	tb.Helper()
	path, err := program()
	if err != nil {
		tb.Fatal(err)
	}
	return path
}

// server is a running server process.
type server struct {
	url  string
	addr string
	key  string // for /metrics; "" for none
	cmd  *exec.Cmd

	mu    sync.Mutex
	log   bytes.Buffer
	done  chan struct{} // closed when the process has ended and its log is complete
	ended error
}

// start starts a server on a free port, with environ in addition to the necessary variables, and waits until it is ready. If it still
// runs at the end of the test, it is killed.
func start(tb testing.TB, environ ...string) *server {
	tb.Helper()
	return startAt(tb, "127.0.0.1:0", environ...)
}

// startAt is start with a given address.
func startAt(tb testing.TB, addr string, environ ...string) *server {
	tb.Helper()
	return startLogging(tb, addr, func([]byte) bool { return true }, environ...)
}

// startLogging is startAt for a server of whose log only some lines are stored.
func startLogging(tb testing.TB, addr string, keep func(line []byte) bool, environ ...string) *server {
	tb.Helper()
	return startCommand(tb, exec.Command(serverProgram(tb)), addr, keep, environ...)
}

// startCommand is startLogging with a command that becomes the server.
func startCommand(tb testing.TB, cmd *exec.Cmd, addr string, keep func(line []byte) bool, environ ...string) *server {
	tb.Helper()
	s := &server{cmd: cmd, done: make(chan struct{})}
	for _, variable := range os.Environ() {
		if !strings.HasPrefix(variable, "ROEM_") {
			s.cmd.Env = append(s.cmd.Env, variable)
		}
	}
	// Each server has its own folder, unless the test sets one.
	s.cmd.Env = append(append(s.cmd.Env, "ROEM_ADDR="+addr, "ROEM_DATA="+filepath.Join(tb.TempDir(), "data")), environ...)
	// If the test process is killed, its servers are killed too.
	s.cmd.SysProcAttr = &syscall.SysProcAttr{Pdeathsig: syscall.SIGKILL}
	stderr, err := s.cmd.StderrPipe()
	if err != nil {
		tb.Fatal(err)
	}
	if err := s.cmd.Start(); err != nil {
		tb.Fatal(err)
	}
	tb.Cleanup(s.kill)
	listening := make(chan string, 1)
	go func() {
		heard := false
		for lines := bufio.NewReaderSize(stderr, 64<<10); ; {
			line, err := lines.ReadBytes('\n')
			if keep(line) {
				s.mu.Lock()
				s.log.Write(line)
				s.mu.Unlock()
			}
			// Once the address is known, a line costs this process little, which may be measuring the server.
			if !heard {
				var entry struct{ Msg, Addr string }
				if json.Unmarshal(line, &entry) == nil && entry.Msg == "listening" && entry.Addr != "" {
					listening <- entry.Addr
					heard = true
				}
			}
			if err != nil {
				break
			}
		}
		s.ended = s.cmd.Wait()
		close(s.done)
	}()
	select {
	case s.addr = <-listening:
		s.url = "http://" + s.addr
	case <-s.done:
		tb.Fatalf("the server ended: %v\n%s", s.ended, s.logged())
	case <-time.After(testkit.Patience):
		tb.Fatalf("the log does not have the server's address\n%s", s.logged())
	}
	for deadline := time.Now().Add(testkit.Patience); ; {
		if status, _, err := get(s.url + "/readyz"); err == nil && status == http.StatusOK {
			return s
		}
		if time.Now().After(deadline) {
			tb.Fatalf("the server is not ready within %v\n%s", testkit.Patience, s.logged())
		}
		time.Sleep(10 * time.Millisecond)
	}
}

// logged returns the log of the server so far.
func (s *server) logged() string {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.log.String()
}

// kill ends the server with SIGKILL and waits for its end.
func (s *server) kill() {
	_ = s.cmd.Process.Kill()
	<-s.done
}

func (s *server) signal(tb testing.TB, sig os.Signal) {
	tb.Helper()
	if err := s.cmd.Process.Signal(sig); err != nil {
		tb.Fatal(err)
	}
}

// ends waits for the end of the server and returns its exit status, or -1 if a signal ended it.
func (s *server) ends(tb testing.TB, within time.Duration) int {
	tb.Helper()
	select {
	case <-s.done:
		return s.cmd.ProcessState.ExitCode()
	case <-time.After(within):
		tb.Fatalf("the server does not end within %v\n%s", within, tail(s.logged()))
		return -1
	}
}

// tail returns the end of a long log.
func tail(log string) string {
	const most = 8000
	if len(log) > most {
		return "…" + log[len(log)-most:]
	}
	return log
}

// memory is the memory of a process.
type memory struct {
	own    int64 // private bytes
	mapped int64 // bytes of mapped files, which the system can reclaim
	most   int64 // the maximum of both together since the start
}

// resident returns the memory in use by the process.
func (s *server) resident(tb testing.TB) memory {
	tb.Helper()
	text, err := os.ReadFile(fmt.Sprintf("/proc/%d/status", s.cmd.Process.Pid))
	if err != nil {
		tb.Fatal(err)
	}
	var m memory
	for line := range strings.Lines(string(text)) {
		name, value, _ := strings.Cut(line, ":")
		kilobytes, err := strconv.ParseInt(strings.TrimSpace(strings.TrimSuffix(strings.TrimSpace(value), "kB")), 10, 64)
		if err != nil {
			continue
		}
		switch name {
		case "RssAnon":
			m.own = kilobytes << 10
		case "RssFile":
			m.mapped = kilobytes << 10
		case "VmHWM":
			m.most = kilobytes << 10
		}
	}
	if m.own == 0 || m.most == 0 {
		tb.Fatalf("no RssAnon and VmHWM in\n%s", text)
	}
	return m
}

// bound returns the maximum memory that the server states in its log.
func (s *server) bound(tb testing.TB) int64 {
	tb.Helper()
	for line := range strings.Lines(s.logged()) {
		var entry struct {
			Msg   string
			Bound int64
		}
		if json.Unmarshal([]byte(line), &entry) == nil && entry.Msg == "memory" && entry.Bound > 0 {
			return entry.Bound
		}
	}
	tb.Fatalf("the log does not have the server's memory bound\n%s", tail(s.logged()))
	return 0
}

// bounded fails the test if the server uses more private memory than its stated bound.
func (s *server) bounded(tb testing.TB) {
	tb.Helper()
	now, bound := s.resident(tb), s.bound(tb)
	tb.Logf("memory: %d MiB of its own, bound %d MiB; %d MiB of mapped files; at most %d MiB of both since the start",
		now.own>>20, bound>>20, now.mapped>>20, now.most>>20)
	if now.own > bound && !raced() {
		tb.Errorf("the server has %d MiB, its bound is %d MiB", now.own>>20, bound>>20)
	}
}

// metric returns the sum over the series of a metric.
func (s *server) metric(tb testing.TB, name string) float64 {
	tb.Helper()
	status, text, err := getWith(s.url+"/metrics", s.key)
	if err != nil || status != http.StatusOK {
		tb.Fatalf("/metrics: %d, %v", status, err)
	}
	sum, found := 0.0, false
	for line := range strings.Lines(string(text)) {
		rest, ok := strings.CutPrefix(line, name)
		if !ok || rest[0] != ' ' && rest[0] != '{' {
			continue
		}
		v, err := strconv.ParseFloat(strings.TrimSpace(rest[strings.LastIndexByte(rest, ' '):]), 64)
		if err != nil {
			tb.Fatalf("%s: %v", line, err)
		}
		sum, found = sum+v, true
	}
	if !found {
		tb.Fatalf("/metrics has no %s", name)
	}
	return sum
}

// sound fails the test if the log has a panic, a race or an internal error, or is not JSON. expected are the messages of errors that
// the test itself causes.
func (s *server) sound(tb testing.TB, expected ...string) {
	tb.Helper()
	for line := range strings.Lines(s.logged()) {
		var entry struct{ Level, Msg string }
		if err := json.Unmarshal([]byte(line), &entry); err != nil {
			tb.Errorf("not JSON in the log: %s\n%s", line, tail(s.logged()))
			return
		}
		if slices.Contains(expected, entry.Msg) {
			continue
		}
		if entry.Level == "error" || entry.Level == "panic" || entry.Level == "fatal" {
			tb.Errorf("the server logged %s", line)
		}
	}
}

// client returns a client with its own connections.
func client(timeout time.Duration) *http.Client {
	return &http.Client{Timeout: timeout, Transport: &http.Transport{MaxIdleConnsPerHost: 256, DisableCompression: true}}
}

// get sends a GET on its own connection.
func get(url string) (status int, body []byte, err error) { return getWith(url, "") }

// getWith is get with a secret key, if it is not "".
func getWith(url, key string) (status int, body []byte, err error) {
	c := client(testkit.Patience)
	defer c.CloseIdleConnections()
	request, err := http.NewRequest(http.MethodGet, url, http.NoBody)
	if err != nil {
		return 0, nil, err
	}
	if key != "" {
		request.Header.Set("Authorization", "Bearer "+key)
	}
	answer, err := c.Do(request)
	if err != nil {
		return 0, nil, err
	}
	body, err = io.ReadAll(answer.Body)
	return answer.StatusCode, body, errors.Join(err, answer.Body.Close())
}

// eventually waits until the condition holds.
func eventually(tb testing.TB, within time.Duration, what string, holds func() bool) {
	tb.Helper()
	for deadline := time.Now().Add(within); !holds(); {
		if time.Now().After(deadline) {
			tb.Fatalf("not within %v: %s", within, what)
		}
		time.Sleep(20 * time.Millisecond)
	}
}
