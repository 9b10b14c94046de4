package main

import (
	"errors"
	"net"
	"net/http"
	"net/netip"
	"slices"
	"sync"
	"time"

	"roem/internal/service"
)

// connections bounds the connections of a port. 0 means no limit.
type connections struct {
	most   int            // open connections; further ones wait
	each   int            // open connections of one client, an address or an IPv6 /64; further ones are closed
	exempt []netip.Prefix // addresses that may have more than each
}

// networkConnections is how many times each the connections of an IPv6 network may have.
const networkConnections = 2

// listener returns a listener that accepts connections within the bounds. netutil.LimitListener is not used: its connections have no
// CloseWrite, without which net/http cannot deliver the answer to a request whose body it does not read.
func (c connections) listener(inner net.Listener) *boundedListener {
	l := &boundedListener{
		Listener: inner, bounds: c, closed: make(chan struct{}),
		clients: make(map[netip.Prefix]*peer), networks: make(map[netip.Prefix]int),
	}
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

	mu       sync.Mutex
	clients  map[netip.Prefix]*peer // with an open connection
	networks map[netip.Prefix]int   // of IPv6; no zeros
}

// peer is what a client has.
type peer struct {
	open int
	idle map[*boundedConn]bool // connections on which no request is answered; true for those on which one is coming
}

// sendBuffer is how much of an answer the kernel keeps for a client that does not read. Linux doubles it for its own use. Without this
// bound the kernel keeps up to 4 MiB for each connection.
const sendBuffer = 64 << 10

// Accept returns the next connection. If there is no place for it, it takes the place of an idle connection of a client with as many, or of
// one on which a request is still coming of a client with more. If only clients with fewer have such connections, it is closed. If there
// are none, it waits for a place.
func (l *boundedListener) Accept() (net.Conn, error) {
	for {
		inner, err := l.Listener.Accept()
		if err != nil {
			return nil, err
		}
		tcp, ok := inner.(*net.TCPConn)
		if !ok {
			return inner, nil
		}
		conn := l.enter(tcp)
		if conn == nil {
			_ = inner.Close()
			continue
		}
		if err := l.place(conn); err != nil {
			_ = tcp.Close()
			l.forget(conn)
			if errors.Is(err, net.ErrClosed) {
				return nil, err
			}
			continue
		}
		_ = tcp.SetWriteBuffer(sendBuffer) // an error means that the client has left already
		return conn, nil
	}
}

// errNoPlace is the error for a connection that is closed because its client has more of them than the clients with idle ones.
var errNoPlace = errors.New("there is no place")

// place waits for a place of the connection. The error is net.ErrClosed if the listener is closed, or errNoPlace.
func (l *boundedListener) place(conn *boundedConn) error {
	if l.places == nil {
		return nil
	}
	select {
	case l.places <- struct{}{}:
		return nil
	default:
	}
	idle, err := l.displaced(conn)
	if err != nil {
		return err
	}
	if idle != nil {
		_ = idle.Close()
	}
	select {
	case l.places <- struct{}{}:
		return nil
	case <-l.closed:
		return net.ErrClosed
	}
}

// Close ends Accept.
func (l *boundedListener) Close() error { return l.close() }

// enter counts a connection, or returns nil if its client or network has too many.
func (l *boundedListener) enter(tcp *net.TCPConn) *boundedConn {
	address := addressOf(tcp)
	exempt := slices.ContainsFunc(l.bounds.exempt, func(p netip.Prefix) bool { return p.Contains(address) })
	conn := &boundedConn{TCPConn: tcp, exempt: exempt}
	conn.client, conn.network = service.BlocksOf(address)
	l.mu.Lock()
	defer l.mu.Unlock()
	p := l.clients[conn.client]
	if each := l.bounds.each; each > 0 && !exempt && (p != nil && p.open >= each || l.networks[conn.network] >= networkConnections*each) {
		return nil
	}
	if p == nil {
		p = &peer{idle: make(map[*boundedConn]bool)}
		l.clients[conn.client] = p
	}
	p.open++
	if conn.network.IsValid() {
		l.networks[conn.network]++
	}
	conn.came = func() { l.came(conn) }
	conn.leave = sync.OnceFunc(func() {
		l.forget(conn)
		if l.places != nil {
			<-l.places
		}
	})
	return conn
}

// forget counts a connection no more.
func (l *boundedListener) forget(conn *boundedConn) {
	l.mu.Lock()
	defer l.mu.Unlock()
	p := l.clients[conn.client]
	conn.left = true
	delete(p.idle, conn)
	if p.open--; p.open == 0 {
		delete(l.clients, conn.client)
	}
	if conn.network.IsValid() {
		if l.networks[conn.network]--; l.networks[conn.network] == 0 {
			delete(l.networks, conn.network)
		}
	}
}

// state notes whether a connection is idle. The server calls it. A request is coming on one that is not, until came is called.
func (l *boundedListener) state(c net.Conn, state http.ConnState) {
	if conn, ok := c.(*boundedConn); ok && state != http.StateClosed && state != http.StateHijacked {
		l.note(conn, func(idle map[*boundedConn]bool) { idle[conn] = state == http.StateActive })
	}
}

// came notes that the request on a connection has been read to its end.
func (l *boundedListener) came(conn *boundedConn) {
	l.note(conn, func(idle map[*boundedConn]bool) {
		if idle[conn] {
			delete(idle, conn)
		}
	})
}

// note changes what is known of a connection that is open.
func (l *boundedListener) note(conn *boundedConn, change func(idle map[*boundedConn]bool)) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if p := l.clients[conn.client]; p != nil && !conn.left {
		change(p.idle)
	}
}

// displaced returns a connection whose place another one takes: of the client with the most connections among those with idle ones, an idle
// one before one on which a request is coming. It is nil if there is none. The error is errNoPlace if the client of the other connection
// has more.
func (l *boundedListener) displaced(by *boundedConn) (out *boundedConn, err error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	var most *peer
	for _, p := range l.clients {
		if len(p.idle) > 0 && (most == nil || p.open > most.open) {
			most = p
		}
	}
	own := l.clients[by.client].open
	switch {
	case most == nil:
		return nil, nil
	case most.open < own && !by.exempt:
		return nil, errNoPlace
	}
	for conn, coming := range most.idle {
		if !coming {
			return conn, nil
		}
		if most.open > own { // a client that sends a request keeps its last connection
			out = conn
		}
	}
	return out, nil
}

// addressOf returns the address of the peer, the zero Addr if it has none.
func addressOf(conn net.Conn) netip.Addr {
	peer, _ := netip.ParseAddrPort(conn.RemoteAddr().String())
	return peer.Addr().Unmap().WithZone("")
}

// boundedConn is a connection that is counted until it is closed.
type boundedConn struct {
	*net.TCPConn
	client, network netip.Prefix // network is not valid for an IPv4 address
	exempt          bool         // it may have more connections than others
	left            bool         // it is not counted any more; guarded by the lock of the listener
	leave           func()
	came            func()
}

// SetReadDeadline sets until when reads wait. It is lifted as soon as a request has been read to its end: net/http then waits for the
// client to leave.
func (c *boundedConn) SetReadDeadline(t time.Time) error {
	if t.IsZero() {
		c.came()
	}
	return c.TCPConn.SetReadDeadline(t)
}

// Close closes the connection.
func (c *boundedConn) Close() error {
	defer c.leave()
	return c.TCPConn.Close()
}
