package main

import (
	"errors"
	"net"
	"net/netip"
	"os"
	"syscall"
	"testing"
	"time"

	"roem/internal/testkit"
)

// TestConnections checks the bounds on connections, and what the kernel may hold for each.
func TestConnections(t *testing.T) {
	inner, err := (&net.ListenConfig{}).Listen(t.Context(), "tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	l := connections{most: 4, each: 2, exempt: []netip.Prefix{netip.MustParsePrefix("127.0.0.9/32")}}.listener(inner)
	accepted := make(chan net.Conn, 20)
	ended := make(chan struct{})
	go func() {
		defer close(ended)
		for {
			conn, err := l.Accept()
			if err != nil {
				return
			}
			accepted <- conn
		}
	}()
	dial := func(from string) net.Conn {
		t.Helper()
		conn, err := (&net.Dialer{LocalAddr: &net.TCPAddr{IP: net.ParseIP(from)}, Timeout: testkit.Patience}).Dial("tcp", inner.Addr().String())
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { _ = conn.Close() })
		return conn
	}
	next := func() net.Conn {
		t.Helper()
		select {
		case conn := <-accepted:
			return conn
		case <-time.After(testkit.Patience):
			t.Fatal("no connection is accepted")
			return nil
		}
	}
	none := func(why string) {
		t.Helper()
		select {
		case conn := <-accepted:
			t.Fatalf("%s: %v is accepted", why, conn.RemoteAddr())
		case <-time.After(100 * time.Millisecond):
		}
	}
	dial("127.0.0.1")
	first := next()
	dial("127.0.0.1")
	next()
	refused := dial("127.0.0.1")
	_ = refused.SetReadDeadline(time.Now().Add(testkit.Patience))
	if _, err := refused.Read(make([]byte, 1)); err == nil || errors.Is(err, os.ErrDeadlineExceeded) {
		t.Errorf("a third connection of an address is not closed: %v", err)
	}
	dial("127.0.0.9")
	next()
	dial("127.0.0.9")
	next()
	dial("127.0.0.9")
	none("a fifth connection")
	_ = first.Close()
	_ = first.Close() // a second time frees no second place
	third := next()
	if third.RemoteAddr().(*net.TCPAddr).IP.String() != "127.0.0.9" {
		t.Errorf("%v is accepted", third.RemoteAddr())
	}
	dial("127.0.0.2")
	none("one place was free")

	raw, err := third.(*boundedConn).SyscallConn()
	if err != nil {
		t.Fatal(err)
	}
	size := 0
	if failed := raw.Control(func(fd uintptr) {
		size,
			err = syscall.GetsockoptInt(int(fd), syscall.SOL_SOCKET, syscall.SO_SNDBUF)
	}); failed != nil || err != nil {
		t.Fatal(failed, err)
	}
	if size > 2*sendBuffer {
		t.Errorf("the kernel keeps up to %d bytes for a connection, want %d", size, 2*sendBuffer)
	}
	if _, ok := third.(interface{ CloseWrite() error }); !ok {
		t.Error("a connection has no CloseWrite")
	}
	_ = l.Close()
	select {
	case <-ended:
	case <-time.After(testkit.Patience):
		t.Error("Accept does not end with Close while no place is free")
	}
}
