// Package redistest runs a real redis-server for a test, on a port of its own with its data in a folder of its own, and
// does to it what happens to servers: it stops, is killed, comes back, hangs. A Proxy stands in front of it where the
// network or what it says is to go wrong.
//
// A machine without redis-server fails the test; nothing is skipped.
package redistest

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"syscall"
	"testing"
	"time"
)

// Options says how the server runs. With the zero value it keeps everything in memory, and Stop and Kill lose it.
type Options struct {
	// Durable lets the server write every change to disk before it answers (an append-only file, appendfsync always), so
	// that what it has confirmed survives Kill.
	Durable bool
	// LoadDelay is added for each command that a Durable server reads back when it starts. While it does so, it answers
	// LOADING errors; it takes requests after each 1024 commands, and Restart waits until all are read.
	LoadDelay time.Duration
	// MaxMemory bounds the memory, such as "8mb"; empty for no bound.
	MaxMemory string
	// MaxMemoryPolicy is what the server does at the bound, such as "noeviction" or "allkeys-lru"; empty for its default.
	MaxMemoryPolicy string
}

// startTimeout is how long a server may take to answer its first PING, and to end.
const startTimeout = 20 * time.Second

// Server is a running redis-server. Its methods fail the test where they cannot do what they are for. They are for one
// goroutine at a time.
type Server struct {
	tb      testing.TB
	options Options
	dir     string
	port    int

	process *os.Process // nil when it does not run
	ended   chan struct{}
	log     *bytes.Buffer // complete once ended is closed
	paused  bool
}

// Start starts a server and waits until it answers. It ends with the test.
func Start(tb testing.TB, o Options) *Server {
	tb.Helper()
	s := &Server{tb: tb, options: o, dir: tb.TempDir()}
	tb.Cleanup(s.Kill)
	// Between the port being found free and the server listening on it, somebody else may take it.
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

// Addr returns the host and port of the server.
func (s *Server) Addr() string { return net.JoinHostPort("127.0.0.1", strconv.Itoa(s.port)) }

// URL returns where the server is, as the configuration of a client has it.
func (s *Server) URL() string { return "redis://" + s.Addr() + "/0" }

func (s *Server) start() error {
	program, err := exec.LookPath("redis-server")
	if err != nil {
		return fmt.Errorf("redis-server is needed (make deps-test installs it): %w", err)
	}
	args := []string{
		"--bind", "127.0.0.1", "--port", strconv.Itoa(s.port), "--dir", s.dir, "--save", "", "--daemonize", "no",
		"--appendonly", "no",
	}
	if s.options.Durable {
		args = append(args, "--appendonly", "yes", "--appendfsync", "always")
	}
	if s.options.LoadDelay > 0 {
		args = append(args, "--key-load-delay", strconv.FormatInt(s.options.LoadDelay.Microseconds(), 10))
	}
	if s.options.MaxMemory != "" {
		args = append(args, "--maxmemory", s.options.MaxMemory)
	}
	if s.options.MaxMemoryPolicy != "" {
		args = append(args, "--maxmemory-policy", s.options.MaxMemoryPolicy)
	}
	s.log = &bytes.Buffer{}
	cmd := exec.CommandContext(context.Background(), program, args...) //nolint:gosec // what the test asked for
	cmd.Stdout, cmd.Stderr = s.log, s.log
	if err := cmd.Start(); err != nil {
		return err
	}
	s.process, s.paused = cmd.Process, false
	ended := make(chan struct{})
	s.ended = ended
	go func() {
		_ = cmd.Wait() // how it ended is in its log; Kill makes it fail on purpose
		close(ended)
	}()
	for deadline := time.Now().Add(startTimeout); time.Now().Before(deadline); {
		if s.Ping(100*time.Millisecond) == nil {
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

// Ping asks the server whether it is there and has read its data, and waits for the answer that long.
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
	if _, err := conn.Write([]byte("PING\r\n")); err != nil {
		return err
	}
	answer := make([]byte, 64)
	n, err := conn.Read(answer)
	if err != nil {
		return err
	}
	if !bytes.HasPrefix(answer[:n], []byte("+PONG")) {
		return fmt.Errorf("it answers %q", answer[:n])
	}
	return nil
}

// Stop ends the server in order (SIGTERM) and waits for its end.
func (s *Server) Stop() {
	s.tb.Helper()
	s.Resume()
	s.end(syscall.SIGTERM)
}

// Kill ends the server at once (SIGKILL) and waits for its end. A server that does not run stays so.
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

// Restart starts the server that was stopped or killed (or stops it first), on the same port with the same data.
func (s *Server) Restart() {
	s.tb.Helper()
	if s.process != nil {
		s.Stop()
	}
	if err := s.start(); err != nil {
		s.tb.Fatalf("starting the redis-server again: %v", err)
	}
}

// Pause stops the process without ending it (SIGSTOP): its port takes connections and nothing answers.
func (s *Server) Pause() {
	s.tb.Helper()
	s.signal(syscall.SIGSTOP)
	s.paused = true
}

// Resume lets a paused server go on, with the requests that have come meanwhile. Others are not touched.
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

// DataFiles returns the files that the server has written, by their paths.
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
