package main

import (
	"io"
	"math"
	"net"
	"net/http"
	"net/http/httptest"
	"testing"
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
