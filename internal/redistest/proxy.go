package redistest

import (
	"context"
	"io"
	"math/rand/v2"
	"net"
	"sync"
	"testing"
	"time"
)

// Fault is what a Proxy does with requests and answers.
type Fault int

const (
	// None forwards everything.
	None Fault = iota
	// Refuse closes every connection and accepts no new one.
	Refuse
	// Silent accepts connections and requests and never answers.
	Silent
	// Slow forwards everything, each request after the delay given to Set.
	Slow
	// Garbage answers every request with random bytes.
	Garbage
)

// String names the fault.
func (f Fault) String() string {
	return [...]string{"none", "refuse", "silent", "slow", "garbage"}[f]
}

// Proxy forwards connections to a server and injects faults. It is safe for concurrent use.
type Proxy struct {
	tb     testing.TB
	addr   string
	target string
	all    sync.WaitGroup

	mu       sync.Mutex
	fault    Fault
	delay    time.Duration
	listener net.Listener
	pairs    map[*pair]struct{}
	closed   bool
}

// pair is a client's connection and the one to the server behind it.
type pair struct {
	client, server net.Conn
	broken         bool // something was not forwarded: later answers would belong to other requests
}

func (p *pair) close() {
	_ = p.client.Close()
	_ = p.server.Close()
}

// NewProxy starts a proxy in front of the server at the address. It ends with the test.
func NewProxy(tb testing.TB, target string) *Proxy {
	tb.Helper()
	p := &Proxy{tb: tb, target: target, addr: "127.0.0.1:0", pairs: map[*pair]struct{}{}}
	p.mu.Lock()
	defer p.mu.Unlock()
	if err := p.listen(); err != nil {
		tb.Fatalf("starting a proxy: %v", err)
	}
	tb.Cleanup(p.close)
	return p
}

// Addr returns the host and port of the proxy.
func (p *Proxy) Addr() string {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.addr
}

// URL returns the address of the proxy as a URL.
func (p *Proxy) URL() string { return urlOf(p.Addr()) }

// Set changes the fault, also for open connections. The delay is the delay for Slow. Connections on which a
// request or an answer was dropped are closed by the next Set.
func (p *Proxy) Set(fault Fault, delay time.Duration) {
	p.tb.Helper()
	p.mu.Lock()
	defer p.mu.Unlock()
	p.fault, p.delay = fault, delay
	for one := range p.pairs {
		if one.broken || fault == Refuse {
			one.close()
		}
	}
	if fault == Refuse && p.listener != nil {
		_ = p.listener.Close()
		p.listener = nil
	}
	if fault != Refuse && p.listener == nil && !p.closed {
		if err := p.listen(); err != nil {
			p.tb.Fatalf("the proxy cannot listen again: %v", err)
		}
	}
}

func (p *Proxy) close() {
	p.Set(Refuse, 0)
	p.mu.Lock()
	p.closed = true
	p.mu.Unlock()
	p.all.Wait()
}

// listen accepts connections at the proxy's address. The caller holds p.mu.
func (p *Proxy) listen() error {
	listener, err := (&net.ListenConfig{}).Listen(context.Background(), "tcp4", p.addr)
	if err != nil {
		return err
	}
	p.listener, p.addr = listener, listener.Addr().String()
	p.all.Go(func() {
		for {
			client, err := listener.Accept()
			if err != nil {
				return
			}
			p.all.Go(func() { p.serve(client) })
		}
	})
	return nil
}

// serve forwards requests and answers of a connection until one side closes it.
func (p *Proxy) serve(client net.Conn) {
	server, err := (&net.Dialer{}).DialContext(context.Background(), "tcp4", p.target)
	if err != nil {
		// The server is down. With Silent and Garbage, clients must not notice.
		server = discarding()
	}
	one := &pair{client: client, server: server}
	defer one.close()
	p.mu.Lock()
	if p.fault == Refuse || err != nil && p.fault != Silent && p.fault != Garbage {
		p.mu.Unlock()
		return
	}
	p.pairs[one] = struct{}{}
	p.mu.Unlock()
	defer func() {
		p.mu.Lock()
		delete(p.pairs, one)
		p.mu.Unlock()
	}()
	answers := make(chan struct{})
	go func() {
		defer close(answers)
		defer one.close()
		p.forward(one, server, client, false)
	}()
	p.forward(one, client, server, true)
	one.close()
	<-answers
}

// discarding returns a connection that discards what is written to it.
func discarding() net.Conn {
	near, far := net.Pipe()
	go func() {
		_, _ = io.Copy(io.Discard, far)
		_ = far.Close()
	}()
	return near
}

// forward forwards requests or answers, or injects the fault.
func (p *Proxy) forward(one *pair, from, to net.Conn, requests bool) {
	buffer := make([]byte, 64<<10)
	for {
		n, err := from.Read(buffer)
		if err != nil {
			return
		}
		p.mu.Lock()
		fault, delay := p.fault, p.delay
		if fault == Silent || fault == Garbage {
			one.broken = true
		}
		dropped := one.broken
		p.mu.Unlock()
		switch {
		case fault == Garbage && requests:
			if _, err := one.client.Write(garbage()); err != nil {
				return
			}
			continue
		case dropped:
			continue
		case fault == Slow && requests:
			time.Sleep(delay)
		}
		if _, err := to.Write(buffer[:n]); err != nil {
			return
		}
	}
}

// garbage returns up to 256 random bytes that end a line.
func garbage() []byte {
	line := make([]byte, 1+rand.IntN(254), 256)
	for i := range line {
		line[i] = byte(rand.Uint32())
	}
	return append(line, "\r\n"...)
}
