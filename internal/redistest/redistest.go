// Package redistest runs a real redis-server for a test, with its own port and data folder. The server can be stopped, killed,
// restarted and paused. A Proxy in front of it injects faults of the network and of the answers.
//
// Without the program redis-server the test fails; it is not skipped.
package redistest

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"fmt"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"sync"
	"syscall"
	"testing"
	"time"

	"roem/internal/testkit"
)

// logged collects what a server logs.
type logged struct {
	mu   sync.Mutex
	text bytes.Buffer
}

// Write adds to the log.
func (l *logged) Write(text []byte) (int, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.text.Write(text)
}

func (l *logged) String() string {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.text.String()
}

// startTimeout is the longest time until a server answers its first PING, and until it ends.
const startTimeout = testkit.Patience

// Server is a running redis-server. Its methods fail the test on errors. They must not be called by several goroutines at the
// same time.
type Server struct {
	tb      testing.TB
	options Options
	dir     string
	port    int

	process *os.Process // nil when it does not run
	ended   chan struct{}
	log     *logged
	paused  bool
}

// Start starts a server and waits until it answers. It ends with the test.
func Start(tb testing.TB, o Options) *Server {
	tb.Helper()
	s := &Server{tb: tb, options: o, dir: tb.TempDir()}
	tb.Cleanup(s.Kill)
	// Another program may take the free port before the server listens on it.
	var err error
	for range 5 {
		if s.port, err = freePort(); err == nil {
			err = s.start()
		}
		if err == nil {
			return s
		}
		s.Kill()
	}
	tb.Fatalf("starting a redis-server: %v", err)
	return nil
}

func freePort() (int, error) {
	listener, err := (&net.ListenConfig{}).Listen(context.Background(), "tcp4", "127.0.0.1:0")
	if err != nil {
		return 0, err
	}
	defer func() { _ = listener.Close() }()
	_, port, err := net.SplitHostPort(listener.Addr().String())
	if err != nil {
		return 0, err
	}
	return strconv.Atoi(port)
}

func (s *Server) start() error {
	program, err := exec.LookPath("redis-server")
	if err != nil {
		return fmt.Errorf("redis-server is needed (make deps-test installs it): %w", err)
	}
	args, err := s.arguments()
	if err != nil {
		return err
	}
	s.log = &logged{}
	cmd := exec.CommandContext(context.Background(), program, args...) //nolint:gosec // arguments of the test
	cmd.Stdout, cmd.Stderr = s.log, s.log
	if err := cmd.Start(); err != nil {
		return err
	}
	s.process, s.paused = cmd.Process, false
	ended := make(chan struct{})
	s.ended = ended
	go func() {
		_ = cmd.Wait() // the log has the reason; Kill makes it fail on purpose
		close(ended)
	}()
	for deadline := time.Now().Add(startTimeout); time.Now().Before(deadline); {
		if s.Ping(time.Second) == nil {
			return nil
		}
		select {
		case <-ended:
			return fmt.Errorf("it ended at once:\n%s", s.log)
		case <-time.After(5 * time.Millisecond):
		}
	}
	return fmt.Errorf("it does not answer within %v", startTimeout)
}

// Ping checks that the server answers within the timeout and has loaded its data.
func (s *Server) Ping(timeout time.Duration) error {
	ctx, cancel := context.WithTimeout(context.Background(), timeout)
	defer cancel()
	conn, err := (&net.Dialer{}).DialContext(ctx, "tcp4", s.Addr())
	if err != nil {
		return err
	}
	defer func() { _ = conn.Close() }()
	if err := conn.SetDeadline(time.Now().Add(timeout)); err != nil {
		return err
	}
	if _, err := fmt.Fprintf(conn, "AUTH %s %s\r\nPING\r\n", User, password); err != nil {
		return err
	}
	lines := bufio.NewReader(conn)
	for _, want := range []string{"+OK\r\n", "+PONG\r\n"} {
		answer, err := lines.ReadString('\n')
		if err != nil {
			return err
		}
		if answer != want {
			return fmt.Errorf("it answers %q", answer)
		}
	}
	return nil
}

// Log returns what the server has logged since its last start.
func (s *Server) Log() string { return s.log.String() }

// Stop ends the server in order (SIGTERM) and waits for its end.
func (s *Server) Stop() {
	s.tb.Helper()
	s.Resume()
	s.end(syscall.SIGTERM)
}

// Kill ends the server at once (SIGKILL) and waits for its end. It does nothing if the server does not run.
func (s *Server) Kill() {
	s.tb.Helper()
	s.end(syscall.SIGKILL)
}

func (s *Server) end(signal syscall.Signal) {
	s.tb.Helper()
	if s.process == nil {
		return
	}
	if err := s.process.Signal(signal); err != nil && !errors.Is(err, os.ErrProcessDone) {
		s.tb.Fatalf("ending the redis-server: %v", err)
	}
	select {
	case <-s.ended:
	case <-time.After(startTimeout):
		_ = s.process.Kill()
		s.tb.Fatalf("the redis-server does not end within %v of %v", startTimeout, signal)
	}
	s.process = nil
}

// Restart starts the server again, on the same port with the same data. It stops the server first if it runs.
func (s *Server) Restart() {
	s.tb.Helper()
	if s.process != nil {
		s.Stop()
	}
	if err := s.start(); err != nil {
		s.tb.Fatalf("starting the redis-server again: %v", err)
	}
}

// Pause stops the process with SIGSTOP: its port accepts connections, and no request is answered.
func (s *Server) Pause() {
	s.tb.Helper()
	if s.process == nil {
		s.tb.Fatal("no redis-server runs that could be paused")
	}
	if err := testkit.Pause(s.process); err != nil {
		s.tb.Fatalf("pausing the redis-server: %v", err)
	}
	s.paused = true
}

// Resume continues a paused server, which then answers the requests that have arrived. It does nothing if it is not paused.
func (s *Server) Resume() {
	s.tb.Helper()
	if s.paused {
		s.signal(syscall.SIGCONT)
		s.paused = false
	}
}

func (s *Server) signal(signal syscall.Signal) {
	s.tb.Helper()
	if s.process == nil {
		s.tb.Fatalf("%v for a redis-server that does not run", signal)
	}
	if err := s.process.Signal(signal); err != nil {
		s.tb.Fatalf("%v for the redis-server: %v", signal, err)
	}
}

// DataFiles returns the paths of the files that the server has written.
func (s *Server) DataFiles() []string {
	s.tb.Helper()
	var files []string
	err := filepath.WalkDir(s.dir, func(path string, entry os.DirEntry, err error) error {
		if err == nil && !entry.IsDir() {
			files = append(files, path)
		}
		return err
	})
	if err != nil {
		s.tb.Fatal(err)
	}
	return files
}
