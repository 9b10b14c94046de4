package redistest_test

import (
	"bufio"
	"fmt"
	"net"
	"os"
	"strings"
	"testing"
	"time"

	"roem/internal/redistest"
	"roem/internal/testkit"
)

func TestMain(m *testing.M) { testkit.Main(m) }

// client is a connection that sends inline commands.
type client struct {
	net.Conn
	lines *bufio.Reader
}

func dial(t *testing.T, addr string) *client {
	t.Helper()
	conn, err := net.Dial("tcp", addr)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = conn.Close() })
	return &client{conn, bufio.NewReader(conn)}
}

// ask sends a command and returns the first line of the answer within 300 ms. For a string it returns the second line.
func (c *client) ask(command string) (string, error) {
	return c.askWithin(300*time.Millisecond, command)
}

func (c *client) askWithin(limit time.Duration, command string) (string, error) {
	if err := c.SetDeadline(time.Now().Add(limit)); err != nil {
		return "", err
	}
	if _, err := fmt.Fprintf(c, "%s\r\n", command); err != nil {
		return "", err
	}
	line, err := c.lines.ReadString('\n')
	if err == nil && strings.HasPrefix(line, "$") && line != "$-1\r\n" {
		line, err = c.lines.ReadString('\n')
	}
	return strings.TrimSpace(line), err
}

func want(t *testing.T, c *client, command, answer string) {
	t.Helper()
	if got, err := c.askWithin(testkit.Patience, command); err != nil || got != answer {
		t.Errorf("%s: %q, %v; want %q", command, got, err, answer)
	}
}

func TestDurable(t *testing.T) {
	for _, durable := range []bool{true, false} {
		t.Run(fmt.Sprintf("durable %v", durable), func(t *testing.T) {
			s := redistest.Start(t, redistest.Options{Durable: durable, MaxMemory: "64mb", MaxMemoryPolicy: "noeviction"})
			c := dial(t, s.Addr())
			want(t, c, "SET a 1", "+OK")
			before := s.URL()
			s.Kill()
			if err := s.Ping(time.Second); err == nil {
				t.Error("a killed server still answers")
			}
			s.Restart()
			if s.URL() != before {
				t.Errorf("%s after the restart, %s before", s.URL(), before)
			}
			c = dial(t, s.Addr())
			answer := "$-1"
			if durable {
				answer = "1"
			}
			want(t, c, "GET a", answer)
			s.Stop()
			s.Restart()
			want(t, dial(t, s.Addr()), "GET a", answer)
			if got := len(s.DataFiles()) > 0; got != durable {
				t.Errorf("files written: %v", s.DataFiles())
			}
		})
	}
}

func TestPause(t *testing.T) {
	s := redistest.Start(t, redistest.Options{})
	s.Pause()
	if err := s.Ping(100 * time.Millisecond); !os.IsTimeout(err) {
		t.Errorf("a paused server: %v", err)
	}
	s.Resume()
	s.Resume() // no effect
	if err := s.Ping(testkit.Patience); err != nil {
		t.Error(err)
	}
	s.Pause()
	s.Stop() // a paused server can be stopped
}

func TestProxy(t *testing.T) {
	s := redistest.Start(t, redistest.Options{})
	p := redistest.NewProxy(t, s.Addr())
	if !strings.HasSuffix(p.URL(), "@"+p.Addr()+"/0") || p.Addr() == s.Addr() {
		t.Errorf("the proxy is at %s", p.URL())
	}
	open := dial(t, p.Addr())
	want(t, open, "SET a 1", "+OK")

	p.Set(redistest.Silent, 0)
	for _, c := range []*client{open, dial(t, p.Addr())} {
		if got, err := c.ask("GET a"); !os.IsTimeout(err) {
			t.Errorf("silent: %q, %v", got, err)
		}
	}
	p.Set(redistest.Garbage, 0)
	c := dial(t, p.Addr())
	if got, err := c.ask("GET a"); err != nil && !os.IsTimeout(err) || got == "1" {
		t.Errorf("garbage: %q, %v", got, err)
	}
	p.Set(redistest.None, 0)
	if got, err := open.ask("GET a"); err == nil {
		t.Errorf("a connection that lost an answer still answers %q", got)
	}
	open = dial(t, p.Addr())
	want(t, open, "GET a", "1")

	p.Set(redistest.Slow, 50*time.Millisecond)
	began := time.Now()
	want(t, open, "GET a", "1")
	if took := time.Since(began); took < 50*time.Millisecond {
		t.Errorf("slow: %v", took)
	}

	p.Set(redistest.Refuse, 0)
	if got, err := open.ask("GET a"); err == nil {
		t.Errorf("refuse, an open connection: %q", got)
	}
	if conn, err := net.Dial("tcp", p.Addr()); err == nil {
		_ = conn.Close()
		t.Error("refuse: connected")
	}
	s.Kill()
	p.Set(redistest.None, 0)
	if got, err := dial(t, p.Addr()).ask("GET a"); err == nil || os.IsTimeout(err) {
		t.Errorf("no server: %q, %v", got, err)
	}
	p.Set(redistest.Silent, 0)
	if got, err := dial(t, p.Addr()).ask("GET a"); !os.IsTimeout(err) {
		t.Errorf("no server, silent: %q, %v", got, err)
	}
	s.Restart()
	p.Set(redistest.None, 0)
	want(t, dial(t, p.Addr()), "PING", "+PONG")
}

func TestFaultsHaveNames(t *testing.T) {
	seen := map[string]bool{}
	for f := redistest.None; f <= redistest.Garbage; f++ {
		seen[f.String()] = true
	}
	if len(seen) != 5 {
		t.Errorf("%v", seen)
	}
}
