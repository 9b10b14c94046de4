package main

import (
	"errors"
	"io"
	"math"
	"net"
	"net/http"
	"net/http/httptest"
	"os"
	"testing"
	"testing/fstest"
	"time"

	"roem/internal/testkit"
)

func TestRoomForConnections(t *testing.T) {
	for name, test := range map[string]struct {
		memory int64
		files  uint64
		want   int
	}{
		"no limits":    {math.MaxInt64 - 1<<30, math.MaxInt64, mostConnections},
		"384 MiB":      {(384 - 200) << 20, 1 << 20, 1962},
		"little":       {1 << 20, 1 << 20, leastConnections},
		"too little":   {-1 << 30, 1 << 20, leastConnections},
		"1,024 files":  {math.MaxInt64 - 1<<30, 1024, 960},
		"some files":   {math.MaxInt64 - 1<<30, 10, leastConnections},
		"unlimited":    {math.MaxInt64 - 1<<30, math.MaxUint64, mostConnections},
		"memory first": {200 * connectionMemory, 1024, 200},
	} {
		if got := roomForConnections(test.memory, test.files); got != test.want {
			t.Errorf("%s: %d connections, want %d", name, got, test.want)
		}
	}
}

// The memory follows from the process's own cgroup and the groups around it, in both versions of cgroups.
func TestGroupMemory(t *testing.T) {
	const none, own, v2, v1 = math.MaxInt64, "proc/self/cgroup", "sys/fs/cgroup/", "sys/fs/cgroup/memory/"
	for name, test := range map[string]struct {
		files map[string]string
		want  int64
	}{
		"no cgroups":         {nil, none},
		"version 2":          {map[string]string{own: "0::/a/b\n", v2 + "a/b/memory.max": "300\n"}, 300},
		"no limit":           {map[string]string{own: "0::/a/b\n", v2 + "a/b/memory.max": "max\n"}, none},
		"a group around it":  {map[string]string{own: "0::/a/b\n", v2 + "a/b/memory.max": "max\n", v2 + "a/memory.max": "200\n"}, 200},
		"the least":          {map[string]string{own: "0::/a\n", v2 + "a/memory.max": "100\n", v2 + "memory.max": "200\n"}, 100},
		"another group":      {map[string]string{own: "0::/a\n", v2 + "a/memory.max": "300\n", v2 + "b/memory.max": "200\n"}, 300},
		"a container":        {map[string]string{own: "0::/\n", v2 + "memory.max": "300\n"}, 300},
		"outside of its own": {map[string]string{own: "0::/../a\n", v2 + "memory.max": "300\n"}, 300},
		"version 1":          {map[string]string{own: "5:cpu,memory:/a:b\n0::/\n", v1 + "a:b/memory.limit_in_bytes": "300\n"}, 300},
		"version 1, another": {map[string]string{own: "5:memoryx:/a\n", v1 + "a/memory.limit_in_bytes": "300\n"}, none},
		"a container of 1":   {map[string]string{own: "5:memory:/docker/0123\n", v1 + "memory.limit_in_bytes": "300\n"}, 300},
		"no proc":            {map[string]string{v2 + "memory.max": "300\n"}, 300},
		"nonsense":           {map[string]string{own: "0\n:\n0::\n", v2 + "memory.max": "300\n"}, 300},
	} {
		root := fstest.MapFS{}
		for path, text := range test.files {
			root[path] = &fstest.MapFile{Data: []byte(text)}
		}
		if got := groupMemory(root); got != test.want {
			t.Errorf("%s: %d, want %d", name, got, test.want)
		}
	}
}

// A connection for which there is no place takes the place of an idle connection of a client with more of them. The connections of a client
// that is answered, and of clients with as few, stay.
func TestIdleConnectionsGiveWay(t *testing.T) {
	inner, err := (&net.ListenConfig{}).Listen(t.Context(), "tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	l := connections{most: 8, each: 8}.listener(inner)
	server := httptest.NewUnstartedServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) { _, _ = io.WriteString(w, "here") }))
	_ = server.Listener.Close()
	server.Listener, server.Config.ConnState = l, l.state
	server.Start()
	t.Cleanup(server.Close)
	from := func(address string) *http.Client {
		transport := &http.Transport{DialContext: (&net.Dialer{LocalAddr: &net.TCPAddr{IP: net.ParseIP(address)}}).DialContext}
		t.Cleanup(transport.CloseIdleConnections)
		return &http.Client{Transport: transport}
	}
	ask := func(c *http.Client) {
		t.Helper()
		answer, err := c.Get("http://" + inner.Addr().String())
		if err != nil {
			t.Fatal(err)
		}
		_, _ = io.Copy(io.Discard, answer.Body)
		_ = answer.Body.Close()
	}
	for range 8 { // all places
		ask(from("127.0.0.1"))
	}
	for i := range 7 {
		ask(from(net.IPv4(127, 0, 0, byte(2+i)).String()))
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	if len(l.places) != 8 || len(l.clients) != 8 {
		t.Errorf("%d connections of %d clients, want 8 of 8", len(l.places), len(l.clients))
	}
}

// A request that comes slowly holds the place of its connection only while no client with fewer connections needs it. One that is answered
// keeps it.
func TestRequestsThatComeGiveWay(t *testing.T) {
	inner, err := (&net.ListenConfig{}).Listen(t.Context(), "tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	l := connections{most: 4, each: 4}.listener(inner)
	answering, ends := make(chan struct{}, 4), make(chan struct{})
	server := httptest.NewUnstartedServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if _, err := io.Copy(io.Discard, r.Body); err == nil && r.URL.Path == "/long" {
			answering <- struct{}{}
			<-ends
		}
	}))
	_ = server.Listener.Close()
	server.Listener, server.Config.ConnState = l, l.state
	server.Start()
	t.Cleanup(server.Close)
	t.Cleanup(func() { close(ends) }) // before it
	dial := func(from byte, send string) net.Conn {
		t.Helper()
		conn, err := (&net.Dialer{LocalAddr: &net.TCPAddr{IP: net.IPv4(127, 0, 0, from)}}).Dial("tcp", inner.Addr().String())
		if err == nil {
			_, err = io.WriteString(conn, send)
		}
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { _ = conn.Close() })
		_ = conn.SetReadDeadline(time.Now().Add(testkit.Patience))
		return conn
	}
	const coming = "POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 9\r\n\r\n1"
	dial(1, "GET /long HTTP/1.1\r\nHost: x\r\n\r\n")
	dial(1, "POST /long HTTP/1.1\r\nHost: x\r\nContent-Length: 1\r\n\r\n1")
	<-answering
	<-answering
	slow := []net.Conn{dial(1, coming), dial(1, coming)}
	testkit.Until(t, "two requests come", func() bool {
		l.mu.Lock()
		defer l.mu.Unlock()
		n := 0
		for _, p := range l.clients {
			for _, comes := range p.idle {
				if comes {
					n++
				}
			}
		}
		return n == 2
	})
	for i := range slow { // others take both places
		other := dial(byte(2+i), "GET / HTTP/1.1\r\nHost: x\r\n\r\n")
		if _, err := other.Read(make([]byte, 1)); err != nil {
			t.Errorf("another client: %v", err)
		}
	}
	for _, conn := range slow {
		if _, err := conn.Read(make([]byte, 1)); err == nil || errors.Is(err, os.ErrDeadlineExceeded) {
			t.Errorf("a request that came slowly: %v", err)
		}
	}
}
