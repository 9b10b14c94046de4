package main

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"os"
	"os/exec"
	"regexp"
	"strconv"
	"strings"
	"sync"
	"syscall"
)

// server is the process of a server, which keeps its address and its data when it is restarted.
type server struct {
	program, data, addr string

	mu      sync.Mutex
	process *exec.Cmd
}

func startServer(program, data string) (*server, error) {
	s := &server{program: program, data: data, addr: "127.0.0.1:0"}
	err := s.start()
	return s, err
}

// start starts the process, and returns when it listens.
func (s *server) start() error {
	s.process = exec.Command(s.program) //nolint:gosec,noctx // the test says which program; it ends with kill, or with this process
	for _, variable := range os.Environ() {
		if !strings.HasPrefix(variable, "ROEM_") {
			s.process.Env = append(s.process.Env, variable)
		}
	}
	s.process.Env = append(s.process.Env, "ROEM_ADDR="+s.addr, "ROEM_DATA="+s.data, "ROEM_AUTH_MODE=keys", "ROEM_AUTH_KEYS="+keys())
	s.process.SysProcAttr = &syscall.SysProcAttr{Pdeathsig: syscall.SIGKILL}
	stderr, err := s.process.StderrPipe()
	if err != nil {
		return err
	}
	if err := s.process.Start(); err != nil {
		return err
	}
	lines := bufio.NewScanner(stderr)
	var last string
	for lines.Scan() {
		var entry struct{ Msg, Addr string }
		if last = lines.Text(); json.Unmarshal(lines.Bytes(), &entry) == nil && entry.Msg == "listening" && entry.Addr != "" {
			s.addr = entry.Addr
			go func() { // the log is read to its end, so that the server does not wait for a reader
				for lines.Scan() {
				}
			}()
			return nil
		}
	}
	return fmt.Errorf("the server ended: %w: %s", errors.Join(s.process.Wait(), lines.Err()), last)
}

func (s *server) kill() {
	s.mu.Lock()
	defer s.mu.Unlock()
	_ = s.process.Process.Kill()
	_ = s.process.Wait()
}

func (s *server) restart() error {
	s.kill()
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.start()
}

// counts returns how many jobs and sessions the server has.
func (s *server) counts(ctx context.Context) (map[string]int, error) {
	var page struct{ Jobs []json.RawMessage }
	text, err := s.get(ctx, "/v1/jobs?limit=100")
	if err != nil {
		return nil, err
	}
	if err := json.Unmarshal(text, &page); err != nil {
		return nil, err
	}
	metrics, err := s.get(ctx, "/metrics")
	if err != nil {
		return nil, err
	}
	found := sessions.FindSubmatch(metrics)
	if found == nil {
		return nil, errors.New("the metrics have no number of sessions")
	}
	n, err := strconv.Atoi(string(found[1]))
	return map[string]int{"jobs": len(page.Jobs), "sessions": n}, err
}

var sessions = regexp.MustCompile(`(?m)^roem_sessions (\d+)$`)

func (s *server) get(ctx context.Context, path string) ([]byte, error) {
	r, err := http.NewRequestWithContext(ctx, http.MethodGet, "http://"+s.addr+path, http.NoBody)
	if err != nil {
		return nil, err
	}
	r.Header.Set("Authorization", "Bearer "+key)
	answer, err := http.DefaultClient.Do(r)
	if err != nil {
		return nil, err
	}
	return body(answer)
}
