package redistest

import (
	"bufio"
	"context"
	"fmt"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"roem/internal/testkit"
)

// Group is a primary with two replicas, and three Sentinels that choose another primary when it dies. Its settings are in
// deploy/redis/replicated.
type Group struct {
	Servers   []*Server
	sentinels []string // their addresses
}

// StartGroup starts a Group, which ends with the test, and waits until each Sentinel knows all the others and both replicas.
func StartGroup(tb testing.TB) *Group {
	tb.Helper()
	settings, err := lines("redis.conf")
	if err != nil {
		tb.Fatal(err)
	}
	var arguments []string
	for _, line := range settings {
		name, value, _ := strings.Cut(line, " ")
		arguments = append(arguments, "--"+name, value)
	}
	g := &Group{}
	for range 3 {
		own := arguments
		if len(g.Servers) > 0 {
			own = append(slices.Clip(own), "--replicaof", "127.0.0.1 "+strconv.Itoa(g.Servers[0].port))
		}
		g.Servers = append(g.Servers, Start(tb, Options{Settings: own}))
	}
	// A Sentinel asks a primary for its replicas when it starts, and then every ten seconds.
	testkit.Until(tb, "both replicas follow the primary", func() bool { return g.Servers[0].replicas() == 2 })
	for range 3 {
		g.startSentinel(tb)
	}
	g.Settled(tb)
	return g
}

// lines returns the lines of a file in deploy/redis/replicated that are no comments.
func lines(name string) (all []string, err error) {
	root, err := testkit.Root()
	if err != nil {
		return nil, err
	}
	text, err := os.ReadFile(filepath.Join(root, "deploy", "redis", "replicated", name)) //nolint:gosec // of this repository
	for line := range strings.Lines(string(text)) {
		if line = strings.TrimSpace(line); line != "" && !strings.HasPrefix(line, "#") {
			all = append(all, line)
		}
	}
	return all, err
}

func (g *Group) startSentinel(tb testing.TB) {
	tb.Helper()
	settings, err := lines("sentinel.conf")
	if err != nil {
		tb.Fatal(err)
	}
	port, err := freePort()
	if err != nil {
		tb.Fatal(err)
	}
	dir := tb.TempDir()
	text := strings.Join(settings, "\n")
	text = strings.Replace(text, "port 26379", "bind 127.0.0.1\nport "+strconv.Itoa(port), 1)
	text = strings.Replace(text, "127.0.0.1 6379", "127.0.0.1 "+strconv.Itoa(g.Servers[0].port), 1)
	path := filepath.Join(dir, "sentinel.conf")
	if err := os.WriteFile(path, []byte(text+"\ndir "+dir+"\n"), 0o600); err != nil {
		tb.Fatal(err)
	}
	cmd := exec.CommandContext(context.Background(), "redis-server", path, "--sentinel") //nolint:gosec // a file of the test
	if err := cmd.Start(); err != nil {
		tb.Fatal(err)
	}
	tb.Cleanup(func() {
		_ = cmd.Process.Kill()
		_ = cmd.Wait()
	})
	g.sentinels = append(g.sentinels, net.JoinHostPort("127.0.0.1", strconv.Itoa(port)))
}

// URL returns the address of the Sentinels as a URL, with User.
func (g *Group) URL() string {
	return "redis+sentinel://" + User + ":" + password + "@" + strings.Join(g.sentinels, ",") + "/main/0"
}

// Primary returns the server that all Sentinels take for the primary, or nil.
func (g *Group) Primary() *Server {
	addr := ""
	for _, sentinel := range g.sentinels {
		answer := ask(sentinel, "SENTINEL GET-MASTER-ADDR-BY-NAME main", 5)
		if len(answer) < 5 || addr != "" && answer[4] != addr {
			return nil
		}
		addr = answer[4]
	}
	for _, s := range g.Servers {
		if strconv.Itoa(s.port) == addr {
			return s
		}
	}
	return nil
}

// Settled waits until one server is the primary for all Sentinels, which know two others, and has two replicas that follow it.
func (g *Group) Settled(tb testing.TB) *Server {
	tb.Helper()
	for end := time.Now().Add(2 * testkit.Patience); time.Now().Before(end); time.Sleep(50 * time.Millisecond) {
		p := g.Primary()
		if p == nil || !g.known() {
			continue
		}
		if p.replicas() == 2 {
			return p
		}
	}
	tb.Fatal("the servers and the Sentinels do not find together")
	return nil
}

// replicas returns how many replicas follow the server.
func (s *Server) replicas() int {
	return strings.Count(strings.Join(ask(s.Addr(), "AUTH "+User+" "+password+"\r\nINFO replication", 60), "\n"), "state=online")
}

// known reports whether each Sentinel knows two replicas and two other Sentinels, and takes none for down.
func (g *Group) known() bool {
	for _, sentinel := range g.sentinels {
		if !strings.Contains(strings.Join(ask(sentinel, "INFO sentinel", 30), "\n"), ",slaves=2,sentinels=3") {
			return false
		}
		line := ask(sentinel, "SENTINEL CKQUORUM main", 1)
		if len(line) == 0 || !strings.HasPrefix(line[0], "+OK 3 usable") {
			return false
		}
	}
	return true
}

// ask sends a command and returns up to n lines of the answer, without an error: what does not answer in time has no more.
func ask(addr, command string, n int) (answer []string) {
	conn, err := (&net.Dialer{Timeout: time.Second}).DialContext(context.Background(), "tcp4", addr)
	if err != nil {
		return nil
	}
	defer func() { _ = conn.Close() }()
	_ = conn.SetDeadline(time.Now().Add(time.Second))
	if _, err := fmt.Fprintf(conn, "%s\r\nQUIT\r\n", command); err != nil {
		return nil
	}
	for scanner := bufio.NewScanner(conn); len(answer) < n && scanner.Scan(); {
		line := strings.TrimSpace(scanner.Text())
		if strings.HasPrefix(line, "-ERR unknown command 'QUIT'") { // a Sentinel does not know it, and leaves the connection open
			break
		}
		answer = append(answer, line)
	}
	return answer
}
