package test

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"net"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"roem/internal/testkit"
)

// balancer is an nginx with the configuration of deploy/compose, in front of servers of the test.
type balancer struct {
	url string
	dir string // with its logs
}

// balance starts an nginx from the system with the committed configuration. Only the port, the replicas and the folder of the logs differ.
func balance(t *testing.T, replicas ...*server) *balancer {
	t.Helper()
	return balanceBy(t, "$remote_addr", replicas...)
}

// balanceBy is balance, with another variable of nginx for the address by which clients are counted.
func balanceBy(t *testing.T, address string, replicas ...*server) *balancer {
	t.Helper()
	text, err := os.ReadFile("../deploy/compose/nginx.conf")
	if err != nil {
		t.Fatal(err)
	}
	b := &balancer{dir: t.TempDir()}
	addr := freeAddr(t)
	b.url = "http://" + addr
	config := string(text)
	replace := func(old, now string) {
		if !strings.Contains(config, old) {
			t.Fatalf("nginx.conf does not contain %q", old)
		}
		config = strings.ReplaceAll(config, old, now)
	}
	_, rest, _ := strings.Cut(config, "server api:8080")
	parameters, _, _ := strings.Cut(rest, "\n")
	var servers []string
	for _, r := range replicas {
		servers = append(servers, "server "+r.addr+parameters)
	}
	replace("server api:8080"+parameters, strings.Join(servers, "\n"))
	replace("listen 8080;", "listen "+addr+";")
	replace("/var/log/nginx/", b.dir+"/")
	replace("map $remote_addr ", "map "+address+" ")
	var temporary strings.Builder
	for _, kind := range []string{"client_body", "proxy", "fastcgi", "uwsgi", "scgi"} {
		fmt.Fprintf(&temporary, "%s_temp_path %s/%s;\n", kind, b.dir, kind)
	}
	// The frame is like the configuration in the image of nginx, whose log has the whole line of each request.
	user := ""
	if os.Getuid() == 0 {
		user = "user root;\n" // who may write into the folder of the test
	}
	config = user + fmt.Sprintf("daemon off;\nworker_processes 1;\npid %[1]s/pid;\nerror_log %[1]s/main.log notice;\nevents { "+
		"worker_connections 4096; }\n"+
		"http {\n%[2]s access_log %[1]s/access.log;\n%[3]s\n}\n", b.dir, temporary.String(), config)
	file := filepath.Join(b.dir, "nginx.conf")
	if err := os.WriteFile(file, []byte(config), 0o600); err != nil {
		t.Fatal(err)
	}
	program, err := exec.LookPath("nginx")
	if err != nil {
		program = "/usr/sbin/nginx" // which is not in every PATH
	}
	nginx := exec.Command(program, "-p", b.dir, "-c", file, "-e", filepath.Join(b.dir, "main.log"))
	nginx.SysProcAttr = &syscall.SysProcAttr{Pdeathsig: syscall.SIGTERM}
	var said bytes.Buffer
	nginx.Stdout, nginx.Stderr = &said, &said
	if err := nginx.Start(); err != nil {
		t.Fatalf("%v (make deps-test installs it)", err)
	}
	ended := make(chan struct{})
	go func() { _ = nginx.Wait(); close(ended) }()
	t.Cleanup(func() { _ = nginx.Process.Signal(syscall.SIGTERM); <-ended })
	for deadline := time.Now().Add(testkit.Patience); ; time.Sleep(10 * time.Millisecond) {
		if conn, err := net.Dial("tcp", addr); err == nil {
			_ = conn.Close()
			return b
		}
		if time.Now().After(deadline) {
			t.Fatalf("nginx does not listen: %s%s", said.String(), b.logs(t))
		}
	}
}

// logs returns all logs of the balancer.
func (b *balancer) logs(t *testing.T) string {
	t.Helper()
	files, err := filepath.Glob(filepath.Join(b.dir, "*.log"))
	if err != nil {
		t.Fatal(err)
	}
	var all strings.Builder
	for _, file := range files {
		text, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		fmt.Fprintf(&all, "%s:\n%s", filepath.Base(file), text)
	}
	return all.String()
}

// clientAt returns a client whose connections come from the address, one of 127.0.0.0/8.
func clientAt(t *testing.T, from string) *http.Client {
	t.Helper()
	dialer := net.Dialer{LocalAddr: &net.TCPAddr{IP: net.ParseIP(from)}}
	transport := &http.Transport{DialContext: dialer.DialContext, MaxIdleConnsPerHost: 256}
	t.Cleanup(transport.CloseIdleConnections)
	return &http.Client{Transport: transport, Timeout: testkit.Patience}
}

// reply is an answer that has been read. An error has the status 0, and its text as the body.
type reply struct {
	status int
	header http.Header
	body   string
}

// exchange sends a request with the header, which is names and values in turn, and reads the answer.
func exchange(ctx context.Context, c *http.Client, method, url, body string, header ...string) reply {
	request, err := http.NewRequestWithContext(ctx, method, url, strings.NewReader(body))
	if err != nil {
		return reply{body: err.Error()}
	}
	if method == http.MethodPost {
		request.Header.Set("Content-Type", "application/json")
	}
	for i := 0; i+1 < len(header); i += 2 {
		request.Header.Set(header[i], header[i+1])
	}
	answer, err := c.Do(request)
	if err != nil {
		return reply{body: err.Error()}
	}
	defer func() { _ = answer.Body.Close() }()
	text, _ := io.ReadAll(answer.Body)
	return reply{answer.StatusCode, answer.Header, string(text)}
}

// statuses counts answers by their status.
type statuses struct {
	mu sync.Mutex
	of map[int]int
}

func (s *statuses) add(status int) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.of == nil {
		s.of = map[int]int{}
	}
	s.of[status]++
}

func (s *statuses) count(status int) int { s.mu.Lock(); defer s.mu.Unlock(); return s.of[status] }

func (s *statuses) String() string { s.mu.Lock(); defer s.mu.Unlock(); return fmt.Sprint(s.of) }
