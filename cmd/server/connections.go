package main

import (
	"net"
	"net/netip"
	"slices"
	"sync"
)

// connections bounds the connections of a port. 0 means no limit.
type connections struct {
	most   int            // open connections; further ones wait
	each   int            // open connections of one address; further ones are closed
	exempt []netip.Prefix // addresses that may have more than each
}

// listener returns a listener that accepts connections within the bounds. netutil.LimitListener is not used: its connections have no
// CloseWrite, without which net/http cannot deliver the answer to a request whose body it does not read.
func (c connections) listener(inner net.Listener) net.Listener {
	l := &boundedListener{Listener: inner, bounds: c, closed: make(chan struct{}), open: make(map[netip.Addr]int)}
	l.close = sync.OnceValue(func() error {
		close(l.closed)
		return inner.Close()
	})
	if c.most > 0 {
		l.places = make(chan struct{}, c.most)
	}
	return l
}

// boundedListener bounds how many connections there are, and what the kernel holds for each.
type boundedListener struct {
	net.Listener
	bounds connections
	places chan struct{} // holds a value for each open connection; nil for no bound
	closed chan struct{}
	close  func() error

	mu   sync.Mutex
	open map[netip.Addr]int // by address; no zeros
}

// sendBuffer is how much of an answer the kernel keeps for a client that does not read. Linux doubles it for its own use. Without this
// bound the kernel keeps up to 4 MiB for each connection.
const sendBuffer = 64 << 10

// Accept waits for a place and returns the next connection.
func (l *boundedListener) Accept() (net.Conn, error) {
	if l.places != nil {
		select {
		case l.places <- struct{}{}:
		case <-l.closed:
			return nil, net.ErrClosed
		}
	}
	for {
		conn, err := l.Listener.Accept()
		if err != nil {
			l.free()
			return nil, err
		}
		tcp, ok := conn.(*net.TCPConn)
		if !ok {
			return conn, nil
		}
		_ = tcp.SetWriteBuffer(sendBuffer) // an error means that the client has left already
		address := addressOf(conn)
		if l.enter(address) {
			return &boundedConn{TCPConn: tcp, leave: sync.OnceFunc(func() { l.leave(address) })}, nil
		}
		_ = conn.Close()
	}
}

// Close ends Accept.
func (l *boundedListener) Close() error { return l.close() }

// enter counts a connection of the address, or returns false if it has too many.
func (l *boundedListener) enter(address netip.Addr) bool {
	exempt := slices.ContainsFunc(l.bounds.exempt, func(p netip.Prefix) bool { return p.Contains(address) })
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.bounds.each > 0 && l.open[address] >= l.bounds.each && !exempt {
		return false
	}
	l.open[address]++
	return true
}

func (l *boundedListener) leave(address netip.Addr) {
	l.free()
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.open[address]--; l.open[address] == 0 {
		delete(l.open, address)
	}
}

func (l *boundedListener) free() {
	if l.places != nil {
		<-l.places
	}
}

// addressOf returns the address of the peer, the zero Addr if it has none.
func addressOf(conn net.Conn) netip.Addr {
	peer, _ := netip.ParseAddrPort(conn.RemoteAddr().String())
	return peer.Addr().Unmap()
}

// boundedConn is a connection that is counted until it is closed.
type boundedConn struct {
	*net.TCPConn
	leave func()
}

// Close closes the connection.
func (c *boundedConn) Close() error {
	defer c.leave()
	return c.TCPConn.Close()
}
